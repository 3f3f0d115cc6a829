// Messages that the user sends while the agent works; they reach the model with the next tool results.
import { type PromptDisplay } from '../ports/record';
import { type UserBlock } from '../wire/wire';

export interface Prompt {
  /** What the model gets: the text with its attachments. */
  content: UserBlock[];
  /** What the user typed and attached. */
  display: PromptDisplay;
  /** Its record's id, where a checkpoint is under it before the record does. */
  uuid?: string;
}

export interface QueuedPrompt extends Prompt {
  id: string;
}

export interface SteeringQueue {
  readonly waiting: readonly QueuedPrompt[];
  add(prompt: QueuedPrompt): void;
  /** Undefined where it has been delivered already. */
  takeBack(id: string): QueuedPrompt | undefined;
}

export function createSteeringQueue(): SteeringQueue {
  let waiting: QueuedPrompt[] = [];
  return {
    get waiting() {
      return waiting;
    },
    add(prompt) {
      waiting = [...waiting, prompt];
    },
    takeBack(id) {
      const found = waiting.find((prompt) => prompt.id === id);
      waiting = waiting.filter((prompt) => prompt !== found);
      return found;
    },
  };
}
