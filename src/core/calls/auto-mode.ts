// Asks the classifier of auto mode before the user is asked. Whatever goes wrong asks the user.
import { answerSchema } from '../model/json-answer';
import { textOf } from '../model/whole-reply';
import { type SmallModel } from '../model/small-model';
import { createAutoPauses } from '../permissions/auto/auto-pauses';
import { withAutoRules } from '../permissions/auto/auto-rules';
import {
  type AutoAction,
  type AutoHistory,
  classifierInstructions,
  classifierQuestion,
  maxEarlier,
  readAnswer,
} from '../permissions/auto/classifier';
import { type Clock } from '../ports/clock';
import { type SessionRecord } from '../ports/record';
import { answerWithin, noAnswer } from '../tool/answer-within';

export type AutoReview =
  | { outcome: 'allow' | 'block'; reason: string }
  /** `reason`: why the user has to be asked after all. */
  | { outcome: 'ask'; reason: string };

export interface AutoMode {
  /** The user chose it: pauses end. */
  chosen(): void;
  review(this: void, toolUseId: string, action: AutoAction, signal: AbortSignal): Promise<AutoReview>;
}

const timeoutMs = 10_000;
const maxTokens = 300;
/** In the order in which the one line of JSON has them. */
const classifierSchema = answerSchema({
  block: { type: 'boolean' },
  reason: { type: 'string', description: 'One short sentence.' },
});

export interface AutoModeParts {
  records: readonly SessionRecord[];
  small: SmallModel;
  clock: Clock;
  /** `autoMode` of the settings, asked at each review. */
  settings?: (() => Readonly<Record<string, unknown>> | undefined) | undefined;
}

export function createAutoMode({ records, small, clock, settings }: AutoModeParts): AutoMode {
  const pauses = createAutoPauses();
  return {
    chosen: pauses.reset,
    async review(toolUseId, action, signal) {
      const pause = pauses.paused();
      if (pause !== undefined) return { outcome: 'ask', reason: pause };
      const question = classifierQuestion(action, historyBefore(toolUseId, records));
      const instructions = withAutoRules(classifierInstructions, settings?.());
      const answer = await classify(question, instructions, { small, clock }, signal);
      if (typeof answer === 'string') return { outcome: 'ask', reason: answer };
      if (answer.block) pauses.blocked();
      else pauses.allowed();
      return { outcome: answer.block ? 'block' : 'allow', reason: answer.reason };
    },
  };
}

/** A text says why there is no answer. */
async function classify(
  question: string | undefined,
  instructions: string,
  { small, clock }: Pick<AutoModeParts, 'small' | 'clock'>,
  signal: AbortSignal,
) {
  if (question === undefined) return 'The call is too long for auto mode to check.';
  const request = {
    max_tokens: maxTokens,
    system: [{ type: 'text' as const, text: instructions }],
    tools: [],
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: question }] }],
  };
  try {
    const reply = await answerWithin(
      timeoutMs,
      (within) => small.ask(request, within, classifierSchema),
      signal,
      clock,
    );
    if (reply === noAnswer) return 'Auto mode could not check the call in time.';
    // A refusal, a cut or a second text is not an answer; some models cannot help thinking first.
    const said = reply.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
    const answer =
      reply.stopReason === 'end_turn' && said.every(({ type }) => type === 'text')
        ? readAnswer(textOf(said))
        : undefined;
    return answer ?? 'Auto mode got no clear answer about the call.';
  } catch {
    return 'Auto mode could not check the call.';
  }
}

/** The user's own words, and what the model asked for last: no results, nothing that came from files. */
function historyBefore(toolUseId: string, records: readonly SessionRecord[]): AutoHistory {
  const messages = records.flatMap((record) =>
    record.type === 'user' && record.isMeta !== true && record.display !== undefined ? [record.display.text] : [],
  );
  const actions: AutoAction[] = [];
  for (let at = records.length - 1; at >= 0 && actions.length < maxEarlier; at--) {
    const record = records[at];
    if (record?.type !== 'assistant') continue;
    for (const block of record.message.content.toReversed()) {
      if (block.type === 'tool_use' && block.id !== toolUseId)
        actions.unshift({ tool: block.name, input: block.input, cwd: record.cwd });
    }
  }
  return { messages, actions };
}
