// What the user asks for at the cursor of editors: each a thread that sends one message to a chat and shows the proposal where it belongs.
import * as vscode from 'vscode';
import { anchorAfter, anchorAt, type LineAnchor } from '../../core/edits/line-anchor';
import { type SessionEvent } from '../../core/events/session-event';
import { type ApprovalRequest } from '../../core/ports/approver';
import { type Path } from '../../core/ports/path';
import { type SessionRecord } from '../../core/ports/record';
import { type InlineEdit } from '../../core/prompt/inline-prompt';
import { isObject } from '../../shared/plain-object';
import { type UserDecision } from '../chat/conversation/pending-approvals';
import { lineEditsOf, linesOf } from '../comments/comment-places';
import { openDocumentOf } from '../comments/comment-thread';
import { inlinePlace } from './inline-place';
import { InlineThread } from './inline-thread';

/** The chat that gets a question, with its session. */
export interface InlineChat {
  readonly session: string;
  /** False where it could not be sent: its words are in the composer then. */
  send(words: string, inline: InlineEdit): Promise<boolean>;
  /** False where nothing of that id waits any more. */
  decide(requestId: string, decision: UserDecision): Promise<boolean>;
  /** Takes a queued message back. */
  takeBack(messageId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface InlineServices {
  /** The one in sight, else one with a new session. */
  chat(): Promise<InlineChat>;
  isHidden(path: Path): boolean;
  /** Opens VS Code's box at the cursor, with the focus in it. */
  openBox(): Promise<void>;
  showDiff(requestId: string): Promise<unknown>;
  uuid(): string;
}

export interface InlineEdits extends vscode.Disposable {
  /** Opens the box at the cursor, or below the selection. */
  open(): Promise<void>;
  /** What a box says is sent; in a thread whose turn is over it is one more question. */
  ask(reply: vscode.CommentReply): Promise<void>;
  /** Of the thread, of the request with this id, or of the only one that waits. */
  accept(which?: Which): Promise<void>;
  reject(which?: Which): Promise<void>;
  diff(which?: Which): Promise<void>;
  /** Rejects the proposal with these words, after which the agent tries again. */
  retry(reply: vscode.CommentReply): Promise<void>;
  /** Removes the thread, and ends what it has begun. */
  discard(thread: vscode.CommentThread): Promise<void>;
  heard(session: string, event: SessionEvent): void;
  /** A thread shows this proposal. */
  shows(requestId: string): boolean;
}

type Which = vscode.CommentThread | string;

export function createInlineEdits(services: InlineServices): InlineEdits {
  return new Edits(services);
}

class Edits implements InlineEdits {
  readonly #services: InlineServices;
  readonly #threads = new Map<InlineThread, InlineChat | undefined>();
  /** The box that was opened last: its lines move while the user writes. */
  #box: { uri: string; asked: vscode.Range; anchor: LineAnchor } | undefined;
  #asking: readonly string[] = [];
  readonly #following: vscode.Disposable;

  constructor(services: InlineServices) {
    this.#services = services;
    this.#following = vscode.workspace.onDidChangeTextDocument((event) => this.#followed(event));
  }

  async open(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined)
      return inform('open a file of the workspace, and put the cursor where something should change.');
    const { document, selection } = editor;
    const place = await inlinePlace(document, this.#services.isHidden);
    if ('why' in place) return inform(place.why);
    const last = selection.end.character === 0 && !selection.isEmpty ? selection.end.line : selection.end.line + 1;
    this.#box = {
      uri: document.uri.toString(),
      asked: new vscode.Range(selection.start, selection.end),
      anchor: anchorAt(linesOf(document), selection.start.line, last),
    };
    await this.#services.openBox();
  }

  async ask({ thread: shown, text }: vscode.CommentReply): Promise<void> {
    const document = openDocumentOf(shown.uri);
    if (text.trim() === '' || document === undefined) return;
    const known = this.#find(shown);
    if (known !== undefined && known.state !== 'over') return;
    const place = await inlinePlace(document, this.#services.isHidden);
    if ('why' in place) return inform(place.why);
    const thread = known ?? new InlineThread(shown, place.path, document, this.#anchorOf(shown));
    this.#threads.set(thread, undefined);
    const inline = thread.asks(text.trim(), this.#services.uuid(), document);
    try {
      const chat = await this.#services.chat();
      if (!this.#threads.has(thread)) return;
      this.#threads.set(thread, chat);
      if (!(await chat.send(text.trim(), inline)))
        thread.over('Not sent: the chat says why, and your words are there.');
    } catch (error) {
      thread.over('Not sent: no chat could be opened.');
      throw error;
    }
  }

  async accept(which?: Which): Promise<void> {
    await this.#decide(which, { behavior: 'accept' });
  }

  async reject(which?: Which): Promise<void> {
    const thread = await this.#decide(which, { behavior: 'reject', feedback: '' });
    if (thread !== undefined) this.#remove(thread);
  }

  async retry({ thread: shown, text }: vscode.CommentReply): Promise<void> {
    const feedback = text.trim();
    if (feedback === '') return;
    const thread = await this.#decide(shown, { behavior: 'reject', feedback });
    thread?.say('user', feedback);
  }

  async diff(which?: Which): Promise<void> {
    const request = this.#waiting(which)?.request;
    if (request === undefined) return inform(nothingWaits);
    await this.#services.showDiff(request.id);
  }

  async discard(shown: vscode.CommentThread): Promise<void> {
    const thread = this.#find(shown);
    if (thread === undefined) return shown.dispose();
    const chat = this.#threads.get(thread);
    const { state, request, messageId, ownTurn } = thread;
    this.#remove(thread);
    if (request !== undefined) await chat?.decide(request.id, { behavior: 'reject', feedback: '' });
    else if (state === 'queued' && messageId !== undefined) await chat?.takeBack(messageId);
    else if (state === 'works' && ownTurn) await chat?.stop();
  }

  heard(session: string, event: SessionEvent): void {
    for (const [thread, chat] of this.#threads)
      if (chat?.session === session && thread.state !== 'over') this.#told(thread, event);
    this.#tellKeys();
  }

  shows(requestId: string): boolean {
    return [...this.#threads.keys()].some(({ request }) => request?.id === requestId);
  }

  dispose(): void {
    this.#following.dispose();
    for (const thread of [...this.#threads.keys()]) this.#remove(thread);
  }

  #told(thread: InlineThread, event: SessionEvent): void {
    const isAtWork = thread.state === 'works' || thread.state === 'asks';
    if (event.type === 'record') return recorded(thread, event.record);
    if (event.type === 'prompt_unsent' && event.prompt.display.inline?.includes(thread.id))
      return thread.over('The turn was stopped before it began: your words are in the chat.');
    // It was taken back from the queue, and went into no turn.
    if (event.type === 'turn_idle' && thread.state === 'sending' && thread.messageId !== undefined)
      return this.#remove(thread);
    if (!isAtWork) return;
    if (event.type === 'approval_asked') asked(thread, event.request);
    else if (event.type === 'approval_changed' && event.requestId === thread.request?.id) {
      thread.request = { ...thread.request, view: event.view };
      thread.draw();
    } else if (event.type === 'approval_settled') settled(thread, event.requestId);
    else if (event.type === 'turn_idle') this.#ended(thread);
  }

  /** An edit stands in the file, with its marks where the mode makes them: the thread has nothing more to show. */
  #ended(thread: InlineThread): void {
    if (thread.edited) return this.#remove(thread);
    thread.elsewhere = undefined;
    thread.over(thread.answer === '' ? 'The turn has ended without a change here. The chat says more.' : thread.answer);
  }

  async #decide(which: Which | undefined, decision: UserDecision): Promise<InlineThread | undefined> {
    const thread = this.#waiting(which);
    const request = thread?.request;
    if (thread === undefined || request === undefined) return void inform(nothingWaits);
    const isDecided = await this.#threads.get(thread)?.decide(request.id, decision);
    return isDecided === true ? thread : void inform('it was answered already.');
  }

  #waiting(which: Which | undefined): InlineThread | undefined {
    const all = [...this.#threads.keys()].filter(({ request }) => request !== undefined);
    if (which === undefined) return all.find(({ shown }) => isActive(shown));
    return all.find(({ shown, request }) => (typeof which === 'string' ? request?.id === which : shown === which));
  }

  /** The box that the command opened knows how its lines have moved; one from the margin does not. */
  #anchorOf({ uri, range }: vscode.CommentThread): LineAnchor | undefined {
    const box = this.#box;
    this.#box = undefined;
    const isIt = box?.uri === uri.toString() && range !== undefined && box.asked.start.line === range.start.line;
    return isIt ? box.anchor : undefined;
  }

  #followed(event: vscode.TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0) return;
    const uri = event.document.uri.toString();
    if (this.#box?.uri === uri)
      this.#box.anchor = anchorAfter(this.#box.anchor, lineEditsOf(event), linesOf(event.document));
    for (const thread of this.#threads.keys()) if (thread.shown.uri.toString() === uri) thread.followed(event);
  }

  #find(shown: vscode.CommentThread): InlineThread | undefined {
    return [...this.#threads.keys()].find((thread) => thread.shown === shown);
  }

  #remove(thread: InlineThread): void {
    this.#threads.delete(thread);
    thread.shown.dispose();
    this.#tellKeys();
  }

  /** The keys of Accept and Reject count in editors of these. */
  #tellKeys(): void {
    const waiting = [...this.#threads.keys()].filter(({ request }) => request !== undefined);
    // `in` compares with the path part of a URI.
    const paths = waiting.map(({ shown }) => shown.uri.path);
    if (paths.join('\n') === this.#asking.join('\n')) return;
    this.#asking = paths;
    void vscode.commands.executeCommand('setContext', 'deft.inlineAsks', paths);
  }
}

const nothingWaits = 'no proposal waits in this file.';

function recorded(thread: InlineThread, record: SessionRecord): void {
  if (record.type === 'queue-operation') {
    if (record.operation === 'enqueue' && record.display?.inline?.includes(thread.id)) {
      thread.messageId = record.messageId;
      thread.turn('queued');
    } else if (record.operation === 'remove' && record.messageId === thread.messageId && thread.state === 'queued')
      // By the user, or to be sent with what else waited: its own record follows then.
      thread.turn('sending');
    return;
  }
  if (record.type === 'assistant' && record.isSidechain !== true) {
    const text = record.message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
    if (text.trim() !== '') thread.answer = text;
    return;
  }
  if (record.type !== 'user') return;
  if (record.display?.inline?.includes(thread.id)) {
    thread.ownTurn = record.steering !== true;
    thread.answer = '';
    return thread.turn('works');
  }
  const output = record.toolUseResult;
  if (record.toolState === 'done' && isObject(output) && output['filePath'] === thread.path) thread.edited = true;
}

/** Of agents, of other files and of several at once the card in the chat decides. */
function asked(thread: InlineThread, request: ApprovalRequest): void {
  const { proposal, plan, agent } = request;
  const isHere =
    agent === undefined && plan === undefined && proposal?.path === thread.path && proposal.others === undefined;
  if (isHere && thread.request === undefined) {
    thread.request = request;
    thread.elsewhere = undefined;
    return thread.turn('asks');
  }
  thread.elsewhere = request.title;
  thread.draw();
}

function settled(thread: InlineThread, requestId: string): void {
  const isHere = thread.request?.id === requestId;
  if (isHere) thread.request = undefined;
  else thread.elsewhere = undefined;
  thread.turn(thread.request === undefined ? 'works' : 'asks');
}

function isActive({ uri }: vscode.CommentThread): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
