// Runs git for Deft itself: with arguments and no shell, and without what a repository's own settings and hooks would start.
import { defined } from '../../shared/defined';
import { spawn } from 'node:child_process';
import { findGit } from '../find-git';
import { cleanEnvironment } from '../terminal/command-environment';

export type GitEnd = { kind: 'ended'; code: number; stdout: string; stderr: string } | { kind: 'missing' };
/** `encoding`: of what it prints; with `latin1` each character is a byte. */
export type RunGit = (
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
  encoding?: 'utf8' | 'latin1',
) => Promise<GitEnd>;

/** Hooks run programs of the repository, and so does its file monitor; neither has anything to do with what Deft asks. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.quotePath=false',
];
/** Only the folder determines where the repository is. */
const placing =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX)$/;
/** What is longer is cut. */
export const maxOutput = 8 * 1024 * 1024;
const longestMs = 120_000;

export interface GitCall {
  args: readonly string[];
  /** Bytes as characters, in and out: contents of any encoding pass unchanged. UTF-8 otherwise. */
  bytes?: boolean;
  input?: string;
  /** Settings beside those of every call. */
  settings?: readonly string[];
  /** It is what the user asks for: hooks of the repository run, as they would in a terminal. */
  hooks?: boolean;
  variables?: Readonly<Record<string, string>>;
  longestMs?: number;
  /** More output than this is an error, never cut. */
  maxOutput?: number;
}

/** Rejects on abort alone. */
export function createRunGit(environment: () => Promise<NodeJS.ProcessEnv>): RunGit {
  return (folder, args, signal, encoding) =>
    callGit(environment, folder, { args, bytes: encoding === 'latin1' }, signal);
}

/** One call of git, with input and variables where it needs them. Rejects on abort alone. */
export async function callGit(
  environment: () => Promise<NodeJS.ProcessEnv>,
  folder: string,
  call: GitCall,
  signal?: AbortSignal,
): Promise<GitEnd> {
  signal?.throwIfAborted();
  const clean = Object.entries(cleanEnvironment(await environment())).filter(([name]) => !placing.test(name));
  const env = {
    ...Object.fromEntries(clean),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
    ...call.variables,
  };
  const git = findGit(env);
  if (git === undefined) return { kind: 'missing' };
  const kept = call.hooks === true ? settings.filter((one) => !one.startsWith('core.hooksPath')) : settings;
  const options = [...kept, ...(call.settings ?? [])].flatMap((one) => ['-c', one]);
  const limit = call.maxOutput;
  return new Promise((resolve, reject) => {
    const child = spawn(git, [...options, '-C', folder, ...call.args], {
      env,
      windowsHide: true,
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      timeout: call.longestMs ?? longestMs,
      ...defined({ signal }),
    });
    const encoding = call.bytes === true ? 'latin1' : 'utf8';
    const streams = { stdout: '', stderr: '' };
    let isOver = false;
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = child[name];
      if (stream === null) continue;
      stream.setEncoding(encoding);
      stream.on('data', (text: string) => {
        if (streams[name].length < (limit ?? maxOutput)) streams[name] += text;
        else isOver = limit !== undefined;
      });
    }
    // git may end before it has read everything: its exit code says so.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '', encoding);
    child.on('error', (error) => {
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve({ kind: 'ended', code: -1, stdout: '', stderr: error.message });
    });
    child.on('close', (code) => {
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (isOver) resolve({ kind: 'ended', code: -1, stdout: '', stderr: 'Its output is too long.' });
      else resolve({ kind: 'ended', code: code ?? -1, ...streams });
    });
  });
}
