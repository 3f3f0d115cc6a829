// The user's comments on lines of files: drafts that follow the text, sent as one message, and the agent's answers in their threads.
import * as vscode from 'vscode';
import { type AgentSession } from '../../core/feature/agent-session';
import { type SessionEvent } from '../../core/events/session-event';
import { type LineAnchor } from '../../core/edits/line-anchor';
import { type Path } from '../../core/ports/path';
import { type SessionRecord } from '../../core/ports/record';
import { type CommentExchange, type SessionComments, withRecord } from '../../core/tool/session-comments';
import { counted } from '../../shared/counted';
import { type ReviewComment } from '../../shared/review-comment';
import { uriOf } from '../host/uri-path';
import { type CommentPlace, commentPlace, lineEditsOf, linesOf } from './comment-places';
import { DraftThread, type FindingName, openDocumentOf, type StoredDraft, type ThreadStart } from './comment-thread';

export interface CommentDrafts {
  comments: number;
  files: number;
}

export interface PlanComments {
  waits(uri: vscode.Uri): boolean;
  comments(): number;
}

/** The chat that gets the comments. */
export interface CommentChat {
  session(): Promise<Pick<AgentSession, 'id' | 'surroundings'>>;
  /** False where nothing was sent. */
  send(comments: readonly ReviewComment[], session: string): Promise<boolean>;
}

export interface CommentThreadServices {
  /** Plans have comments of their own, which go along with the answer. */
  plans: PlanComments;
  /** The one used last, with a session that takes messages. */
  chat(): Promise<CommentChat>;
  keep(drafts: readonly StoredDraft[]): void;
}

export interface CommentThreads extends vscode.Disposable {
  drafts(): CommentDrafts;
  readonly onDidChange: vscode.Event<void>;
  /** Opens a box at the cursor, or at the selection. */
  add(kind?: BoxKind): Promise<void>;
  /** What the box says becomes a draft. */
  write(reply: vscode.CommentReply): void;
  /** All drafts, as one message. */
  send(): Promise<void>;
  /** Asks to fix what a review found at these lines, as a draft. */
  addFix(path: Path, anchor: LineAnchor, words: string, finding: FindingName): void;
  /** What drafts ask to fix. */
  fixes(): readonly FindingName[];
  remove(thread: vscode.CommentThread): void;
  removeDrafts(): void;
  restore(drafts: readonly StoredDraft[]): void;
  opened(session: string, comments: SessionComments): void;
  heard(event: SessionEvent): void;
}

/** What the box is opened for: its words and its first button. It can be used for the other as well. */
export type BoxKind = 'comment' | 'inline';

const boxes: Readonly<Record<BoxKind, vscode.CommentOptions>> = {
  comment: { prompt: 'Comment for the agent', placeHolder: 'What should be different here?' },
  inline: {
    prompt: 'Tell Deft what should be different',
    placeHolder: 'What should Deft change here? Ctrl+Enter asks.',
  },
};

const controllerId = 'deft-review';
/** VS Code asks where comments can be made, and takes the answer to its editor a moment later. */
const askedMs = 2_000;
const takenMs = 400;

export function createCommentThreads(services: CommentThreadServices): CommentThreads {
  return new Threads(services);
}

