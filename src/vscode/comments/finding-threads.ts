// What reviews have found, as threads at the lines: to be fixed, or called no problem.
import * as vscode from 'vscode';
import { anchorAfter, anchorAt, anchorIn, type LineAnchor } from '../../core/edits/line-anchor';
import { type SessionEvent } from '../../core/events/session-event';
import {
  type DismissedFinding,
  type Finding,
  isSameFinding,
  type SessionFindings,
  withFindings,
} from '../../core/tool/session-findings';
import { shortened } from '../../shared/cut-text';
import { pathOf, uriOf } from '../host/uri-path';
import { lineEditsOf, linesOf } from './comment-places';
import { openDocumentOf, type FindingName } from './comment-thread';
import { type CommentDrafts, type CommentThreads } from './comment-threads';

export interface FindingServices {
  dismissed(): readonly DismissedFinding[];
  /** Kept with the workspace. */
  dismiss(all: readonly DismissedFinding[]): void;
  drafts: Pick<CommentThreads, 'addFix' | 'fixes' | 'onDidChange'>;
}

export interface FindingThreads extends vscode.Disposable {
  counts(): CommentDrafts;
  readonly onDidChange: vscode.Event<void>;
  opened(session: string, findings: SessionFindings): void;
  heard(event: SessionEvent): void;
  /** A draft of a comment asks for it; all of them without a thread. */
  fix(thread?: vscode.CommentThread): void;
  dismiss(thread: vscode.CommentThread): void;
  /** The user picks what is to be shown again. */
  forget(): Promise<void>;
  /** Goes to the next one behind the cursor, over all files. */
  next(): Promise<void>;
}

interface Shown {
  finding: Finding;
  name: FindingName;
  thread: vscode.CommentThread;
  anchor: LineAnchor;
  lines: readonly string[] | undefined;
}

export function createFindingThreads(services: FindingServices): FindingThreads {
  return new Findings(services);
}

