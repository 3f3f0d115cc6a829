// The messages of the host to the webview: one entry each.
import { type InsertedFiles, type SessionRow } from './answers';
import { type ChatEvent, type ChatItem, type ChatState } from './chat';
import { type WrittenMessage } from './written-message';
import { type ChatSurroundings } from './surroundings';

export type UsagePart = 'cost' | 'context';

export interface HostMessages {
  /** `epoch` changes with every snapshot; events of another epoch are void. `state.items` is the last page. */
  snapshot: { epoch: number; seq: number; state: ChatState; surroundings: ChatSurroundings };
  /** `from` is the number of the first event; a gap asks for a snapshot (`ready`). */
  events: { epoch: number; from: number; events: ChatEvent[] };
  surroundings: { surroundings: ChatSurroundings };
  older: { epoch: number; items: ChatItem[]; olderItems: number };
  /** To the request with this number, of the type that the request names. */
  answered: { request: number; answer: unknown };
  /** The request with this number has no answer; the user and the log were informed why. */
  failed: { request: number };
  /** More of what a search in conversations found. `done`: there is no more. */
  sessionMatches: { requestId: number; sessions: SessionRow[]; done: boolean };
  /** A message that has not reached the model: it goes above the text in the composer. */
  givenBack: WrittenMessage;
  /** A message that was sent before is to be rewritten: a draft in the composer makes room. */
  writeAnew: WrittenMessage;
  /** Puts text into the composer at the cursor and focuses it; pictures are attached. */
  insert: InsertedFiles;
  focus: object;
  /** Leads to this item of the conversation, and puts the focus there. */
  goToItem: { id: string };
  showHistory: object;
  showMcp: object;
  /** Opens the page of usage at this part. */
  showUsage: { part: UsagePart };
  /** Opens the view of what runs in the background. */
  showBackground: object;
  /** The servers differ from those sent last. */
  mcpChanged: object;
  /** What sessions do is other than was listed last. */
  sessionsChanged: object;
  ended: { notify: boolean };
}

export type HostMessage = {
  [Type in keyof HostMessages]: { type: Type } & HostMessages[Type];
}[keyof HostMessages];
/** What the webview does with each. */
export type HostMessageHandlers = { [Type in keyof HostMessages]: (message: HostMessages[Type]) => void };
