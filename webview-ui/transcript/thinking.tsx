// The agent's thinking: one quiet line that opens on demand.
import { type ThinkingItem } from '../../src/shared/chat';
import { useOpener } from '../find/openers';
import { Markdown } from '../markdown/markdown';
import { Icon } from '../parts/icon';
import { useRowState } from '../state/row-state';
import { durationText } from '../tools/tool-words';

export function Thinking({ item }: { item: ThinkingItem }) {
  const [open, setOpen] = useRowState(`thinking ${item.id}`, false);
  useOpener([item.id], () => setOpen(true));
  const bodyId = `thinking-${item.id}`;
  const empty = item.text.trim() === '';
  return (
    <div class="thinking">
      <button
        type="button"
        class="thinking-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        disabled={empty}
        title={open ? 'Hide the thinking (Enter)' : 'Show the thinking (Enter)'}
        onClick={() => setOpen(!open)}
      >
        <span>{item.streaming ? 'Thinking…' : thoughtFor(item.durationMs)}</span>
        {!empty && <Icon name={open ? 'chevron-down' : 'chevron-right'} />}
      </button>
      {open && (
        <div class="thinking-body" id={bodyId}>
          <Markdown text={item.text} streaming={item.streaming} />
        </div>
      )}
    </div>
  );
}

function thoughtFor(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return 'Thought';
  return milliseconds < 1_000
    ? 'Thought for a moment'
    : `Thought for ${durationText(Math.round(milliseconds / 1_000) * 1_000).replace('.0s', 's')}`;
}
