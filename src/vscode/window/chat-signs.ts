// What is seen of the chats from outside: a sign on each tab, a count on the view, and in the status bar who waits for the user.
import * as vscode from 'vscode';
import { type ChatHost } from '../chat/chat-host';
import { type Chat } from '../chat/conversation/chat';
import { type ChatPlace, type ChatSign } from './chat-places';

interface SignedChat {
  readonly host: ChatHost;
  readonly place: ChatPlace;
  /** How its last turn ended, where the user looked elsewhere. */
  unseen: 'finished' | 'failed' | undefined;
  /** Order in which chats began to wait; undefined where it does not. */
  waitsAs: number | undefined;
}

/** Told what each chat does from now on; undefined where it is gone. */
export type SignListener = (chat: Chat, sign: ChatSign | undefined) => void;

export class ChatSigns implements vscode.Disposable {
  readonly #chats = new Map<ChatHost, SignedChat>();
  readonly #tell: SignListener;
  #entry: vscode.StatusBarItem | undefined;
  #counted = 0;

  constructor(tell: SignListener) {
    this.#tell = tell;
  }

  add(host: ChatHost, place: ChatPlace): void {
    this.#chats.set(host, { host, place, unseen: undefined, waitsAs: undefined });
    place.onDidChangeVisibility(() => this.changed(host));
    this.changed(host);
  }

  /** It works, waits, rests, or came into sight. */
  changed(host: ChatHost): void {
    const chat = this.#chats.get(host);
    if (chat === undefined) return;
    if (requestsOf(host) === 0) chat.waitsAs = undefined;
    else chat.waitsAs ??= ++this.#counted;
    if (chat.place.visible() || isBusy(host)) chat.unseen = undefined;
    this.#sign(chat);
    this.#show();
  }

  ended(host: ChatHost, how: 'finished' | 'failed'): void {
    const chat = this.#chats.get(host);
    if (chat === undefined || chat.place.visible()) return;
    chat.unseen = how;
    this.#sign(chat);
  }

  forget(host: ChatHost): void {
    if (!this.#chats.delete(host)) return;
    this.#tell(host.chat, undefined);
    this.#show();
  }

  /** The chat that waits longest, but for the one in front where another waits too. */
  next(front: ChatHost | undefined): ChatHost | undefined {
    const waiting = this.#waiting();
    const at = waiting.findIndex(({ host }) => host === front);
    return waiting[(at + 1) % Math.max(1, waiting.length)]?.host;
  }

  dispose(): void {
    this.#entry?.dispose();
  }

  #sign(chat: SignedChat): void {
    const sign = signOf(chat);
    chat.place.setSign(sign);
    this.#tell(chat.host.chat, sign);
  }

  #waiting(): SignedChat[] {
    return [...this.#chats.values()]
      .filter(({ waitsAs }) => waitsAs !== undefined)
      .sort((a, b) => (a.waitsAs ?? 0) - (b.waitsAs ?? 0));
  }

  #show(): void {
    const chats = [...this.#chats.values()];
    const requests = chats.reduce((sum, { host }) => sum + requestsOf(host), 0);
    for (const { place } of chats) place.setBadge(requests);
    const hidden = this.#waiting().filter(({ place }) => !place.visible());
    if (hidden.length === 0) return this.#entry?.hide();
    const entry = (this.#entry ??= createEntry());
    const which = hidden.length === 1 ? '1 chat waits' : `${hidden.length} chats wait`;
    entry.text = `$(bell-dot) ${which}`;
    entry.tooltip = [
      `Deft: ${which} for you`,
      ...hidden.map(({ host }) => host.chat.poster.state.title || 'New session'),
    ].join('\n');
    entry.accessibilityInformation = { label: `Deft: ${which} for you` };
    entry.show();
  }
}

function createEntry(): vscode.StatusBarItem {
  const entry = vscode.window.createStatusBarItem('deft.waiting', vscode.StatusBarAlignment.Right, 1);
  entry.name = 'Deft: Chats That Wait for You';
  entry.command = 'deft.nextWaiting';
  entry.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  return entry;
}

function requestsOf({ chat: { approvals, questions, mcpRequests } }: ChatHost): number {
  return approvals.requests.length + questions.requests.length + mcpRequests.requests.length;
}

function isBusy({ chat }: ChatHost): boolean {
  return chat.poster.state.status !== 'idle';
}

function signOf({ host, unseen }: SignedChat): ChatSign {
  if (requestsOf(host) > 0) return 'waiting';
  return isBusy(host) ? 'working' : (unseen ?? 'idle');
}
