// The private folder of a session's commands, and the files through which each run reports.
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { fileErrorKind, fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';
import { defined } from '../../shared/defined';
import { processStat } from './process-family';
import { endMarked, isAlive, type RunProcess } from './process-tree';

/** How the folders are named; also distinguishes Deft's own command lines from a user's. */
export const DIRECTORY_PREFIX = 'deft-commands-';
/** Output files outlive their session this long, for transcripts that name them. */
const KEEP_MS = 24 * 60 * 60 * 1000;

export interface RunFiles {
  /** The command's text. */
  command: string;
  /** Aliases and functions that the command uses, where it does. */
  names: string;
  /** The capture wrapper. */
  wrapper: string;
  /** Everything that the command prints. */
  output: string;
  /** Made by the one wrapper that may run the command. */
  claim: string;
  /** The process id of the command's shell, which leads its process group. Absent: nothing ever ran. */
  pid: string;
  /** The exit status that the shell itself saw, then its last folder. Absent after a fatal signal or `exec`. */
  farewell: string;
  /** The exit code, moved into place when it is complete. */
  exitCode: string;
  /** What a later session needs to continue with the run; gone when the run has ended. */
  record: string;
  /** Exists while the command is stopped. */
  stopped: string;
}

export interface RunDirectory {
  path: string;
  /** Where exit codes appear: a folder of its own, so that watching it costs nothing while output is written. */
  ends: string;
  /** Stands in every process's environment as `DEFT_RUN`, followed by the run's number. */
  name: string;
}

/**
 * Makes the folder under `root` (a temporary folder), readable by this user alone.
 * @throws the file system's error where `root` cannot be written.
 */
export async function createRunDirectory(root: string, owner: Omit<RunOwner, 'pid'>): Promise<RunDirectory> {
  const directory = await mkdtemp(path.join(await realpath(root), DIRECTORY_PREFIX));
  try {
    await chmod(directory, 0o700);
    const made = runDirectory(directory);
    await mkdir(made.ends);
    await writeOwner(made, { ...owner, pid: process.pid });
    return made;
  } catch (error) {
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** A temporary folder is cleaned, also while its owner lives. */
export async function isRunDirectoryThere(directory: RunDirectory): Promise<boolean> {
  return (await stat(directory.ends).catch(() => undefined))?.isDirectory() === true;
}

/** A sentence for what kept a command from starting; `folder` is where its files were to be. */
export function startFailure(error: unknown, folder: string): string {
  const place = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const isAboutFiles = fileErrorKind(error) === 'no_space' || place?.startsWith(folder) === true;
  return isAboutFiles
    ? `The command could not be started. ${fileErrorSentence(error, portPath(place ?? folder), 'write')}`
    : messageOf(error);
}

export async function writeOwner(directory: RunDirectory, owner: RunOwner): Promise<void> {
  const started = owner.pid > 0 ? (await processStat(owner.pid))?.start : undefined;
  await writeFile(path.join(directory.path, 'owner'), JSON.stringify({ ...owner, ...defined({ started }) }));
}

/** The folders under `root` whose owner lives no more, newest last. */
export async function ownerlessDirectories(root: string): Promise<{ directory: RunDirectory; owner: RunOwner }[]> {
  const base = await realpath(root).catch(() => root);
  const names = (await readdir(base).catch(() => [])).filter((name) => name.startsWith(DIRECTORY_PREFIX));
  const found = await Promise.all(names.map((name) => ownerless(path.join(base, name)).catch(() => undefined)));
  return found.filter((each) => each !== undefined);
}

function runDirectory(directory: string): RunDirectory {
  return {
    path: directory,
    ends: path.join(directory, 'ends'),
    name: path.basename(directory).slice(DIRECTORY_PREFIX.length),
  };
}

async function ownerless(directory: string): Promise<{ directory: RunDirectory; owner: RunOwner } | undefined> {
  const { uid } = await stat(directory);
  if (process.getuid && uid !== process.getuid()) return undefined;
  const text = await readSmallFile(path.join(directory, 'owner'));
  const owner: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof owner !== 'object' || owner === null || !('pid' in owner) || typeof owner.pid !== 'number')
    return undefined;
  const started = 'started' in owner && typeof owner.started === 'string' ? owner.started : undefined;
  if (owner.pid > 0 && (await livesOn(owner.pid, started))) return undefined;
  return {
    directory: runDirectory(directory),
    owner: {
      pid: owner.pid,
      processesEndWithOwner: 'processesEndWithOwner' in owner && owner.processesEndWithOwner === true,
      ...('workspace' in owner && typeof owner.workspace === 'string' ? { workspace: owner.workspace } : {}),
    },
  };
}

/** Ids are reused: another start time, where the system has them, is another process. */
async function livesOn(pid: number, started: string | undefined): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const now = started === undefined ? undefined : (await processStat(pid))?.start;
  return now === undefined || now === started;
}

/** Whose commands a folder holds. */
export interface RunOwner {
  /** 0 after an orderly end. */
  pid: number;
  /** False where commands live in terminals of the user's own. */
  processesEndWithOwner: boolean;
  /** Names the workspace, so that its next session can continue with what still runs. */
  workspace?: string;
}

export function runFiles(directory: RunDirectory, number: number): RunFiles {
  const file = (ending: string) => path.join(directory.path, `${number}.${ending}`);
  return {
    command: file('sh'),
    names: file('names'),
    wrapper: file('w'),
    output: file('out'),
    claim: file('claim'),
    pid: file('pid'),
    farewell: file('bye'),
    record: file('json'),
    exitCode: path.join(directory.ends, `${number}.rc`),
    stopped: path.join(directory.ends, `${number}.stop`),
  };
}

/** The value of `DEFT_RUN` for one run. */
export function runMark(directory: RunDirectory, number: number): string {
  return `${directory.name}.${number}`;
}

/** Of a run whose answer has been given. */
export async function removeRunFiles(files: RunFiles, keepOutput: boolean): Promise<void> {
  const { output, ...others } = files;
  const gone = [...Object.values(others), ...(keepOutput ? [] : [output])];
  await Promise.all(gone.map((file) => unlink(file).catch(() => undefined)));
}

/** True where no wrapper has started the run: now none ever will. */
export async function claimRun(files: RunFiles): Promise<boolean> {
  return writeFile(files.claim, '', { flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

export async function isFileThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

/** Undefined while the file is absent or still empty. */
export async function readSmallFile(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text;
}

/** The process group of a run, without a turn of the loop. */
export function readPidNow(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** What crashed sessions had left running. */
export interface Orphans {
  ended: RunProcess[];
  /** Could not be ended. */
  alive: RunProcess[];
}

/** Ends what a crashed session left running and removes folders whose time is over. Never throws. */
export async function sweepRunDirectories(root: string, now: number): Promise<Orphans> {
  const left = await ownerlessDirectories(root);
  const crashed = left.filter(({ owner }) => owner.processesEndWithOwner && owner.pid > 0);
  let orphans: Orphans = { ended: [], alive: [] };
  if (crashed.length > 0) {
    orphans = await endMarked(new Set(crashed.map(({ directory }) => directory.name)));
    // Once is enough: a day's folders of many sessions would cost a look at all processes each, at every start.
    await Promise.all(
      crashed.map(({ directory, owner }) => writeOwner(directory, { ...owner, pid: 0 }).catch(() => undefined)),
    );
  }
  for (const { directory, owner } of left) await sweep(directory, owner, now).catch(() => undefined);
  return orphans;
}

async function sweep(directory: RunDirectory, owner: RunOwner, now: number): Promise<void> {
  if (!owner.processesEndWithOwner && (await endsMissing(directory.path)).some(isAlive)) return;
  const { mtimeMs } = await stat(directory.path);
  if (now - mtimeMs > KEEP_MS) await rm(directory.path, { recursive: true, force: true });
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
