// One thread of comments: its lines, what was said in it, and how VS Code shows that.
import * as vscode from 'vscode';
import { anchorAfter, anchorAt, anchorIn, type LineAnchor, type LineEdit } from '../../core/edits/line-anchor';
import { type CommentExchange } from '../../core/tool/session-comments';
import { type ReviewComment } from '../../shared/review-comment';
import { shortened } from '../../shared/cut-text';
import { type CommentPlace, linesOf } from './comment-places';

/** As it is kept over a reload. */
export interface StoredDraft {
  uri: string;
  start: number;
  end: number;
  quoted: string[];
  outdated: boolean;
  words: string[];
  finding?: FindingName;
}

/** What a review found, where the comment asks to fix that. */
export interface FindingName {
  session: string;
  id: string;
}

/** Of one that was there before. */
export interface ThreadStart {
  anchor?: LineAnchor;
  words?: string[];
  finding?: FindingName | undefined;
}

export class DraftThread {
  readonly shown: vscode.CommentThread;
  readonly place: CommentPlace;
  anchor: LineAnchor;
  /** Written, not sent. */
  words: string[];
  /** They are on their way, and in no log yet. */
  sending = false;
  /** The session that has it, and its id there. */
  sent: { session: string; id: string } | undefined;
  exchange: CommentExchange | undefined;
  readonly finding: FindingName | undefined;
  /** The text that the anchor is about; undefined where nobody has seen it since a reload. */
  #lines: readonly string[] | undefined;

  constructor(shown: vscode.CommentThread, place: CommentPlace, from: ThreadStart) {
    this.shown = shown;
    this.place = place;
    this.words = from.words ?? [];
    this.finding = from.finding;
    const document = openDocumentOf(shown.uri);
    this.#lines = document && linesOf(document);
    const { start, end } = shown.range ?? new vscode.Range(0, 0, 0, 0);
    const asked = anchorAt(this.#lines ?? [''], start.line, end.line + 1);
    this.anchor = from.anchor === undefined ? asked : this.#found(from.anchor, undefined);
    this.draw();
  }

  get hasDrafts(): boolean {
    return this.words.length > 0 && !this.sending;
  }

  /** Something was typed, or VS Code has read the file anew. */
  edited(edits: readonly LineEdit[], document: vscode.TextDocument): void {
    const lines = linesOf(document);
    const before = this.anchor;
    this.anchor = anchorAfter(this.anchor, edits, lines);
    this.#lines = lines;
    if (before.outdated !== this.anchor.outdated) this.draw();
  }

  /** The text as it is now, whoever changed it while nobody looked. */
  looked(lines: readonly string[] | undefined): void {
    this.anchor =
      lines === undefined ? { ...this.anchor, outdated: true } : this.#found(this.anchor, this.#lines, lines);
    if (lines !== undefined) this.#lines = lines;
    this.draw();
  }

  /** As it goes to this session. */
  comment(id: string, session: string): ReviewComment {
    const { start, end, quoted, outdated } = this.anchor;
    return {
      id,
      path: this.place.path,
      ...(this.place.before ? { before: true as const } : {}),
      start: start + 1,
      end,
      quoted: quoted.join('\n'),
      words: this.words.join('\n\n'),
      ...(outdated ? { outdated: true as const } : {}),
      ...(this.finding?.session === session ? { finding: this.finding.id } : {}),
    };
  }

  stored(): StoredDraft {
    const { start, end, quoted, outdated } = this.anchor;
    return {
      uri: this.shown.uri.toString(),
      start,
      end,
      quoted: [...quoted],
      outdated,
      words: this.words,
      ...(this.finding && { finding: this.finding }),
    };
  }

  draw(): void {
    const said = this.exchange?.said ?? [];
    this.shown.comments = [
      ...said.map(({ by, text, action }) =>
        by === 'user' ? written(text) : answered(text === '' && action === 'resolve' ? 'Resolved.' : text),
      ),
      ...this.words.map((words) => ({
        ...written(words),
        label: this.sending ? 'Sending' : 'Draft',
        contextValue: 'draft',
      })),
    ];
    const isResolved = this.exchange?.state === 'resolved' && this.words.length === 0;
    this.shown.state = isResolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
    this.shown.contextValue = this.hasDrafts ? 'draft' : (this.exchange?.state ?? 'empty');
    this.shown.label = this.#label();
  }

  #label(): string {
    const state = this.exchange?.state;
    const words =
      this.words.length > 0
        ? this.sending
          ? 'On its way to the agent'
          : 'Draft: not sent yet'
        : state === undefined
          ? 'Comment for the agent'
          : { open: 'Sent to the agent', answered: 'Answered', resolved: 'Resolved', disagreed: 'The agent disagrees' }[
              state
            ];
    const first = this.anchor.quoted.find((line) => line.trim() !== '')?.trim() ?? '';
    return this.anchor.outdated ? `${words} · Outdated, was: ${shortened(first, 60)}` : words;
  }

  #found(
    anchor: LineAnchor,
    before: readonly string[] | undefined,
    now: readonly string[] | undefined = this.#lines,
  ): LineAnchor {
    return now === undefined ? anchor : anchorIn(anchor, now, before);
  }
}

export function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

function written(body: string): vscode.Comment {
  return { body, mode: vscode.CommentMode.Preview, author: { name: 'You' } };
}

/** Markdown of a model: it runs nothing and draws no HTML. */
function answered(text: string): vscode.Comment {
  return { body: new vscode.MarkdownString(text), mode: vscode.CommentMode.Preview, author: { name: 'Deft' } };
}
