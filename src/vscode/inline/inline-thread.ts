// One question at the cursor: what the user asked, what becomes of it, and how VS Code's thread shows that.
import * as vscode from 'vscode';
import { capHunks } from '../../core/edits/diff-view';
import { anchorAfter, anchorAt, type LineAnchor } from '../../core/edits/line-anchor';
import { type ApprovalRequest } from '../../core/ports/approver';
import { type Path } from '../../core/ports/path';
import { type InlineEdit } from '../../core/prompt/inline-prompt';
import { fenced } from '../../shared/plain-markdown';
import { type ToolView } from '../../shared/tool-view';
import { lineEditsOf, linesOf } from '../comments/comment-places';

/** `over`: the turn has ended, and its answer, or why there is none, stays until the user closes it. */
export type InlineState = 'sending' | 'queued' | 'works' | 'asks' | 'over';

const labels: Readonly<Record<InlineState, string>> = {
  sending: 'On its way to the agent',
  queued: 'Queued: the chat works on something else',
  works: 'Deft works on it',
  asks: 'Proposed change',
  over: 'Deft has answered',
};

/** Lines of a proposal that the thread shows; the diff has all of them. */
const maxShownLines = 40;

export class InlineThread {
  readonly shown: vscode.CommentThread;
  readonly path: Path;
  anchor: LineAnchor;
  state: InlineState = 'sending';
  /** Of the message on its way, or answered last. */
  id = '';
  /** Where the message waits in the session's queue. */
  messageId: string | undefined;
  /** The turn is about this and nothing else. */
  ownTurn = false;
  request: ApprovalRequest | undefined;
  /** What waits for the user elsewhere: its title. */
  elsewhere: string | undefined;
  /** The file was changed in this turn. */
  edited = false;
  /** What the agent said last. */
  answer = '';
  readonly #said: { by: 'user' | 'agent'; text: string }[] = [];

  constructor(shown: vscode.CommentThread, path: Path, document: vscode.TextDocument, at: LineAnchor | undefined) {
    this.shown = shown;
    this.path = path;
    const { start, end } = shown.range ?? new vscode.Range(0, 0, 0, 0);
    // A selection up to the start of a line is without that line.
    const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    this.anchor = at ?? anchorAt(linesOf(document), start.line, last);
  }

  followed(event: vscode.TextDocumentChangeEvent): void {
    this.anchor = anchorAfter(this.anchor, lineEditsOf(event), linesOf(event.document));
  }

  /** The next message about these lines as they are now. */
  asks(words: string, id: string, document: vscode.TextDocument): InlineEdit {
    const lines = linesOf(document);
    this.anchor = anchorAt(lines, this.anchor.start, this.anchor.end);
    Object.assign(this, { id, state: 'sending', messageId: undefined, ownTurn: false, edited: false, answer: '' });
    this.say('user', words);
    const { start, end, quoted } = this.anchor;
    return { id, path: this.path, start: start + 1, end, quoted: quoted.join('\n') };
  }

  say(by: 'user' | 'agent', text: string): void {
    this.#said.push({ by, text });
    this.draw();
  }

  /** The turn has ended without an edit here. */
  over(text: string): void {
    this.request = undefined;
    this.state = 'over';
    this.say('agent', text);
  }

  turn(state: InlineState): void {
    this.state = state;
    this.draw();
  }

  draw(): void {
    this.shown.comments = [
      ...this.#said.map(({ by, text }) => comment(by, by === 'user' ? text : new vscode.MarkdownString(text))),
      ...(this.request === undefined ? [] : [comment('agent', proposed(this.request))]),
    ];
    this.shown.label =
      this.elsewhere === undefined ? labels[this.state] : `Waits for you in the chat: ${this.elsewhere}`;
    this.shown.contextValue = `inline-${this.state}`;
    this.shown.canReply = this.state === 'asks' || this.state === 'over';
    this.shown.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }
}

function comment(by: 'user' | 'agent', body: string | vscode.MarkdownString): vscode.Comment {
  return { body, mode: vscode.CommentMode.Preview, author: { name: by === 'user' ? 'You' : 'Deft' } };
}

/** The lines of a file are in a block of code, where they are nothing but text; of the links only these commands work. */
function proposed({ id, title, view }: ApprovalRequest): vscode.MarkdownString {
  const argument = encodeURIComponent(JSON.stringify([id]));
  const link = (words: string, command: string): string => `[${words}](command:${command}?${argument})`;
  const text = new vscode.MarkdownString('', true);
  text.appendText(title);
  text.appendMarkdown(`\n\n${fenced(...shownDiff(view))}\n\n`);
  text.appendMarkdown(
    [
      link('$(check) Accept', 'deft.acceptInline'),
      link('$(close) Reject', 'deft.rejectInline'),
      link('$(diff) Open Diff', 'deft.diffInline'),
    ].join(' &nbsp; '),
  );
  text.isTrusted = { enabledCommands: ['deft.acceptInline', 'deft.rejectInline', 'deft.diffInline'] };
  return text;
}

function shownDiff(view: ToolView): [text: string, language: string] {
  if (view.kind !== 'diff') return ['The diff shows it.', 'text'];
  const { hunks, truncated } = capHunks(view.hunks, maxShownLines);
  const lines = hunks.map((hunk) => hunk.lines.join('\n')).join('\n@@\n');
  return [truncated || view.truncated ? `${lines}\n@@ The diff shows the rest. @@` : lines, 'diff'];
}
