// Runs ripgrep once, for a limited time, and hands on what it prints while it runs.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { type Readable } from 'node:stream';
import { endingWithUs } from './ending-with-us';

export type RipgrepEnd =
  /** `stopped`: the reader had enough, or the time was over. */
  | { outcome: 'done'; stopped: false | 'enough' | 'late' }
  /** The text that ripgrep wrote about the query, or what kept it from starting. */
  | { outcome: 'failed'; message: string };

export interface RipgrepRun {
  executable: string;
  args: readonly string[];
  cwd: string;
  /** Called with each piece of output; false stops ripgrep. */
  onData: (chunk: Buffer) => boolean;
  /** It is stopped after these milliseconds, with what it has found by then; without, it runs to its end. */
  limitMs?: number;
}

const maxErrorCharacters = 8_000;

/** Resolves once the process has ended. Rejects with the signal's reason when aborted. */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  const prefix = await endingWithUs();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    let stopped: false | 'enough' | 'late' = false;
    let errorText = '';
    const notStarted = ({ message }: Error): void =>
      resolve({ outcome: 'failed', message: `ripgrep (${run.executable}) did not start: ${message}.` });
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      const [program = '', ...args] = [...prefix, run.executable, ...run.args];
      child = spawn(program, args, { cwd: run.cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    } catch (error) {
      // Some reasons are thrown, others arrive as an event.
      return notStarted(error as Error);
    }
    const stop = (why: 'enough' | 'late'): void => {
      stopped ||= why;
      child.kill('SIGKILL');
    };
    const abort = (): void => void child.kill('SIGKILL');
    const limit = run.limitMs === undefined ? undefined : setTimeout(stop, run.limitMs, 'late');
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (stopped === 'enough' || signal.aborted || run.onData(chunk)) return;
      stop('enough');
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      if (errorText.length < maxErrorCharacters) errorText += text;
    });
    let startError: Error | undefined;
    child.on('error', (error) => (startError = error));
    child.on('close', (code) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) return reject(signal.reason as Error);
      if (startError) return notStarted(startError);
      // Of the program that starts it; ripgrep has no such codes.
      if (code === 126 || code === 127) return notStarted(new Error(errorText.trim()));
      // 0: matches, 1: none, 2: an error, with or without matches. Unreadable files are not reported (--no-messages).
      const complaint = code !== 0 && code !== 1 && !stopped ? errorText.slice(0, maxErrorCharacters).trim() : '';
      if (complaint !== '') return resolve({ outcome: 'failed', message: complaint });
      if (code === null && !stopped)
        return resolve({ outcome: 'failed', message: 'ripgrep was killed before it was done. Search again.' });
      resolve({ outcome: 'done', stopped });
    });
  });
}
