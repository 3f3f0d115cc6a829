// A goal that the agent keeps at until it is met: set by the user, checked by the small model when a turn would end.
import { type TurnEnd } from '../../loop/after-reply';
import { type RecordWriter } from '../../events/record-writer';
import { type ContextNote, type ContextSource, versionKey } from '../../context/context-source';
import { messageOf } from '../../text/errors';
import { askVerdict } from '../../hooks/prompt-hook';
import { textVersion } from '../../text/text-version';
import { type SmallModel } from '../../model/small-model';
import { type SessionRecord } from '../../ports/record';
import instructions from './goal-check.md';
import { goalEvidence } from './goal-evidence';
import { goalFromRecords } from '../../sessions/goal-from-records';

export interface SessionGoal {
  /** Empty for none. */
  readonly condition: string;
  set(condition: string): void;
  clear(): void;
  /** The user has spoken and may have changed their mind, so the checks are counted anew. */
  begin(): void;
  /** Undefined where the turn goes on: the model has been told what is missing. */
  beforeEnd(end: TurnEnd, signal: AbortSignal): Promise<TurnEnd | undefined>;
  /** The model hears of it in the conversation, and again behind a compaction. */
  readonly source: ContextSource;
}

export interface SessionGoalServices {
  records: readonly SessionRecord[];
  writer: RecordWriter;
  smallModel: Pick<SmallModel, 'ask'>;
  nudge: (text: string) => void;
}

/** How often a turn is sent back to work. */
export const maxGoalChecks = 20;
export const maxGoalChars = 4_000;

export function createSessionGoal({ records, writer, smallModel, nudge }: SessionGoalServices): SessionGoal {
  let condition = goalFromRecords(records);
  let announced = condition !== '';
  let checks = 0;
  const write = (state: 'set' | 'cleared' | 'met' | 'unmet' | 'unchecked', reason = ''): void =>
    void writer.write({ type: 'system', subtype: 'goal', condition, state, ...(reason === '' ? {} : { reason }) });
  const drop = (state: 'cleared' | 'met', reason?: string): void => {
    write(state, reason);
    condition = '';
  };
  const verdict = async (signal: AbortSignal): Promise<{ ok: boolean; reason: string } | { failed: string }> => {
    try {
      const found = await askVerdict(
        smallModel,
        {
          max_tokens: 1_000,
          system: [{ type: 'text', text: instructions.trim() }],
          tools: [],
          messages: [
            {
              role: 'user',
              content: [
                {
                  type: 'text',
                  text: `<goal>\n${condition}\n</goal>\n\n<record>\n${goalEvidence(records)}\n</record>`,
                },
              ],
            },
          ],
        },
        signal,
      );
      if (found.kind === 'verdict') return { ok: found.ok, reason: found.reason };
      return { failed: found.kind === 'failed' ? found.message : 'The small model did not answer.' };
    } catch (error) {
      return { failed: messageOf(error) };
    }
  };
  return {
    get condition() {
      return condition;
    },
    set(wanted) {
      condition = wanted;
      checks = 0;
      write('set');
    },
    clear() {
      if (condition !== '') drop('cleared');
    },
    begin: () => void (checks = 0),
    async beforeEnd(end, signal) {
      if (condition === '' || end.reason !== 'completed') return end;
      const wanted = condition;
      const found = await verdict(signal);
      // Cleared or replaced while the model thought.
      if (signal.aborted || condition !== wanted) return end;
      if ('failed' in found) write('unchecked', found.failed);
      else if (found.ok) drop('met', found.reason);
      else if (++checks >= maxGoalChecks) write('unmet', found.reason);
      else {
        nudge(
          `The user's goal is not reached yet: ${found.reason} Continue. The goal: ${condition}\nIf you cannot get further without the user, say what you need and why.`,
        );
        return undefined;
      }
      return end;
    },
    source: {
      async present() {
        if (condition === '' && !announced) return [];
        announced = true;
        return [noteOf(condition)];
      },
      narrowed: () => ({ present: async () => [] }),
    },
  };
}

function noteOf(condition: string): ContextNote {
  const text =
    condition === ''
      ? 'The earlier goal no longer applies: it was reached, or the user cleared it.'
      : `The user has set a goal for this session. Work until it is reached; when you end your turn, a check looks for proof in what you did and said.\nThe goal: ${condition}`;
  return { key: versionKey('goal', textVersion(text)), text };
}
