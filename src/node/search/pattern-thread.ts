// Matches a model's pattern in a thread of its own: `(a+)+$` may take years, and nothing else in the process waits for it.
import { Worker } from 'node:worker_threads';
import { type OpenPattern } from '../../core/search/pattern-matcher';
import { type LineMatch } from '../../core/search/search-pattern';

/** For a few megabytes, of which an ordinary pattern reads hundreds in this time. */
const defaultTimeoutMs = 10_000;
const maxMegabytes = 512;

/** `file` is the built worker. */
export function patternInThread(file: string, timeoutMs = defaultTimeoutMs): OpenPattern {
  return (query) => {
    const { pattern, ignoreCase, multiline, onlyMatching } = query;
    const worker = new Worker(file, {
      workerData: { pattern, ignoreCase, multiline, onlyMatching },
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    let ended = false;
    let broken: Error | undefined;
    // It may fail while the first files are read, before anything waits for it.
    worker
      .on('error', (error: Error) => {
        if (!isOutOfMemory(error)) broken ??= error;
        ended = true;
      })
      .on('exit', () => {
        if (!ended) broken ??= new Error('The thread for patterns ended.');
        ended = true;
      });
    const close = (): void => {
      ended = true;
      void worker.terminate();
    };
    return {
      async matches(texts, signal) {
        signal.throwIfAborted();
        if (broken !== undefined) throw broken;
        if (ended) return undefined;
        const found = await answerOf(worker, texts, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
        if (found === undefined) close();
        signal.throwIfAborted();
        if (found === undefined && broken !== undefined) throw broken;
        return found;
      },
      close,
    };
  };
}

function answerOf(worker: Worker, texts: readonly string[], either: AbortSignal): Promise<LineMatch[][] | undefined> {
  return new Promise((resolve) => {
    const done = (found?: LineMatch[][]): void => {
      worker.off('message', done).off('error', none).off('exit', none);
      either.removeEventListener('abort', none);
      resolve(found);
    };
    const none = (): void => done();
    worker.on('message', done).on('error', none).on('exit', none);
    either.addEventListener('abort', none, { once: true });
    worker.postMessage(texts);
  });
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
