// Opens a file for its language server, unseen, and waits until that server answers for the first time.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../core/errors';
import { type Path } from '../../core/ports';
import { languageExtensions } from '../diagnostics/language-servers';
import { uriOf } from '../files/uri-path';

export interface AwakeDocument {
  document: vscode.TextDocument;
  /** Some extension looks after this language. */
  served: boolean;
  /** The server began to answer just now: an empty answer may only mean that it still reads the project. */
  fresh: boolean;
}

export interface DocumentOpener {
  open(path: Path, signal: AbortSignal): Promise<AwakeDocument | { message: string }>;
}

const pollMs = 200;
/** A file without symbols never wakes its server: after this time it is asked all the same. */
const wakeMs = 5_000;
/** How long empty answers of a fresh server are not believed. */
const freshMs = 3_000;

export function createDocumentOpener(): DocumentOpener {
  const awake = new Set<string>();
  return {
    async open(path, signal) {
      let document: vscode.TextDocument;
      try {
        document = await vscode.workspace.openTextDocument(uriOf(path));
      } catch (error) {
        return { message: `${path} cannot be opened as text: ${messageOf(error)}` };
      }
      const { languageId, uri } = document;
      const extensions = languageExtensions(vscode.extensions.all, languageId);
      const opened = { document, served: extensions.length > 0, fresh: !awake.has(languageId) };
      if (!opened.served || !opened.fresh) return opened;
      // Opening the document activates them too, but tells nobody when.
      await Promise.allSettled(extensions.map((extension) => extension.activate()));
      const symbols = await untilFilled(() => vscode.commands.executeCommand<unknown[] | undefined>('vscode.executeDocumentSymbolProvider', uri), wakeMs, signal);
      if ((symbols?.length ?? 0) > 0) awake.add(languageId);
      return opened;
    },
  };
}

/** Asks again while a fresh server answers with nothing. */
export function askAwake<Item>({ fresh, served }: AwakeDocument, ask: () => PromiseLike<Item[] | undefined>, signal: AbortSignal): Promise<Item[]> {
  return untilFilled(ask, fresh && served ? freshMs : 0, signal);
}

async function untilFilled<Item>(ask: () => PromiseLike<Item[] | undefined>, milliseconds: number, signal: AbortSignal): Promise<Item[]> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const answer = (await ask()) ?? [];
    signal.throwIfAborted();
    if (answer.length > 0 || Date.now() >= end) return answer;
    await delay(pollMs, undefined, { signal });
  }
}
