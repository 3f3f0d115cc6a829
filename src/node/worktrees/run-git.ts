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

/** Rejects on abort alone. */
export function createRunGit(environment: () => Promise<NodeJS.ProcessEnv>): RunGit {
  return async (folder, args, signal, encoding = 'utf8') => {
    signal?.throwIfAborted();
    const clean = Object.entries(cleanEnvironment(await environment())).filter(([name]) => !placing.test(name));
    const env = {
      ...Object.fromEntries(clean),
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      LC_ALL: 'C',
    };
    const git = findGit(env);
    if (git === undefined) return { kind: 'missing' };
    return new Promise((resolve, reject) => {
      const child = spawn(git, [...settings.flatMap((one) => ['-c', one]), '-C', folder, ...args], {
        env,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: longestMs,
        ...defined({ signal }),
      });
      const streams = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding(encoding);
        child[name].on('data', (text: string) => {
          if (streams[name].length < maxOutput) streams[name] += text;
        });
      }
      child.on('error', (error) => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve({ kind: 'ended', code: -1, stdout: '', stderr: error.message });
      });
      child.on('close', (code) => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve({ kind: 'ended', code: code ?? -1, ...streams });
      });
    });
  };
}
