// The end of a worker thread that has given its result: by itself, so that nothing is torn down while the thread still winds up.
import { type Worker } from 'node:worker_threads';

const patienceMs = 1_000;

/** Node can crash the whole process where a thread is terminated in the moment in which it ends: only one that does not end is terminated. */
export function letEnd(worker: Worker, patience = patienceMs): void {
  worker.unref();
  const timer = setTimeout(() => void worker.terminate(), patience).unref();
  worker.once('exit', () => clearTimeout(timer));
}
