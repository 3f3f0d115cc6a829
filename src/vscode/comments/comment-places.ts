// Where the user may comment: files of the workspace, and both sides of their diffs.
import * as vscode from 'vscode';
import { type LineEdit } from '../../core/edits/line-anchor';
import { type Path } from '../../core/ports/path';
import { pathOf, uriOf } from '../host/uri-path';

export interface CommentPlace {
  path: Path;
  /** It is a text from before the change. */
  before: boolean;
}

/** What other schemes show of a file. */
const sides: Readonly<Record<string, { before: boolean }>> = {
  'deft-original': { before: true },
  'deft-proposed': { before: false },
  git: { before: true },
};

/** Undefined where nobody comments: outputs, terminals, comments themselves, files elsewhere. */
export function commentPlace(uri: vscode.Uri): CommentPlace | undefined {
  const side = sides[uri.scheme];
  const path = pathOf(side === undefined ? uri : uri.with({ scheme: 'file', query: '', fragment: '' }));
  const file = uriOf(path);
  if (vscode.workspace.getWorkspaceFolder(file) === undefined) return undefined;
  if (side === undefined && file.toString() !== uri.toString()) return undefined;
  return { path, before: side?.before ?? false };
}

export function linesOf(document: vscode.TextDocument): string[] {
  return document.getText().split(/\r\n|\n|\r/);
}

/** From the last to the first: each then stands where it says. */
export function lineEditsOf({ contentChanges }: vscode.TextDocumentChangeEvent): LineEdit[] {
  return [...contentChanges]
    .sort((one, other) => other.range.start.compareTo(one.range.start))
    .map(({ range: { start, end }, text }) => ({
      startLine: start.line,
      startCharacter: start.character,
      endLine: end.line,
      endCharacter: end.character,
      text,
    }));
}
