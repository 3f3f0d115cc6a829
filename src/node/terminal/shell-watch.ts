// Watches a run that some other shell started: when it starts, and when it is gone without a word.
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../process-owner';
import { readSmallFile, type RunFiles } from './run-files';

const POLL_MS = 20;
const ALIVE_POLL_MS = 500;

export interface ShellWatch {
  /** True once the command's shell runs; false after the limit or an abort. */
  started(limitMs: number, signal: AbortSignal): Promise<boolean>;
  /** Resolves when the command's shell is dead, with or without an exit code. */
  gone: Promise<void>;
  stop(): void;
}

export function watchShell(files: RunFiles): ShellWatch {
  let stopped = false;
  const pid = async () => Number(await readSmallFile(files.pid)) || undefined;
  const gone = (async () => {
    for (;;) {
      await sleep(ALIVE_POLL_MS, undefined, { ref: false });
      if (stopped) return new Promise<void>(() => undefined);
      const known = await pid();
      if (known !== undefined && !isAlive(known)) return;
    }
  })();
  return {
    gone,
    started: async (limitMs, signal) => {
      const until = Date.now() + limitMs;
      while ((await pid()) === undefined) {
        if (stopped || signal.aborted || Date.now() > until) return false;
        await sleep(POLL_MS);
      }
      return true;
    },
    stop: () => (stopped = true),
  };
}