class Threads implements CommentThreads {
  readonly #services: CommentThreadServices;
  readonly #controller: vscode.CommentController;
  readonly #threads = new Set<DraftThread>();
  readonly #sessions = new Map<string, SessionComments>();
  /** Messages that wait in a session's queue, with the comments in them. */
  readonly #queued = new Map<string, readonly DraftThread[]>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Documents, with the time at which VS Code will have taken the answer. */
  readonly #asked = new Map<string, number>();
  readonly #asks = new vscode.EventEmitter<string>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: CommentThreadServices) {
    this.#services = services;
    this.#controller = vscode.comments.createCommentController(controllerId, 'Deft: review');
    this.#controller.options = boxes.comment;
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => {
        const key = document.uri.toString();
        if (!this.#asked.has(key)) this.#asked.set(key, Date.now() + takenMs);
        this.#asks.fire(key);
        return commentPlace(document.uri) === undefined
          ? []
          : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)];
      },
    };
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidOpenTextDocument((document) => {
        for (const thread of this.#of(document.uri)) thread.looked(linesOf(document));
      }),
    ];
  }

  drafts(): CommentDrafts {
    const drafts = [...this.#threads].filter(({ hasDrafts }) => hasDrafts);
    return { comments: drafts.length, files: new Set(drafts.map(({ place }) => place.path)).size };
  }

  async add(kind: BoxKind = 'comment'): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const { plans } = this.#services;
    if (kind === 'comment' && editor !== undefined && plans.waits(editor.document.uri))
      return void (await vscode.commands.executeCommand('workbench.action.addComment'));
    if (editor === undefined || commentPlace(editor.document.uri) === undefined)
      return inform('open a file of the workspace, or a diff of one, and put the cursor on the line.');
    await this.#isAsked(editor.document.uri.toString());
    this.#controller.options = boxes[kind];
    await vscode.commands.executeCommand('setContext', 'deft.inlineBox', kind === 'inline');
    await vscode.commands.executeCommand('workbench.action.addComment');
  }

  write({ thread: shown, text }: vscode.CommentReply): void {
    if (text.trim() === '') return;
    const place = commentPlace(shown.uri);
    const known = this.#find(shown);
    if (known === undefined && place === undefined) return shown.dispose();
    const thread = known ?? this.#added(new DraftThread(shown, place as CommentPlace, {}));
    thread.words = [...thread.words, text.trim()];
    thread.draw();
    this.#keep();
  }

  async send(): Promise<void> {
    const onPlans = this.#services.plans.comments();
    if (this.drafts().comments === 0)
      return inform(
        onPlans === 0
          ? 'there are no comments to send.'
          : `${counted(onPlans, 'comment')} on the plan ${onPlans === 1 ? 'goes' : 'go'} to the agent with your answer to it.`,
      );
    const chat = await this.#services.chat();
    const session = await chat.session();
    const drafts = [...this.#threads].filter(({ hasDrafts }) => hasDrafts);
    for (const thread of drafts) await look(thread);
    let last = highestId(session.surroundings.comments?.() ?? new Map());
    const comments = drafts.map((thread) => {
      const id = thread.sent?.session === session.id ? thread.sent.id : `c${++last}`;
      thread.sent = { session: session.id, id };
      thread.sending = true;
      thread.draw();
      return thread.comment(id, session.id);
    });
    this.#changed.fire();
    if (!(await chat.send(comments, session.id))) this.#notSent();
  }

  addFix(path: Path, anchor: LineAnchor, words: string, finding: FindingName): void {
    this.#create(uriOf(path), { path, before: false }, { anchor, words: [words], finding });
    this.#keep();
  }

  fixes(): readonly FindingName[] {
    return [...this.#threads].flatMap(({ words, finding }) => (words.length > 0 ? (finding ?? []) : []));
  }

  remove(shown: vscode.CommentThread): void {
    const thread = this.#find(shown);
    if (thread !== undefined) this.#threads.delete(thread);
    shown.dispose();
    this.#keep();
  }

  removeDrafts(): void {
    if (this.drafts().comments === 0) return inform('there are no comments to discard.');
    for (const thread of [...this.#threads].filter(({ hasDrafts }) => hasDrafts)) {
      thread.words = [];
      if (thread.exchange === undefined) this.remove(thread.shown);
      else thread.draw();
    }
    this.#keep();
  }

  restore(drafts: readonly StoredDraft[]): void {
    for (const { uri: text, start, end, quoted, outdated, words, finding } of drafts) {
      const uri = vscode.Uri.parse(text, true);
      const place = commentPlace(uri);
      if (place === undefined) continue;
      // What an editor only showed is gone: its file may have the lines.
      const target = uri.scheme === 'deft-proposed' ? uriOf(place.path) : uri;
      this.#create(target, place, { anchor: { start, end, quoted, outdated, lost: false }, words, finding });
    }
    this.#changed.fire();
  }

  opened(session: string, comments: SessionComments): void {
    this.#sessions.set(session, comments);
    for (const exchange of comments.values()) if (exchange.state !== 'resolved') this.#sync(session, exchange);
  }

  heard(event: SessionEvent): void {
    if (event.type === 'turn_idle') return this.#notSent();
    if (event.type !== 'record') return;
    const { record } = event;
    if (record.type === 'queue-operation') return this.#queuedBy(record);
    if (record.type !== 'user') return;
    const before: SessionComments = this.#sessions.get(record.sessionId) ?? new Map();
    const after = withRecord(before, record);
    if (after === before) return;
    this.#sessions.set(record.sessionId, after);
    for (const [id, exchange] of after)
      if (exchange !== before.get(id)) this.#sync(record.sessionId, exchange, record.display?.comments !== undefined);
    this.#keep();
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#controller.dispose();
    this.#changed.dispose();
    this.#asks.dispose();
  }

  /** `sent`: what was written is in the log now. */
  #sync(session: string, exchange: CommentExchange, sent = false): void {
    const { comment } = exchange;
    const known = [...this.#threads].find((one) => one.sent?.session === session && one.sent.id === comment.id);
    const thread = known ?? this.#made(comment);
    if (thread === undefined) return;
    thread.sent = { session, id: comment.id };
    thread.exchange = exchange;
    if (sent) {
      thread.words = [];
      thread.sending = false;
    }
    thread.draw();
    if (exchange.state === 'resolved') thread.shown.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  }

  /** For a comment that another window sent, or that was made before a reload. */
  #made({ path, before, start, end, quoted, outdated }: ReviewComment): DraftThread | undefined {
    // The text before a change is not there any more.
    if (before === true) return undefined;
    const lines = quoted.split('\n');
    return this.#create(
      uriOf(path),
      { path, before: false },
      {
        anchor: { start: start - 1, end, quoted: lines, outdated: outdated === true, lost: false },
      },
    );
  }

  #create(uri: vscode.Uri, place: CommentPlace, from: ThreadStart): DraftThread {
    const { start = 0, end = 1 } = from.anchor ?? {};
    const shown = this.#controller.createCommentThread(
      uri,
      new vscode.Range(start, 0, Math.max(start, end - 1), 0),
      [],
    );
    shown.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    return this.#added(new DraftThread(shown, place, from));
  }

  #added(thread: DraftThread): DraftThread {
    this.#threads.add(thread);
    return thread;
  }

  #find(shown: vscode.CommentThread): DraftThread | undefined {
    return [...this.#threads].find((thread) => thread.shown === shown);
  }

  #of(uri: vscode.Uri): DraftThread[] {
    const key = uri.toString();
    return [...this.#threads].filter(({ shown }) => shown.uri.toString() === key);
  }

  #edited(event: vscode.TextDocumentChangeEvent): void {
    const { document } = event;
    if (event.contentChanges.length === 0) return;
    const threads = this.#of(document.uri);
    if (threads.length === 0) return;
    const edits = lineEditsOf(event);
    for (const thread of threads) thread.edited(edits, document);
    if (threads.some(({ hasDrafts }) => hasDrafts)) this.#services.keep(this.#stored());
  }

  #queuedBy({ operation, messageId, display }: Extract<SessionRecord, { type: 'queue-operation' }>): void {
    if (operation === 'enqueue') {
      const ids = new Set(display?.comments?.map(({ id }) => id));
      const threads = [...this.#threads].filter(
        ({ sending, sent }) => sending && sent !== undefined && ids.has(sent.id),
      );
      if (threads.length > 0) this.#queued.set(messageId, threads);
      return;
    }
    const threads = this.#queued.get(messageId) ?? [];
    this.#queued.delete(messageId);
    if (operation === 'remove') this.#draftsAgain(threads);
  }

  /** A turn is over, and neither log nor queue has what was to be sent. */
  #notSent(): void {
    const queued = new Set([...this.#queued.values()].flat());
    this.#draftsAgain([...this.#threads].filter((thread) => thread.sending && !queued.has(thread)));
  }

  #draftsAgain(threads: readonly DraftThread[]): void {
    if (threads.length === 0) return;
    for (const thread of threads) {
      thread.sending = false;
      thread.draw();
    }
    this.#keep();
  }

  #stored(): StoredDraft[] {
    return [...this.#threads].filter(({ words }) => words.length > 0).map((thread) => thread.stored());
  }

  #keep(): void {
    this.#services.keep(this.#stored());
    this.#changed.fire();
  }

  /** A box can be opened only where VS Code has asked about the document, and knows the answer. */
  async #isAsked(uri: string): Promise<void> {
    if (!this.#asked.has(uri))
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          subscription.dispose();
          resolve();
        };
        const timer = setTimeout(done, askedMs);
        const subscription = this.#asks.event((asked) => asked === uri && done());
      });
    const left = (this.#asked.get(uri) ?? 0) - Date.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  }
}

/** The file may have changed while no editor had it. */
async function look(thread: DraftThread): Promise<void> {
  const { shown, place } = thread;
  if (openDocumentOf(shown.uri) !== undefined || place.before) return;
  const document = await vscode.workspace.openTextDocument(uriOf(place.path)).then(
    (opened) => opened,
    () => undefined,
  );
  thread.looked(document && linesOf(document));
}

function highestId(comments: SessionComments): number {
  return [...comments.keys()].reduce((highest, id) => Math.max(highest, Number(/^c(\d+)$/.exec(id)?.[1] ?? 0)), 0);
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
