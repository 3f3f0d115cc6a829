// What must be gone when a run ends, however it ends: temporary folders and processes, also after Ctrl+C.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Cleanup = { now: () => void; later?: () => Promise<void> };

const pending = new Set<Cleanup>();
let installed = false;

/**
 * Registers work for the end of the process. `later` runs when there is time (a signal, `cleanUp()`), `now` is the
 * synchronous last resort on exit. Returns a function that takes the registration back.
 */
export function onEnd(cleanup: Cleanup): () => void {
  install();
  pending.add(cleanup);
  return () => pending.delete(cleanup);
}

/** Does all registered work, newest first, and forgets it. */
export async function cleanUp(): Promise<void> {
  const all = [...pending].reverse();
  for (const cleanup of all) {
    await cleanup.later?.().catch(() => undefined);
    runQuietly(cleanup.now);
    pending.delete(cleanup);
  }
}

/** A new folder in the system's place for temporary files (or in `parent`), removed at the end of the process. */
export function temporaryFolder(purpose: string, parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = realpathSync(mkdtempSync(path.join(parent, `deft-${purpose}-`)));
  onEnd({ now: () => removeFolder(folder) });
  return folder;
}

/** Removes a folder; processes that are just ending may still be writing into it, hence the retries. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function install(): void {
  if (installed) return;
  installed = true;
  process.on('exit', () => {
    for (const cleanup of [...pending].reverse()) runQuietly(cleanup.now);
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    let first: number | undefined;
    process.on(signal, () => {
      // Ctrl+C may come twice, from the terminal and from the parent. Pressed again later, it ends at once.
      if (first !== undefined) {
        if (Date.now() - first > 1_000) process.exit(code);
        return;
      }
      first = Date.now();
      void cleanUp().finally(() => process.exit(code));
    });
  }
}

function runQuietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    console.error(`Cleaning up failed: ${String(error)}`);
  }
}
