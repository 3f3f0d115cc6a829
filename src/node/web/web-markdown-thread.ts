// Converts a page in a thread of its own: some pages take minutes, and nothing else in the process waits for them.
import { Worker } from 'node:worker_threads';
import { type WebClient } from '../../core/ports/web';
import { letEnd } from '../end-worker';

/** A megabyte of an ordinary page takes one second. */
const defaultTimeoutMs = 15_000;
const maxMegabytes = 512;

/** `file` is the built worker. */
export function markdownInThread(file: string, timeoutMs = defaultTimeoutMs): WebClient['toMarkdown'] {
  return async (html, url, signal) => {
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const worker = new Worker(file, {
      workerData: { html, url },
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    const either = AbortSignal.any([signal, deadline]);
    const markdown = await new Promise<string | undefined>((done) => {
      // Nested too deep, too much memory, no such file: the caller says that the page could not be converted.
      worker
        .once('message', done)
        .once('error', () => done(undefined))
        .once('exit', () => done(undefined));
      either.addEventListener('abort', () => done(undefined), { once: true });
    });
    if (either.aborted) await worker.terminate();
    else letEnd(worker);
    signal.throwIfAborted();
    return markdown;
  };
}
