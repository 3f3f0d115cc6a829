// Opens a file for its language server, unseen, and waits until that server answers for the first time.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type Path } from '../../core/ports/path';
import { languageExtensions } from '../diagnostics/language-servers';
import { uriOf } from '../host/uri-path';
import { saysLoading } from './provider-answers';

export interface AwakeDocument {
  document: vscode.TextDocument;
  /** Some extension looks after this language. */
  served: boolean;
  /** No server of this language has answered before this question: an empty answer may only mean that it still starts. */
  fresh: boolean;
}

export interface DocumentOpener {
  open(path: Path, signal: AbortSignal): Promise<AwakeDocument | { message: string }>;
  /** Its server has said nothing at all so far. */
  isStarting(awake: AwakeDocument): boolean;
  /** Waits while a server says that it still reads the project; false where it has not ended in time. */
  hasReadProject(awake: AwakeDocument, position: vscode.Position, signal: AbortSignal): Promise<boolean>;
  /** Asks again while a fresh server answers with nothing. */
  ask<Item>(
    awake: AwakeDocument,
    question: () => PromiseLike<Item[] | undefined>,
    signal: AbortSignal,
  ): Promise<Item[]>;
}

const pollMs = 200;
/** A file without symbols never wakes its server: after this time it is asked all the same. */
const wakeMs = 5_000;
/** How long empty answers of a fresh server are not believed. */
const freshMs = 3_000;
/** A server that has said nothing for so long after its first file was opened is not waited for any more. */
const startMs = 60_000;
/** Small projects are read within seconds; for larger ones the model is informed. Shorter than the time that the tool has. */
const readMs = 7_000;
/** Their server says in a hover that it still reads the project; in other languages the same words may be the hover itself. */
const loadingLanguages: ReadonlySet<string> = new Set([
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
]);

export function createDocumentOpener(): DocumentOpener {
  const awake = new Set<string>();
  const firstOpened = new Map<string, number>();
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
      const since = firstOpened.get(languageId) ?? Date.now();
      firstOpened.set(languageId, since);
      const opened = {
        document,
        served: extensions.length > 0,
        fresh: !awake.has(languageId) && Date.now() - since < startMs,
      };
      if (!opened.served || !opened.fresh) return opened;
      // Opening the document activates them too, but nothing reports when.
      await Promise.allSettled(extensions.map((extension) => extension.activate()));
      const symbols = await untilFilled(
        () => vscode.commands.executeCommand<unknown[] | undefined>('vscode.executeDocumentSymbolProvider', uri),
        wakeMs,
        signal,
      );
      if (symbols.length > 0) awake.add(languageId);
      return opened;
    },
    isStarting: ({ document, fresh, served }) => served && fresh && !awake.has(document.languageId),
    async hasReadProject({ document, served }, position, signal) {
      if (!served || !loadingLanguages.has(document.languageId)) return true;
      const end = Date.now() + readMs;
      for (let loading = false; ; loading = true) {
        const question = vscode.commands.executeCommand<vscode.Hover[] | undefined>(
          'vscode.executeHoverProvider',
          document.uri,
          position,
        );
        const hovers = await answerWithin(question, end - Date.now(), signal);
        signal.throwIfAborted();
        // A server that says nothing of it is asked the real question.
        if (hovers === 'late') return !loading;
        if (!saysLoading(hovers ?? [])) return true;
        if (Date.now() >= end) return false;
        await delay(pollMs, undefined, { signal });
      }
    },
    async ask({ document, fresh, served }, question, signal) {
      const answer = await untilFilled(question, fresh && served ? freshMs : 0, signal);
      if (answer.length > 0) awake.add(document.languageId);
      return answer;
    },
  };
}

async function untilFilled<Item>(
  ask: () => PromiseLike<Item[] | undefined>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Item[]> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const answer = (await ask()) ?? [];
    signal.throwIfAborted();
    if (answer.length > 0 || Date.now() >= end) return answer;
    await delay(pollMs, undefined, { signal });
  }
}

async function answerWithin<Answer>(
  answer: PromiseLike<Answer>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Answer | 'late'> {
  const answered = new AbortController();
  try {
    return await Promise.race([
      answer,
      delay(Math.max(0, milliseconds), 'late' as const, { signal: AbortSignal.any([signal, answered.signal]) }),
    ]);
  } finally {
    answered.abort();
  }
}
