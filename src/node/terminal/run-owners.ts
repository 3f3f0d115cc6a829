// Whose the folders of commands are, what a killed process left in them, and their end.
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, ownerIn, ownerState, type ProcessOwner, thisProcess } from '../process-owner';
import { endMarked, type RunProcess } from './process-tree';
import { DIRECTORY_PREFIX, readSmallFile, type RunDirectory, runDirectory } from './run-files';

/** So long the end of a command in the user's own shell can still be told. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Whose commands a folder holds; its file also says which process that is, with pid 0 after an orderly end. */
export interface RunOwner {
  /** False where commands live in terminals of the user's own. */
  processesEndWithOwner: boolean;
  /** Names the workspace, so that its next session can continue with what still runs. */
  workspace?: string;
}

/**
 * Makes the folder under `root` (a temporary folder), readable by this user alone.
 * @throws the file system's error where `root` cannot be written.
 */
export async function createRunDirectory(root: string, owner: RunOwner): Promise<RunDirectory> {
  const directory = await mkdtemp(path.join(await realpath(root), DIRECTORY_PREFIX));
  try {
    await chmod(directory, 0o700);
    const made = runDirectory(directory);
    await mkdir(made.ends);
    await own(made, owner);
    return made;
  } catch (error) {
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** Its owner ends in order, and commands in it run on. */
export async function disown(directory: RunDirectory, owner: RunOwner): Promise<void> {
  await writeFile(path.join(directory.path, 'owner'), JSON.stringify({ ...thisProcess(), ...owner, pid: 0 }));
}

/** From now on it is this process. */
export async function own(directory: RunDirectory, owner: RunOwner): Promise<void> {
  await writeFile(path.join(directory.path, 'owner'), JSON.stringify({ ...thisProcess(), ...owner }));
}

interface Ownerless {
  directory: RunDirectory;
  owner: RunOwner;
}

/** The folders under `root` whose owner lives no more, newest last. */
export async function ownerlessDirectories(root: string): Promise<Ownerless[]> {
  const found = await Promise.all(
    (await directoriesIn(root)).map((directory) => ownerless(directory).catch(() => undefined)),
  );
  return found.filter((each) => each !== undefined);
}

/** This user's. */
async function directoriesIn(root: string): Promise<string[]> {
  const base = await realpath(root).catch(() => root);
  const names = (await readdir(base).catch(() => [])).filter((name) => name.startsWith(DIRECTORY_PREFIX));
  const found = await Promise.all(
    names.map(async (name) => {
      const directory = path.join(base, name);
      const uid = (await stat(directory).catch(() => undefined))?.uid;
      return uid === undefined || (process.getuid && uid !== process.getuid()) ? undefined : directory;
    }),
  );
  return found.filter((each) => each !== undefined);
}

async function ownerless(directory: string): Promise<Ownerless | undefined> {
  const text = (await readSmallFile(path.join(directory, 'owner'))) ?? '';
  const owner = ownerIn(text);
  if (owner === undefined || isElsewhere(owner) || (owner.pid > 0 && ownerState(owner) === 'alive')) return undefined;
  const { processesEndWithOwner, workspace } = JSON.parse(text) as Partial<RunOwner>;
  return {
    directory: runDirectory(directory),
    owner: {
      processesEndWithOwner: processesEndWithOwner === true,
      ...(typeof workspace === 'string' ? { workspace } : {}),
    },
  };
}

function isElsewhere(owner: ProcessOwner): boolean {
  return ['on-another-host', 'in-another-container'].includes(ownerState(owner));
}

/** What crashed sessions had left running. */
export interface Orphans {
  ended: RunProcess[];
  /** Could not be ended. */
  alive: RunProcess[];
}

/** Ends what crashed sessions left running, and removes their folders. Never throws. */
export async function sweepRunDirectories(root: string, now: number): Promise<Orphans> {
  const left = await ownerlessDirectories(root);
  const crashed = left.filter(({ owner }) => owner.processesEndWithOwner);
  let orphans: Orphans = { ended: [], alive: [] };
  if (crashed.length > 0) orphans = await endMarked(new Set(crashed.map(({ directory }) => directory.name)));
  for (const { directory, owner } of left) {
    // What could not be ended is tried again at the next start.
    const stays = owner.processesEndWithOwner ? orphans.alive.length > 0 : await isInUse(directory, now);
    if (stays) continue;
    // The wrapper of a command that was ended just now writes its end there.
    const retries = { maxRetries: 5, retryDelay: 50 };
    await rm(directory.path, { recursive: true, force: true, ...retries }).catch(() => undefined);
  }
  for (const directory of await directoriesIn(root)) await removeUnknown(directory, now).catch(() => undefined);
  return orphans;
}

/** Of a shell of the user's own: a command runs on, or its end is still to be told. */
async function isInUse({ path: folder }: RunDirectory, now: number): Promise<boolean> {
  if ((await endsMissing(folder).catch(() => [])).some(isAlive)) return true;
  const changed = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0;
  return now - changed <= KEEP_MS && (await hasRecords(folder));
}

/** After a day, what belongs to a process that cannot be looked for from here, or to one that was killed before it said so. */
async function removeUnknown(directory: string, now: number): Promise<void> {
  if (now - (await stat(directory)).mtimeMs <= KEEP_MS) return;
  const owner = ownerIn((await readSmallFile(path.join(directory, 'owner'))) ?? '');
  if (owner !== undefined && isElsewhere(owner)) return rm(directory, { recursive: true, force: true });
  if ((await readdir(directory)).some((name) => name !== 'ends')) return;
  await rmdir(path.join(directory, 'ends')).catch(() => undefined);
  await rmdir(directory);
}

/** Commands of the user's own shell whose end nobody has seen. */
export async function hasRecords(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((name) => /^\d+\.json$/.test(name));
}

/** The shells of runs that never reported an end. */
async function endsMissing(directory: string): Promise<number[]> {
  const ended = new Set(await readdir(path.join(directory, 'ends')).catch(() => []));
  const pids: number[] = [];
  for (const file of await readdir(directory)) {
    const number = /^(\d+)\.pid$/.exec(file)?.[1];
    if (number === undefined || ended.has(`${number}.rc`)) continue;
    const pid = Number(await readSmallFile(path.join(directory, file)));
    if (pid > 0) pids.push(pid);
  }
  return pids;
}
