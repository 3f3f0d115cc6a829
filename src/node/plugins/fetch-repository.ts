// Fetches one commit of a git repository into a new folder: fixed arguments, no shell, no hooks, no submodules, no other protocol than the one asked for.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { type GitSource, protocolOf } from '../../core/plugins/marketplace-source';
import { findGit } from '../find-git';
import { cleanEnvironment } from '../terminal/command-environment';

export interface FetchOptions {
  environment: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

const defaultTimeoutMs = 120_000;
const maxOutput = 20_000;

/** Nothing of the repository runs, and nothing that a template or a setting of the machine would add. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting]);

/** `into` must not exist. The commit that was fetched, or a sentence; then nothing is left behind. */
export async function fetchRepository(
  source: GitSource,
  into: string,
  options: FetchOptions,
): Promise<{ commit: string } | { problem: string }> {
  const protocol = protocolOf(source.url);
  if (protocol === undefined) return { problem: `${source.url} is not an address that Deft fetches from.` };
  const deadline = AbortSignal.any([
    AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
    ...(options.signal === undefined ? [] : [options.signal]),
  ]);
  const environment = gitEnvironment(options.environment, protocol);
  const git = (...args: string[]): Promise<GitEnd> => runGit([...settings, ...args], environment, deadline);
  const steps: string[][] = [
    ['init', '--quiet', '--template=', into],
    [
      '-C',
      into,
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--no-recurse-submodules',
      '--',
      source.url,
      source.sha ?? source.ref ?? 'HEAD',
    ],
    ['-C', into, 'checkout', '--quiet', '--detach', 'FETCH_HEAD'],
    ['-C', into, 'rev-parse', 'HEAD'],
  ];
  let commit = '';
  for (const step of steps) {
    const end = await git(...step);
    if (end.code === 0) {
      commit = end.output.trim();
      continue;
    }
    await rm(into, { recursive: true, force: true });
    return { problem: `${source.url} was not fetched: ${end.why}` };
  }
  if (source.sha !== undefined && commit.toLowerCase() !== source.sha.toLowerCase()) {
    await rm(into, { recursive: true, force: true });
    return { problem: `${source.url} was not fetched: it returned a commit other than ${source.sha}.` };
  }
  await rm(path.join(into, '.git'), { recursive: true, force: true });
  return { commit };
}

/** Nobody can type an answer; variables that point git to a repository of their own are left out. */
function gitEnvironment(environment: NodeJS.ProcessEnv, protocol: string): NodeJS.ProcessEnv {
  const pointing =
    /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|TEMPLATE_DIR|EXEC_PATH|EXTERNAL_DIFF|PROXY_COMMAND|CONFIG_PARAMETERS)$/;
  const own = Object.fromEntries(
    Object.entries(cleanEnvironment(environment)).filter(([name]) => !pointing.test(name)),
  );
  return {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    ...own,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
}

interface GitEnd {
  code: number | null;
  output: string;
  /** A sentence, where it failed. */
  why: string;
}

function runGit(args: readonly string[], environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<GitEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ code: null, output: '', why: reasonOf(signal) });
    const program = findGit(environment);
    if (program === undefined)
      return resolve({
        code: null,
        output: '',
        why: 'there is no git on this machine. Install it, or install from a folder.',
      });
    // git starts helpers: they end with it.
    const child = spawn(program, args, {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(0, maxOutput)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-maxOutput)));
    const stop = (): void => {
      try {
        if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended.
      }
    };
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => {
      signal.removeEventListener('abort', stop);
      resolve({ code: null, output, why: messageOf(error) });
    });
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, output, why: signal.aborted ? reasonOf(signal) : lastLine(errors) });
    });
  });
}

function reasonOf(signal: AbortSignal): string {
  return (signal.reason as { name?: string } | undefined)?.name === 'TimeoutError'
    ? 'it took too long.'
    : 'it was stopped.';
}

function lastLine(errors: string): string {
  const lines = errors
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? 'git failed without a message.';
}
