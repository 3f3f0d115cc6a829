// How full the model's window is, and what the session cost so far.
import { type ChatUsage } from '../../src/shared/chat';
import { costText } from '../../src/shared/session-glance';
import { post } from '../host/vscode-api';
import { chat } from '../state/chat';

/** From this share on the user should know that compaction is near. */
const NEARLY_FULL = 80;

export function Meters() {
  const usage = chat.facts.value.usage;
  return (
    <>
      {usage.contextTokens > 0 && <ContextMeter usage={usage} />}
      {usage.costUsd > 0 && <Cost usage={usage} />}
    </>
  );
}

function ContextMeter({ usage }: { usage: ChatUsage }) {
  const percent =
    usage.contextWindow > 0 ? Math.min(100, Math.round((usage.contextTokens / usage.contextWindow) * 100)) : 0;
  const tokens = `${usage.contextTokens.toLocaleString()} of ${usage.contextWindow.toLocaleString()} tokens`;
  return (
    <button
      type="button"
      class={percent >= NEARLY_FULL ? 'meter meter-button meter-full' : 'meter meter-button'}
      aria-label={`Context: ${percent}% used. Compact the conversation`}
      title={`Context: ${percent}% used, ${tokens}\nClick to compact the conversation: a summary replaces it.`}
      onClick={() => post({ type: 'compact' })}
    >
      {percent}%
    </button>
  );
}

function Cost({ usage }: { usage: ChatUsage }) {
  const amount = costText(usage.costUsd);
  const label = usage.costKnown ? `Cost: ${amount}` : `Cost: at least ${amount}`;
  const why = usage.costKnown ? 'of this session' : 'of this session; the price of a model is not known';
  return (
    <span
      class="meter"
      role="img"
      aria-label={label}
      title={[`${label} ${why}`, ...costLines(usage), ...cacheLine(usage)].join('\n')}
    >
      {usage.costKnown ? amount : `≥ ${amount}`}
    </span>
  );
}

/** One a model, where there are several. */
function costLines({ byModel }: ChatUsage): string[] {
  return byModel.length < 2
    ? []
    : byModel.map(({ model, costUsd, costKnown }) => `${model}: ${costKnown ? costText(costUsd) : 'price not known'}`);
}

function cacheLine({ input }: ChatUsage): string[] {
  return input === undefined || input.all === 0
    ? []
    : [`${Math.round((input.cached / input.all) * 100)}% of what was read came from the cache`, '/cost shows more'];
}
