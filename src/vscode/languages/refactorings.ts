// The Refactorings port in VS Code: what its providers would change, as data. Nothing is applied.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type FileSystem } from '../../core/ports/files';
import { type Diagnostic } from '../../core/ports/diagnostics';
import { type CodePosition, type LanguageAnswer } from '../../core/ports/languages';
import { type Path } from '../../core/ports/path';
import {
  type CodeFix,
  type FileReplacements,
  type Refactoring,
  type Refactorings,
} from '../../core/ports/refactorings';
import { isInTab } from '../files/open-documents';
import { filePathOf } from '../host/uri-path';
import { createDocumentOpener, type DocumentOpener } from './awake-document';
import { placeOf } from './provider-answers';
import { documentOf, documentsFollow, settledAnswer } from './settled-answer';
import { isScript, typeErrors } from '../diagnostics/typescript-server';

const run = vscode.commands.executeCommand;

interface Parts {
  opener: DocumentOpener;
  files: Pick<FileSystem, 'readText'>;
}

type Answer = LanguageAnswer<Refactoring>;

/** Actions whose edit is asked for, of each problem. */
const maxResolved = 8;

export function createRefactorings(files: Parts['files']): Refactorings {
  const parts: Parts = { opener: createDocumentOpener(), files };
  const named = createFixNames();
  return {
    rename: (at, newName, signal) => rename(at, newName, parts, signal),
    async organizeImports(path, signal) {
      const document = await opened(path, parts, signal);
      if (typeof document === 'string') return refused(document);
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const kind = vscode.CodeActionKind.SourceOrganizeImports;
      const found = await settledAnswer(() => actionsAt(document, whole, kind), ofActions, files, signal);
      if (found === undefined) return refused(unsettled(path));
      const action = found.answer.find(({ kind: own }) => own !== undefined && kind.contains(own));
      return action === undefined
        ? { outcome: 'none', message: `Nothing organizes the imports of ${path}.` }
        : answerOf(action.edit);
    },
    async format(path, signal) {
      const document = await opened(path, parts, signal);
      if (typeof document === 'string') return refused(document);
      const settings = vscode.workspace.getConfiguration('editor', document);
      const options: vscode.FormattingOptions = {
        tabSize: settings.get<number>('tabSize', 4),
        insertSpaces: settings.get<boolean>('insertSpaces', true),
      };
      const edits = await run<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatDocumentProvider',
        document.uri,
        options,
      );
      return edits === undefined || edits.length === 0
        ? refused(`${path} is formatted already, or there is no formatter for it.`)
        : { outcome: 'answer', value: { files: [{ path, edits, before: document.getText() }] } };
    },
    fixes: (problems, signal) => named.list(problems, parts, signal),
    fix: (id, signal) => named.find(id, parts, signal),
  };
}

async function rename(at: CodePosition, newName: string, parts: Parts, signal: AbortSignal): Promise<Answer> {
  const document = await opened(at.path, parts, signal);
  if (typeof document === 'string') return refused(document);
  const { uri } = document;
  const position = new vscode.Position(at.line - 1, at.column - 1);
  const says = (error: unknown): Answer => refused(`The language server refuses to rename this: ${messageOf(error)}`);
  try {
    const prepared = await run<{ range: vscode.Range } | undefined>('vscode.prepareRename', uri, position);
    // Servers take the nearest symbol for a keyword beside it.
    if (prepared?.range.contains(position) === false)
      return refused('The language server would rename something else than what is there.');
  } catch (error) {
    signal.throwIfAborted();
    // VS Code's words for an answer without a range, such as of a server that is still busy: the rename itself tells.
    if (messageOf(error) !== 'Unexpected type') return says(error);
  }
  try {
    const found = await settledAnswer(
      () => run<vscode.WorkspaceEdit | undefined>('vscode.executeDocumentRenameProvider', uri, position, newName),
      ofEdit,
      parts.files,
      signal,
    );
    if (found === undefined) return refused(unsettled(at.path));
    const answer = answerOf(found.answer);
    if (answer.outcome !== 'answer') return answer;
    const declaration = await declarationAt(uri, position);
    return { outcome: 'answer', value: { ...answer.value, ...(declaration === undefined ? {} : { declaration }) } };
  } catch (error) {
    signal.throwIfAborted();
    return says(error);
  }
}

async function declarationAt(uri: vscode.Uri, position: vscode.Position): Promise<CodePosition | undefined> {
  const found = await run<(vscode.Location | vscode.LocationLink)[] | undefined>(
    'vscode.executeDefinitionProvider',
    uri,
    position,
  );
  const [first] = found ?? [];
  return first && placeOf(first);
}

/** Open in the host, with its server awake and its project read; or why not. */
async function opened(
  path: Path,
  { opener, files }: Parts,
  signal: AbortSignal,
): Promise<vscode.TextDocument | string> {
  const awake = await opener.open(path, signal);
  if ('message' in awake) return awake.message;
  await documentsFollow(files, signal);
  if (isScript(path)) await typeErrors(path);
  signal.throwIfAborted();
  return awake.document;
}

function actionsAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: vscode.CodeActionKind,
): Thenable<vscode.CodeAction[]> {
  return run<vscode.CodeAction[] | undefined>(
    'vscode.executeCodeActionProvider',
    document.uri,
    range,
    kind.value,
    maxResolved,
  ).then((actions) => (actions ?? []).filter(({ disabled }) => disabled === undefined));
}

interface FixNames {
  list: (problems: readonly Diagnostic[], parts: Parts, signal: AbortSignal) => ReturnType<Refactorings['fixes']>;
  find: (id: string, parts: Parts, signal: AbortSignal) => Promise<Answer>;
}

