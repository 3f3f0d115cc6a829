// Takes queued messages back. The host decides: a message that has just reached the model is not written a second time.
import { type QueuedMessage } from '../../src/shared/chat';
import type { HostMessage } from '../../src/shared/protocol';
import { post } from '../host/vscode-api';
import { announce } from '../state/announce';
import { chat } from '../state/chat';
import { attachImages, draft, focusComposer, placeText } from '../state/draft';

/** Ids that the host was asked for; a second key or click asks for the next one. */
let asked: readonly string[] = [];

/** The newest message that can still be taken back. */
export function newestQueued(): QueuedMessage | undefined {
  return chat.facts.peek().queue.findLast(({ id }) => !asked.includes(id));
}

/** Into the textbox again (`edit`), or away. */
export function takeBack({ id }: QueuedMessage, edit: boolean): void {
  focusComposer();
  if (asked.includes(id)) return;
  const waiting = chat.facts.peek().queue.map((message) => message.id);
  asked = [...asked.filter((one) => waiting.includes(one)), id];
  post({ type: 'unqueue', id, edit });
}

/** The host's answer. What was taken back to be edited goes above what is written by now. */
export function takenBack({ taken, edit }: Extract<HostMessage, { type: 'unqueued' }>): void {
  if (taken === null) return announce('The message has been delivered already.');
  if (!edit) return;
  const written = draft.peek();
  attachImages(taken.images);
  placeText(written === '' ? taken.text : `${taken.text}\n${written}`);
}
