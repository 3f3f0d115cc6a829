// A goal that the agent keeps at until it is met: the user sets it, and no turn ends before it is. Agents have their task instead.
import { type ContextNote, type ContextSource, versionKey } from '../../context/context-source';
import { type CommandAnswer } from '../../feature/feature-command';
import { provides } from '../../feature/feature-key';
import { type FeatureFactory, type SessionAccess } from '../../feature/session-feature';
import { type TurnEnd } from '../../loop/after-reply';
import { textVersion } from '../../text/text-version';
import { checkGoal } from './goal-check';
import { goal, goalAfter, goalCommand, type GoalRecord, type SessionGoal } from './goal-facts';

/** How often a turn is sent back to work. */
export const maxGoalChecks = 20;
const maxGoalChars = 4_000;

export const goalFeature: FeatureFactory = (access) => {
  const own = new KeptGoal(access);
  return {
    ...provides(goal, own),
    sources: [own.source],
    // Turns that begin by themselves share the checks of the user's last message.
    turnBegins: (prompt) => prompt && own.begin(),
    beforeEnd: (end, signal) => own.beforeEnd(end, signal),
    controls: {
      commands: { [goalCommand.name]: (text) => answer(own, text) },
      end: (id) => id === goal.name && own.clear(),
    },
  };
};

class KeptGoal implements SessionGoal {
  readonly #access: SessionAccess;
  #condition: string;
  #announced: boolean;
  #checks = 0;

  constructor(access: SessionAccess) {
    this.#access = access;
    const last = access.settings.records.findLast(
      (record): record is GoalRecord => record.type === 'system' && record.subtype === 'goal',
    );
    this.#condition = last === undefined ? '' : goalAfter(last);
    this.#announced = this.#condition !== '';
  }

  get condition(): string {
    return this.#condition;
  }

  set(condition: string): void {
    this.#checks = 0;
    this.#write(condition, 'set');
  }

  clear(): boolean {
    const { condition } = this;
    if (condition !== '') this.#write(condition, 'cleared');
    return condition !== '';
  }

  /** The user has spoken and may have changed their mind, so the checks are counted again. */
  begin(): void {
    this.#checks = 0;
  }

  /** Undefined where the turn continues: the model has been sent what is missing. */
  async beforeEnd(end: TurnEnd, signal: AbortSignal): Promise<TurnEnd | undefined> {
    const { condition } = this;
    if (condition === '' || end.reason !== 'completed') return end;
    const { session, settings, messages } = this.#access;
    const found = await checkGoal(condition, settings.records, session.smallModel, signal);
    // Cleared or replaced while the model thought.
    if (signal.aborted || this.condition !== condition) return end;
    if ('failed' in found) this.#write(condition, 'unchecked', found.failed);
    else if (found.ok) this.#write(condition, 'met', found.reason);
    else if (++this.#checks >= maxGoalChecks) this.#write(condition, 'unmet', found.reason);
    else {
      messages.nudge(
        `The user's goal is not reached yet: ${found.reason} Continue. The goal: ${condition}\nIf you cannot get further without the user, say what you need and why.`,
      );
      return undefined;
    }
    return end;
  }

  /** The model is notified of it in the conversation, and again after a compaction. */
  readonly source: ContextSource = {
    present: async () => {
      const { condition } = this;
      if (condition === '' && !this.#announced) return [];
      this.#announced = true;
      return [noteOf(condition)];
    },
    narrowed: () => ({ present: async () => [] }),
  };

  #write(condition: string, state: GoalRecord['state'], reason = ''): void {
    this.#access.writer.write({
      type: 'system',
      subtype: 'goal',
      condition,
      state,
      ...(reason === '' ? {} : { reason }),
    });
    this.#condition = goalAfter({ condition, state });
  }
}

function noteOf(condition: string): ContextNote {
  const text =
    condition === ''
      ? 'The earlier goal no longer applies: it was reached, or the user cleared it.'
      : `The user has set a goal for this session. Work until it is reached; when you end your turn, a check looks for proof in what you did and said.\nThe goal: ${condition}`;
  return { key: versionKey('goal', textVersion(text)), text };
}

function answer(own: SessionGoal, text: string): CommandAnswer {
  const says = (title: string, detail: string): CommandAnswer => ({ notice: { level: 'info', title, detail } });
  if (text === '')
    return own.condition === ''
      ? says('There is no goal.', 'Type /goal and the condition to reach: /goal npm test passes.')
      : says('Goal', `${own.condition}\n/goal clear removes it.`);
  if (/^(clear|none|off|stop)$/i.test(text))
    return own.clear()
      ? says('Goal cleared.', 'The current turn will finish.')
      : says('There is no goal.', 'Nothing was changed.');
  if (text.length > maxGoalChars)
    return says(
      'That goal is too long.',
      `${maxGoalChars.toLocaleString('en')} characters are the most: put the details into a file and name it.`,
    );
  own.set(text);
  return {
    prompt: { text: `My goal for you, until it is reached: ${text}`, shownAs: `/goal ${text}`, mentionsIn: text },
  };
}
