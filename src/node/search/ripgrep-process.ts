// Runs ripgrep once and hands on what it prints while it runs.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { type Readable } from 'node:stream';

export type RipgrepEnd =
  /** `stopped`: the reader had enough. */
  | { outcome: 'done'; stopped: boolean }
  /** The text that ripgrep wrote about the query, or what kept it from starting. */
  | { outcome: 'failed'; message: string };

export interface RipgrepRun {
  executable: string;
  args: readonly string[];
  cwd: string;
  /** Called with each piece of output; false stops ripgrep. */
  onData: (chunk: Buffer) => boolean;
}

const maxErrorCharacters = 8_000;

/** Resolves once the process has ended. Rejects with the signal's reason when aborted. */
export function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    let stopped = false;
    let errorText = '';
    const notStarted = ({ message }: Error): void =>
      resolve({ outcome: 'failed', message: `ripgrep (${run.executable}) did not start: ${message}.` });
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = spawn(run.executable, run.args, { cwd: run.cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    } catch (error) {
      // Some reasons are thrown, others arrive as an event.
      return notStarted(error as Error);
    }
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (stopped || signal.aborted || run.onData(chunk)) return;
      stopped = true;
      child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      if (errorText.length < maxErrorCharacters) errorText += text;
    });
    let startError: Error | undefined;
    child.on('error', (error) => (startError = error));
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) return reject(signal.reason as Error);
      if (startError) return notStarted(startError);
      // 0: matches, 1: none, 2: an error, with or without matches. Unreadable files are not reported (--no-messages).
      const complaint = code !== 0 && code !== 1 && !stopped ? errorText.slice(0, maxErrorCharacters).trim() : '';
      if (complaint !== '') return resolve({ outcome: 'failed', message: complaint });
      if (code === null && !stopped)
        return resolve({ outcome: 'failed', message: 'ripgrep was killed before it was done. Search again.' });
      resolve({ outcome: 'done', stopped });
    });
  });
}