/** Ids of quick fixes: where they are offered and what they are called. What they change is asked again when one is applied. */
function createFixNames(): FixNames {
  const ids = new Map<string, string>();
  const known = new Map<string, { path: Path; range: vscode.Range; title: string }>();
  return {
    async list(problems, parts, signal) {
      const fixes: CodeFix[] = [];
      const unseen = new Set<Path>();
      for (const problem of problems) {
        signal.throwIfAborted();
        const { path } = problem;
        const document = await opened(path, parts, signal);
        if (typeof document === 'string') continue;
        // TypeScript offers none for a file that no editor shows.
        if (isScript(path) && !isInTab(document)) {
          unseen.add(path);
          continue;
        }
        const range = rangeOf(document, problem);
        for (const { title } of (await actionsAt(document, range, vscode.CodeActionKind.QuickFix)).filter(
          changesText,
        )) {
          const key = JSON.stringify([path, range.start, range.end, title]);
          const id = ids.get(key) ?? `fix-${ids.size + 1}`;
          ids.set(key, id);
          known.set(id, { path, range, title });
          fixes.push({ id, title, problem });
        }
      }
      const notes =
        unseen.size === 0
          ? []
          : [`Quick fixes are known only for files that an editor shows; not for ${[...unseen].join(', ')}.`];
      return { fixes, notes };
    },
    async find(id, parts, signal) {
      const fix = known.get(id);
      if (fix === undefined) return refused(`There is no fix ${id}. Ask for the problems with fixes: true.`);
      const document = await opened(fix.path, parts, signal);
      if (typeof document === 'string') return refused(document);
      const ask = () => actionsAt(document, fix.range, vscode.CodeActionKind.QuickFix);
      const found = await settledAnswer(ask, ofActions, parts.files, signal);
      if (found === undefined) return refused(unsettled(fix.path));
      const action = found.answer.filter(changesText).find(({ title }) => title === fix.title);
      if (action === undefined)
        return refused(`“${fix.title}” is not offered any more: the code has changed. Ask for the problems again.`);
      const answer = answerOf(action.edit);
      return answer.outcome === 'answer' ? { outcome: 'answer', value: { ...answer.value, title: fix.title } } : answer;
    },
  };
}

function rangeOf({ uri }: vscode.TextDocument, { line, column, message }: Diagnostic): vscode.Range {
  const start = new vscode.Position(line - 1, column - 1);
  const own = vscode.languages
    .getDiagnostics(uri)
    .find((found) => found.message === message && found.range.start.isEqual(start));
  return own?.range ?? new vscode.Range(start, start);
}

/** Others only run a command. TypeScript's have one besides the edit, which tells its server that the fix was applied. */
function changesText({ edit }: vscode.CodeAction): boolean {
  return edit !== undefined && edit.size > 0;
}

/** Refuses what moves or deletes files. */
function answerOf(edit: vscode.WorkspaceEdit | undefined): Answer {
  const created = edit === undefined ? [] : createdFiles(edit);
  if (created === undefined) return refused('It also moves or deletes files, which is not supported here.');
  const files = new Map<Path, FileReplacements>();
  for (const uri of created) {
    const path = filePathOf(uri);
    if (path === undefined) return refused(`It also creates ${uri.toString(true)}, which is not a plain file.`);
    files.set(path, { path, edits: [], created: true });
  }
  for (const [uri, edits] of edit?.entries() ?? []) {
    const path = filePathOf(uri);
    if (path === undefined) return refused(`It also changes ${uri.toString(true)}, which is not a plain file.`);
    if (edits.some(({ newText }) => typeof newText !== 'string'))
      return refused('It inserts a snippet, which only an editor can.');
    const before = documentOf(uri)?.getText();
    const isNew = files.has(path);
    files.set(path, { path, edits, ...(isNew ? { created: true } : before === undefined ? {} : { before }) });
  }
  return { outcome: 'answer', value: { files: [...files.values()] } };
}

interface FileOperation {
  from?: vscode.Uri;
  to?: vscode.Uri;
  options?: { contents?: unknown };
}

/** entries() has texts alone, and nothing public tells of the rest. Undefined where it does something else with files. */
function createdFiles(edit: vscode.WorkspaceEdit): vscode.Uri[] | undefined {
  const all = (edit as { _allEntries?: () => readonly FileOperation[] })._allEntries?.() ?? [];
  const created: vscode.Uri[] = [];
  for (const { from, to, options } of all.filter((entry) => 'from' in entry || 'to' in entry)) {
    if (from !== undefined || to === undefined || options?.contents !== undefined) return undefined;
    created.push(to);
  }
  return created;
}

function keyOfEdit(edit: vscode.WorkspaceEdit | undefined): string {
  return JSON.stringify(edit?.entries().map(([uri, edits]) => [uri.toString(), edits]));
}

function urisOfEdit(edit: vscode.WorkspaceEdit | undefined): vscode.Uri[] {
  return edit?.entries().map(([uri]) => uri) ?? [];
}

export const ofEdit = { key: keyOfEdit, urisOf: urisOfEdit };

const ofActions = {
  key: (actions: readonly vscode.CodeAction[]) =>
    JSON.stringify(actions.map(({ title, edit }) => [title, keyOfEdit(edit)])),
  urisOf: (actions: readonly vscode.CodeAction[]) => actions.flatMap(({ edit }) => urisOfEdit(edit)),
};

function refused(message: string): Answer {
  return { outcome: 'refused', message };
}

function unsettled(path: Path): string {
  return `The language server is still loading the project of ${path}: its answers differ. Ask again later.`;
}
