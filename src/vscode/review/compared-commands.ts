// Keep and Undo for a whole file and for all files that are compared with an earlier point, and the rows in the editor that offer them.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { filePathOf, uriOf } from '../host/uri-path';
import { complain, nameOf, sayNothingThere } from './change-commands';
import { type ComparedFiles } from './compared-files';
import { type UndoOutcome } from './undo-changes';

export interface ComparedServices {
  compared: ComparedFiles;
  /** What waits for review in this file. */
  waiting: {
    has(path: Path): boolean;
    keep(path: Path): void;
    undo(path: Path): Promise<UndoOutcome[]>;
  };
  undone(path: Path): void;
}

/** By the full names of the commands. Without a URI they mean the file of the editor in front. */
export function comparedCommands(services: ComparedServices): Record<string, (uri?: unknown) => Promise<void>> {
  const { compared } = services;
  return {
    'deft.keepFile': async (uri) => {
      const path = pathMeant(uri);
      if (path === undefined || !(await keepFile(path, services))) sayNothingThere();
    },
    'deft.undoFile': async (uri) => {
      const path = pathMeant(uri);
      const outcomes = path === undefined ? [] : await undoFile(path, services);
      if (outcomes.length === 0) sayNothingThere();
      complain(outcomes);
    },
    'deft.keepReview': async () => {
      const paths = compared.paths();
      if (paths.length === 0) return sayNothingThere();
      for (const path of paths) await keepFile(path, services);
    },
    'deft.undoReview': async () => {
      const paths = compared.paths();
      if (paths.length === 0) return sayNothingThere();
      if (!(await confirmUndo(paths))) return;
      const outcomes: UndoOutcome[] = [];
      for (const path of paths) outcomes.push(...(await undoFile(path, services)));
      complain(outcomes);
    },
  };
}

async function keepFile(path: Path, { compared, waiting }: ComparedServices): Promise<boolean> {
  const waited = waiting.has(path);
  if (waited) waiting.keep(path);
  return (await compared.keepFile(path)) || waited;
}

/** What waits for review is undone by the rules of that, which ask about what the user typed; the rest of the file follows. */
async function undoFile(path: Path, { compared, waiting, undone }: ComparedServices): Promise<UndoOutcome[]> {
  const outcomes = waiting.has(path) ? await waiting.undo(path) : [];
  if (outcomes.some(({ outcome }) => outcome !== 'undone')) return outcomes;
  const outcome = await compared.undoFile(path);
  if (outcome === undefined) return outcomes;
  if (outcome.outcome === 'undone') undone(path);
  return [outcome];
}

async function confirmUndo(paths: readonly Path[]): Promise<boolean> {
  const go = 'Undo All';
  const [only = ''] = paths;
  const what = paths.length === 1 ? nameOf(uriOf(only)) : `${paths.length} files`;
  const answer = await vscode.window.showWarningMessage(
    `Undo all changes of ${what} that this review shows?`,
    { modal: true, detail: 'They become what they were at the point that you chose, whoever changed them since.' },
    go,
  );
  return answer === go;
}

function pathMeant(uri: unknown): Path | undefined {
  if (uri instanceof vscode.Uri) return filePathOf(uri);
  const active = vscode.window.activeTextEditor?.document.uri;
  return active === undefined ? undefined : filePathOf(active);
}

/** Behind the row of the first of several changes: what is ahead of it may be folded away. */
export function fileLenses(document: vscode.TextDocument, compared: ComparedFiles): vscode.CodeLens[] {
  const changes = compared.hunksOf(document.uri);
  const [first] = changes;
  if (first === undefined || changes.length === 1) return [];
  const { range } = document.lineAt(Math.min(first.newStart, document.lineCount - 1));
  return [
    {
      title: `$(check-all) Keep file (${changes.length} changes)`,
      tooltip: 'Keep all changes of this file',
      command: 'deft.keepFile',
    },
    { title: '$(discard) Undo file', tooltip: 'Undo all changes of this file', command: 'deft.undoFile' },
  ].map((command) => new vscode.CodeLens(range, { ...command, arguments: [document.uri] }));
}
