// A branch as a pull request sees it, and the programs that create one: `gh` and `glab`, with arguments and no shell.
import { spawn } from 'node:child_process';
import { type Hosting, hostingOf, type PullRequest, readRemote, type Remote } from '../../core/commit/pull-request';
import { defined } from '../../shared/defined';
import { findProgram } from '../find-git';
import { cleanEnvironment } from '../terminal/command-environment';
import { reasonOf } from '../worktrees/git-output';
import { GitFailure, type Repository } from './read-changes';

export interface Branch {
  name: string;
  /** "main", and how git names it here: "origin/main". */
  base: string;
  baseRef: string;
  /** Their messages, oldest first. */
  commits: string[];
  diff: string;
  files: string[];
  /** Undefined where there is no remote. */
  remote: { name: string; address: string; known: Remote | undefined } | undefined;
  /** How many commits the remote lacks. */
  unpushed: number;
}

/** `known`: the base that others know of. Throws a sentence where there is nothing to ask for. */
export async function readBranch(
  { git, branch: name, head }: Repository,
  known: { remote?: string | undefined; name?: string | undefined } | undefined,
  signal?: AbortSignal,
): Promise<Branch> {
  if (name === undefined) throw new GitFailure('No branch is checked out: a pull request is made of a branch.', '');
  if (head === undefined) throw new GitFailure('There is no commit yet.', '');
  const ask = async (...args: string[]): Promise<string | undefined> => {
    const { code, stdout } = await git.end({ args }, signal);
    return code === 0 ? stdout.trim() : undefined;
  };
  const remoteName = await remoteOf(ask, name);
  const baseRef = await baseOf(ask, { name, remoteName, known });
  const log = ['log', '--no-show-signature', '--reverse', '-z', '--format=%B', `${baseRef}..HEAD`, '--'];
  const commits = (await git.run({ args: log }, signal)).split('\0').filter((message) => message.trim() !== '');
  if (commits.length === 0)
    throw new GitFailure(`${name} has no commit that ${baseRef} lacks. Commit your changes first.`, '');
  const plain = ['diff', '--no-ext-diff', '--no-textconv', '--no-color'];
  const [diff, names] = await Promise.all([
    git.run({ args: [...plain, `${baseRef}...HEAD`, '--'] }, signal),
    git.run({ args: [...plain, '--name-only', '-z', `${baseRef}...HEAD`, '--'] }, signal),
  ]);
  const address = remoteName === undefined ? undefined : await ask('remote', 'get-url', '--push', remoteName);
  const there =
    remoteName === undefined
      ? undefined
      : await ask('rev-list', '--count', `refs/remotes/${remoteName}/${name}..HEAD`, '--');
  return {
    name,
    base:
      remoteName !== undefined && baseRef.startsWith(`${remoteName}/`) ? baseRef.slice(remoteName.length + 1) : baseRef,
    baseRef,
    commits,
    diff,
    files: names.split('\0').filter((file) => file !== ''),
    remote:
      remoteName === undefined || address === undefined
        ? undefined
        : { name: remoteName, address: withoutPassword(address), known: readRemote(remoteName, address) },
    unpushed: there === undefined ? commits.length : Number(there),
  };
}

type Ask = (...args: string[]) => Promise<string | undefined>;

async function remoteOf(ask: Ask, branch: string): Promise<string | undefined> {
  const remotes = ((await ask('remote')) ?? '').split('\n').filter((one) => one !== '');
  const configured = await ask('config', '--get', `branch.${branch}.remote`);
  return [configured, 'origin', ...remotes].find((one) => one !== undefined && remotes.includes(one));
}

interface BaseFacts {
  name: string;
  remoteName: string | undefined;
  known: { remote?: string | undefined; name?: string | undefined } | undefined;
}

async function baseOf(ask: Ask, { name, remoteName, known }: BaseFacts): Promise<string> {
  const ofRemote =
    remoteName === undefined
      ? []
      : [
          (await ask('symbolic-ref', '--short', `refs/remotes/${remoteName}/HEAD`)) ?? '',
          `${remoteName}/main`,
          `${remoteName}/master`,
        ];
  const told =
    known?.name === undefined ? '' : known.remote === undefined ? known.name : `${known.remote}/${known.name}`;
  for (const one of [told, ...ofRemote, 'main', 'master']) {
    if (one === '' || one === name || one === `${remoteName ?? ''}/${name}`) continue;
    if ((await ask('rev-parse', '--quiet', '--verify', `${one}^{commit}`)) !== undefined) return one;
  }
  throw new GitFailure(`git knows no branch that ${name} could be merged into.`, '');
}

/** It is shown. */
function withoutPassword(address: string): string {
  return address.replace(/^([a-z+]+:\/\/)[^@/]*@/i, '$1');
}

export interface HostingProgram {
  kind: Hosting;
  file: string;
}

/** The program that serves the remote, where it is installed. */
export async function findHosting(
  environment: () => Promise<NodeJS.ProcessEnv>,
  { remote }: Pick<Branch, 'remote'>,
): Promise<HostingProgram | undefined> {
  const kind = remote?.known === undefined ? undefined : hostingOf(remote.known);
  const file = kind === undefined ? undefined : findProgram(await environment(), kind);
  return kind === undefined || file === undefined ? undefined : { kind, file };
}

export async function pushBranch({ git }: Repository, { name, remote }: Branch, signal?: AbortSignal): Promise<void> {
  if (remote === undefined) throw new GitFailure('This repository has no remote to push to.', '');
  const args = ['push', '--set-upstream', '--', remote.name, `HEAD:refs/heads/${name}`];
  await git.run({ args, hooks: true, longestMs: longestMs }, signal);
}

const longestMs = 10 * 60_000;
const maxOutput = 100_000;

/** What the program printed: the address of what it created. Throws its reason. */
export async function sendPullRequest(
  { root, environment }: Repository,
  program: HostingProgram,
  { title, body, branch }: PullRequest & { branch: Pick<Branch, 'name' | 'base'> },
  signal?: AbortSignal,
): Promise<string> {
  const args =
    program.kind === 'gh'
      ? ['pr', 'create', '--title', title, '--body-file', '-', '--base', branch.base, '--head', branch.name]
      : [
          'mr',
          'create',
          '--title',
          title,
          '--description',
          body,
          '--target-branch',
          branch.base,
          '--source-branch',
          branch.name,
          '--yes',
        ];
  const env = {
    ...cleanEnvironment(await environment()),
    GH_PROMPT_DISABLED: '1',
    GIT_TERMINAL_PROMPT: '0',
    NO_COLOR: '1',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program.file, args, {
      cwd: root,
      env,
      windowsHide: true,
      timeout: longestMs,
      ...defined({ signal }),
    });
    const streams = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8');
      child[name].on('data', (text: string) => void (streams[name].length < maxOutput && (streams[name] += text)));
    }
    // It may end before it has read the text: its exit code says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(program.kind === 'gh' ? body : '');
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(streams.stdout.trim());
      else
        reject(
          new GitFailure(
            `${program.kind} could not create it: ${reasonOf(streams.stderr || streams.stdout)}`,
            streams.stderr,
          ),
        );
    });
  });
}