class Findings implements FindingThreads {
  readonly #services: FindingServices;
  readonly #controller = vscode.comments.createCommentController('deft-findings', 'Deft: findings');
  readonly #sessions = new Map<string, SessionFindings>();
  #shown: Shown[] = [];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: FindingServices) {
    this.#services = services;
    this.#subscriptions = [
      services.drafts.onDidChange(() => this.#sync()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#of(document).forEach((one) => look(one, document))),
    ];
  }

  counts(): CommentDrafts {
    return { comments: this.#shown.length, files: new Set(this.#shown.map(({ finding }) => finding.path)).size };
  }

  opened(session: string, findings: SessionFindings): void {
    this.#sessions.set(session, findings);
    this.#sync();
  }

  heard(event: SessionEvent): void {
    if (event.type !== 'record') return;
    const { sessionId } = event.record as { sessionId?: string };
    if (sessionId === undefined) return;
    const before: SessionFindings = this.#sessions.get(sessionId) ?? new Map();
    const after = withFindings(before, event.record);
    if (after !== before) this.opened(sessionId, after);
  }

  fix(thread?: vscode.CommentThread): void {
    for (const one of this.#shown.filter((other) => thread === undefined || other.thread === thread)) {
      const { finding, anchor, name } = one;
      this.#services.drafts.addFix(finding.path, anchor, wordsOf(finding), name);
    }
    this.#sync();
  }

  dismiss(thread: vscode.CommentThread): void {
    const one = this.#shown.find((other) => other.thread === thread);
    if (one === undefined) return thread.dispose();
    const { path, kind, quoted } = one.finding;
    this.#services.dismiss([...this.#services.dismissed(), { path, kind, quoted }]);
    this.#sync();
  }

  async forget(): Promise<void> {
    const all = this.#services.dismissed();
    if (all.length === 0)
      return void vscode.window.showInformationMessage('Deft: you have called no finding "not a problem" here.');
    const rows = all.map((one) => ({
      label: one.kind,
      description: vscode.workspace.asRelativePath(uriOf(one.path)),
      detail: shortened(one.quoted.trim(), 120),
      one,
    }));
    const picked = await vscode.window.showQuickPick(rows, {
      canPickMany: true,
      title: 'Findings that you have called "not a problem"',
      placeHolder: 'Pick those that Deft may report again',
    });
    if (picked === undefined || picked.length === 0) return;
    const again = new Set(picked.map(({ one }) => one));
    this.#services.dismiss(this.#services.dismissed().filter((one) => !again.has(one)));
    this.#sync();
  }

  async next(): Promise<void> {
    const inOrder = [...this.#shown].sort(
      (one, other) => one.finding.path.localeCompare(other.finding.path) || one.anchor.start - other.anchor.start,
    );
    const editor = vscode.window.activeTextEditor;
    const path = editor && pathOf(editor.document.uri);
    const behind = inOrder.find(
      ({ finding, anchor }) =>
        path !== undefined &&
        editor !== undefined &&
        (finding.path === path ? anchor.start > editor.selection.active.line : finding.path > path),
    );
    const one = behind ?? inOrder[0];
    if (one === undefined) return void vscode.window.showInformationMessage('Deft: there are no findings.');
    const start = new vscode.Position(one.anchor.start, 0);
    await vscode.window.showTextDocument(uriOf(one.finding.path), { selection: new vscode.Range(start, start) });
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#controller.dispose();
    this.#changed.dispose();
  }

  /** Those of all sessions that are open here, without what was dismissed or is a draft already. */
  #sync(): void {
    const dismissed = this.#services.dismissed();
    const fixes = this.#services.drafts.fixes();
    const wanted = [...this.#sessions].flatMap(([session, findings]) =>
      [...findings.values()]
        .filter((finding) => !dismissed.some((other) => isSameFinding(finding, other)))
        .filter(({ id }) => !fixes.some((fix) => fix.session === session && fix.id === id))
        .map((finding) => ({ session, finding })),
    );
    const kept = this.#shown.filter(({ finding }) => wanted.some((one) => one.finding === finding));
    const isKept = (one: Finding): boolean => kept.some(({ finding }) => finding === one);
    const gone = this.#shown.filter((one) => !kept.includes(one));
    const added = wanted.filter(({ finding }) => !isKept(finding));
    if (gone.length === 0 && added.length === 0) return;
    gone.forEach(({ thread }) => thread.dispose());
    this.#shown = [...kept, ...added.map(({ session, finding }) => this.#create(session, finding))];
    this.#changed.fire();
  }

  #create(session: string, finding: Finding): Shown {
    const { path, start, end, quoted, id } = finding;
    const uri = uriOf(path);
    const thread = this.#controller.createCommentThread(uri, new vscode.Range(start - 1, 0, end - 1, 0), []);
    thread.canReply = false;
    thread.contextValue = 'finding';
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const anchor = { ...anchorAt([], 0, 1), start: start - 1, end, quoted: quoted.split('\n') };
    const shown: Shown = { finding, name: { session, id }, thread, anchor, lines: undefined };
    const document = openDocumentOf(uri);
    if (document === undefined) draw(shown);
    else look(shown, document);
    return shown;
  }

  #edited(event: vscode.TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0) return;
    const edits = lineEditsOf(event);
    for (const one of this.#of(event.document)) {
      one.lines = linesOf(event.document);
      one.anchor = anchorAfter(one.anchor, edits, one.lines);
      draw(one);
    }
  }

  #of({ uri }: vscode.TextDocument): Shown[] {
    const key = uri.toString();
    return this.#shown.filter(({ thread }) => thread.uri.toString() === key);
  }
}

/** The text as it is now, whoever changed it while nobody looked. */
function look(shown: Shown, document: vscode.TextDocument): void {
  const lines = linesOf(document);
  const { anchor } = shown;
  const isThere = anchor.quoted.every((line, at) => lines[anchor.start + at] === line);
  shown.anchor = isThere && !anchor.lost ? { ...anchor, outdated: false } : anchorIn(anchor, lines, shown.lines);
  shown.lines = lines;
  draw(shown);
}

function draw({ finding, thread, anchor }: Shown): void {
  const { kind, severity, problem, fix } = finding;
  const first = anchor.quoted.find((line) => line.trim() !== '')?.trim() ?? '';
  const label = `${severity === 'high' ? 'High' : severity === 'medium' ? 'Medium' : 'Low'}: ${kind}`;
  const shown = anchor.outdated ? `${label} · Outdated, was: ${shortened(first, 60)}` : label;
  if (thread.label === shown) return;
  thread.label = shown;
  const text = fix === undefined ? problem : `${problem}\n\nFix: ${fix}`;
  // Markdown of a model: it runs nothing and draws no HTML.
  const body = new vscode.MarkdownString(text);
  thread.comments = [{ body, mode: vscode.CommentMode.Preview, author: { name: 'Deft' } }];
}

function wordsOf({ problem, fix }: Finding): string {
  return fix === undefined ? `Fix this: ${problem}` : `Fix this: ${problem}\nSuggested: ${fix}`;
}
