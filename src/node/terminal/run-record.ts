// What is recorded of a run in the user's own terminal, so that the session after a reload can continue with it.
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Launcher } from './launcher';
import { runFiles, type RunDirectory, type RunFiles } from './run-files';
import { ownerlessDirectories, own } from './run-owners';
import { watchShell } from './shell-watch';

export interface RunRecord {
  taskId: string;
  toolUseId: string;
  session?: string;
  command: string;
  description?: string;
  cwd: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endMark: string;
}

export interface FoundRun {
  directory: RunDirectory;
  number: number;
  record: RunRecord;
}

export async function writeRunRecord(files: RunFiles, record: RunRecord): Promise<void> {
  await writeFile(files.record, JSON.stringify(record), { mode: 0o600 });
}

/** The run has ended, and its end was reported. */
export async function removeRunRecord(files: RunFiles): Promise<void> {
  await rm(files.record, { force: true });
}

/** The runs of earlier sessions of a workspace whose end nobody has seen; their folders belong to this process now. */
export async function takeOverRuns(root: string, workspace: string): Promise<FoundRun[]> {
  const found: FoundRun[] = [];
  for (const { directory, owner } of await ownerlessDirectories(root)) {
    if (owner.workspace !== workspace || owner.processesEndWithOwner) continue;
    const runs = await recordedRuns(directory);
    if (runs.length === 0) continue;
    await own(directory, owner);
    found.push(...runs);
  }
  return found.sort((a, b) => a.record.startedAt - b.record.startedAt);
}

/** Starts nothing: the run's shell lives, or its files say how it ended. */
export const launchNothing: Launcher = async ({ files }) => {
  const watch = watchShell(files);
  return {
    over: watch.gone.then(() => ({ kind: 'ended' })),
    keepsStopped: true,
    abandon: () => undefined,
    finished: watch.stop,
  };
};

async function recordedRuns(directory: RunDirectory): Promise<FoundRun[]> {
  const runs: FoundRun[] = [];
  for (const name of await readdir(directory.path)) {
    const number = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    if (!number) continue;
    try {
      const text = await readFile(path.join(directory.path, name), 'utf8');
      runs.push({ directory, number, record: JSON.parse(text) as RunRecord });
    } catch {
      // A record that was not written to its end: the session died before the command started.
      await removeRunRecord(runFiles(directory, number));
    }
  }
  return runs;
}
