// A model in a loop: the same call with the same result again and again is told to the model, and then the user decides.
import { callRecord } from '../../sessions/call-records';
import { type ExecutedCall } from '../../calls/tool-call';
import { type FeatureFactory, type SessionAccess } from '../../feature/session-feature';
import { type TurnEnd } from '../../loop/after-reply';
import { cutMiddle } from '../../../shared/cut-text';

/** So many in a row, and the model is told. */
const noteAfter = 3;
/** So many in a row, and the user is asked. */
export const defaultMaxRepeats = 8;

const goOn = 'Continue';
const stop = 'Stop here';

/** `max`: how many the user is not asked about. */
export function repeatsFeature(max = defaultMaxRepeats): FeatureFactory {
  return (access) => {
    const row = new Row(access, max);
    return {
      name: 'repeats',
      turnBegins: () => row.clear(),
      afterTools: (results, signal) => row.add(results, signal),
      inAgents: () => repeatsFeature(max),
    };
  };
}

/** Calls in a row that are the same, with the same result. */
class Row {
  readonly #access: SessionAccess;
  readonly #max: number;
  #key = '';
  #count = 0;
  #told = false;

  constructor(access: SessionAccess, max: number) {
    this.#access = access;
    this.#max = max;
  }

  clear(): void {
    this.#key = '';
    this.#count = 0;
    this.#told = false;
  }

  async add(results: readonly ExecutedCall[], signal: AbortSignal): Promise<TurnEnd | undefined> {
    let call = '';
    for (const { block } of results) {
      const made = this.#callOf(block.tool_use_id);
      if (made === undefined) continue;
      call = made;
      const key = `${made}\n${JSON.stringify(block.content)}`;
      if (key !== this.#key) this.clear();
      this.#key = key;
      this.#count++;
    }
    if (this.#count >= this.#max) return this.#decide(call, signal);
    if (this.#count >= noteAfter && !this.#told) {
      this.#told = true;
      this.#access.messages.remind(
        `The last ${this.#count} calls were the same, with the same result: ${shown(call)}. Repeating it will not change anything. Try something else, or tell the user what keeps you from continuing.`,
      );
    }
    return undefined;
  }

  async #decide(call: string, signal: AbortSignal): Promise<TurnEnd | undefined> {
    const { ports } = this.#access;
    const count = this.#count;
    const what = `The model has made the same call ${count} times in a row, with the same result: ${shown(call)}.`;
    const id = ports.uuid();
    const question = {
      question: `${what} Continue?`,
      header: 'Repeats',
      options: [
        { label: goOn, description: `Deft asks again after ${this.#max} more.` },
        { label: stop, description: 'The turn ends here. What was done so far is kept.' },
      ],
      multiSelect: false,
    };
    const answer = await ports.questioner?.askQuestions(
      { id, toolUseId: id, questions: [question], closeLabel: 'Stop' },
      signal,
    );
    this.clear();
    if (answer?.behavior === 'answered' && answer.answers[question.question] === goOn) return undefined;
    return { reason: 'continuations_exhausted', message: `${what} Send a message to continue.` };
  }

  /** Its tool and input in one line. */
  #callOf(toolUseId: string): string | undefined {
    const block = callRecord(this.#access.settings.records, toolUseId)?.message.content.find(
      (each) => each.type === 'tool_use' && each.id === toolUseId,
    );
    return block?.type === 'tool_use' ? `${block.name} ${JSON.stringify(block.input)}` : undefined;
  }
}

function shown(call: string): string {
  return cutMiddle(call, 200, () => ' … ');
}
