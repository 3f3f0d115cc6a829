// Asks for edits once VS Code's documents are what the files are: a file that was just written is read again a moment later, and edits for its old text would damage it.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type FileSystem } from '../../core/ports/files';
import { filePathOf } from '../host/uri-path';
import { agreedAnswer } from './agreed-answer';

type Files = Pick<FileSystem, 'readText'>;

const maxRounds = 4;
const pollMs = 50;
/** Later than this a change is not seen any more. */
const followMs = 5_000;
const maxBytes = 5 * 1024 * 1024;

/** Undefined where answers keep changing. */
export async function settledAnswer<Answer>(
  ask: () => PromiseLike<Answer>,
  { key, urisOf }: { key: (answer: Answer) => string; urisOf: (answer: Answer) => readonly vscode.Uri[] },
  files: Files,
  signal: AbortSignal,
): Promise<{ answer: Answer } | undefined> {
  let last: string | undefined;
  for (let round = 0; round < maxRounds; round++) {
    await documentsFollow(files, signal);
    const found = await agreedAnswer(ask, key, signal);
    if (found === undefined) return undefined;
    const uris = urisOf(found.answer);
    // The server takes what is open from VS Code, and all else from a disk that it looks at now and then.
    const opened = uris.filter((uri) => documentOf(uri) === undefined);
    await Promise.all(opened.map((uri) => vscode.workspace.openTextDocument(uri).then(undefined, () => undefined)));
    if (opened.length === 0 || key(found.answer) === last) return found;
    last = key(found.answer);
  }
  return undefined;
}

/** Waits until no open document is older than its file. */
export async function documentsFollow(files: Files, signal: AbortSignal): Promise<void> {
  const end = Date.now() + followMs;
  let behind = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => !isClosed && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
  for (;;) {
    signal.throwIfAborted();
    const still = await Promise.all(
      behind.map(async (document) => ((await isBehind(document, files)) ? document : undefined)),
    );
    behind = still.filter((document) => document !== undefined);
    if (behind.length === 0 || Date.now() >= end) return;
    await delay(pollMs, undefined, { signal });
  }
}

async function isBehind(document: vscode.TextDocument, files: Files): Promise<boolean> {
  const path = filePathOf(document.uri);
  if (path === undefined || document.isDirty || document.isClosed) return false;
  const read = await files.readText(path, maxBytes);
  return read.outcome === 'read' && plain(read.file.text) !== plain(document.getText());
}

function plain(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}

export function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((open) => !open.isClosed && open.uri.toString() === uri.toString());
}
