// The Documents port on worker threads: each job gets a thread of its own, which ends with it.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Documents, type PdfOutcome, type ShrunkImage } from '../../core/ports/documents';
import { letEnd } from '../end-worker';
import { type ImageJob, type PdfJob } from './jobs';

export interface DocumentsOptions {
  /** The folder with `pdf-worker.js` and `image-worker.js`. */
  workers: string;
  /** After this a job is given up. */
  timeoutMs?: number;
  /** Of a job's heap. */
  heapMegabytes?: number;
}

type WorkEnd<Result> = { end: 'done'; result: Result } | { end: 'failed' | 'too_slow' | 'too_large' };

export function createNodeDocuments({
  workers,
  timeoutMs = 60_000,
  heapMegabytes = 1_024,
}: DocumentsOptions): Documents {
  return {
    async readPdf(bytes, pages, signal) {
      const job: PdfJob = { bytes, pages };
      const work = await runWorker<PdfOutcome>(
        path.join(workers, 'pdf-worker.js'),
        job,
        { timeoutMs, heapMegabytes },
        signal,
      );
      if (work.end === 'done') return work.result;
      if (work.end === 'failed') return { outcome: 'refused', code: 'broken', message: 'the PDF is damaged.' };
      if (work.end === 'too_large')
        return {
          outcome: 'refused',
          code: 'too_large',
          message: `reading it takes more than the ${heapMegabytes} MB of memory available for it.`,
        };
      return {
        outcome: 'refused',
        code: 'too_slow',
        message: `its pages could not be found within ${Math.round(timeoutMs / 1_000)} s.`,
      };
    },
    async shrinkImage(bytes, limits, signal) {
      const job: ImageJob = { bytes, limits };
      const work = await runWorker<ShrunkImage | undefined>(
        path.join(workers, 'image-worker.js'),
        job,
        { timeoutMs, heapMegabytes },
        signal,
      );
      return work.end === 'done' ? work.result : undefined;
    },
  };
}

interface JobLimits {
  timeoutMs: number;
  heapMegabytes: number;
}

function runWorker<Result>(
  file: string,
  job: object,
  { timeoutMs, heapMegabytes }: JobLimits,
  signal: AbortSignal,
): Promise<WorkEnd<Result>> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // What it says on its own goes nowhere: a headless run's output belongs to the run.
    const worker = new Worker(file, {
      workerData: job,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    let finished = false;
    const finish = (settle: () => void, end: (worker: Worker) => void = letEnd): void => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      settle();
      end(worker);
    };
    const giveUp = (): void => void worker.terminate();
    const abort = (): void => finish(() => reject(signal.reason as Error), giveUp);
    const timer = setTimeout(() => finish(() => resolve({ end: 'too_slow' }), giveUp), timeoutMs);
    signal.addEventListener('abort', abort);
    worker.once('message', (result: Result) => finish(() => resolve({ end: 'done', result })));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      finish(() => resolve({ end: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'failed' })),
    );
    worker.once('exit', () => finish(() => resolve({ end: 'failed' })));
  });
}
