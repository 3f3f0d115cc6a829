// Takes queued messages back. The host decides: a message that has just reached the model is not written a second time.
import { type QueuedMessage } from '../../src/shared/chat';
import { type WrittenMessage } from '../../src/shared/written-message';
import { request } from '../host/vscode-api';
import { announce } from '../state/announce';
import { chat, page } from '../state/chat';
import { attachImages, draft, focusComposer, placeText, writeAnew } from '../state/draft';
import { noRoom, tellProblems } from '../state/taking';

/** Ids that the host was asked for; a second key or click asks for the next one. */
let asked: readonly string[] = [];

/** The newest message that can still be taken back. */
export function newestQueued(): QueuedMessage | undefined {
  return chat.facts.peek().queue.findLast(({ id }) => !asked.includes(id));
}

/** Into the textbox again (`edit`), or away. */
export async function takeBack({ id }: QueuedMessage, edit: boolean): Promise<void> {
  focusComposer();
  if (asked.includes(id)) return;
  const waiting = chat.facts.peek().queue.map((message) => message.id);
  asked = [...asked.filter((one) => waiting.includes(one)), id];
  if (!(await request('unqueue', { id, edit }))) announce('The message has already been delivered.');
}

/** What has not reached the model goes above what is written by now. */
export function takeGivenBack({ text, images }: WrittenMessage): void {
  const written = draft.peek();
  tellProblems(noRoom(attachImages(images)));
  placeText(written === '' ? text : `${text}\n${written}`);
}

/** A message that was sent before, to be written anew. */
export function showWritten(message: WrittenMessage): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(() => writeAnew(message));
}

export async function recallMessage(id: string): Promise<void> {
  const written = await request('recall', { id });
  if (written !== null) showWritten(written);
}
