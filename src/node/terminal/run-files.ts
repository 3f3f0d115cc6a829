// The private folder of a session's commands, and the files through which each run reports.
import { readFileSync } from 'node:fs';
import { readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { fileErrorKind, fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';

/** How the folders are named; also distinguishes Deft's own command lines from a user's. */
export const DIRECTORY_PREFIX = 'deft-commands-';

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

export function runDirectory(directory: string): RunDirectory {
  return {
    path: directory,
    ends: path.join(directory, 'ends'),
    name: path.basename(directory).slice(DIRECTORY_PREFIX.length),
  };
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
