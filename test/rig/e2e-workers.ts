// Deals the files of the tests that click to processes: each takes the next one when it has done its last.
import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { FileResult } from './e2e-file';

export interface DealOptions {
  /** The bundled `e2e-file`. */
  readonly module: string;
  readonly grep: string | undefined;
  /** With one, what a file prints is shown as it comes; with several, when the file is done. */
  readonly processes: number;
  /** No file begins after this time; in milliseconds since 1970. */
  readonly until: number;
}

const running = new Set<ChildProcess>();

/** The results in the order in which they came. Rejects where a process cannot be started; ends this one after Ctrl+C. */
export async function deal(files: readonly string[], options: DealOptions): Promise<FileResult[]> {
  const left = [...files];
  const results: FileResult[] = [];
  const stop = (signal: NodeJS.Signals): void => {
    left.length = 0;
    process.exitCode = 130;
    // Each cleans up after itself; this process waits for it.
    for (const worker of running) worker.kill(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  await Promise.all(
    Array.from({ length: Math.min(options.processes, files.length) }, async () => {
      while (left.length > 0 && Date.now() < options.until) await workUntilEnd(left, results, options);
    }),
  );
  if (process.exitCode === 130) process.exit();
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return results;
}

/** One process, until there are no files left. One that ends too early fails its file. */
function workUntilEnd(
  left: string[],
  results: FileResult[],
  { module, grep, processes, until }: DealOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = fork(path.resolve('test/rig/e2e-worker.mjs'), [module], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    running.add(worker);
    let file: string | undefined;
    const give = (): void => {
      file = Date.now() < until ? left.shift() : undefined;
      if (file === undefined) worker.send({ type: 'end' });
      else worker.send({ type: 'run', file, grep, live: processes === 1 });
    };
    worker.on('message', (message: { readonly output: string; readonly result: FileResult }) => {
      process.stdout.write(message.output);
      results.push(message.result);
      give();
    });
    worker.on('error', reject);
    worker.on('exit', (code, signal) => {
      running.delete(worker);
      const error = `Its process ended (${signal ?? code}).`;
      if (file !== undefined)
        results.push({ file, passed: 0, skipped: 0, failures: [{ title: file, error }], seconds: 0 });
      resolve();
    });
    give();
  });
}
