// The state of a repository by git, for the beginning of a session.
import { join } from 'pathe';
import { type Git, type GitState, type UncommittedChanges } from '../../core/ports/git-state';
import { isInRepository } from '../repository';
import { type RunGit } from './run-git';

/** Formats and hooks that the user or the repository may have set, as the lines below expect them. */
const plain = [
  'color.ui=false',
  'color.status=false',
  'status.relativePaths=true',
  'status.showStash=false',
  'status.submoduleSummary=false',
  'log.showSignature=false',
].flatMap((one) => ['-c', one]);
/** A repository that does not answer must not hold a prompt up. */
const longestMs = 5_000;

export function createGit(run: RunGit): Git {
  return {
    state: (folder) => inTime(folder, (signal) => readState(run, folder, signal)),
    changes: (folder, hidden) => inTime(folder, (signal) => readChanges(run, folder, hidden, signal)),
  };
}

async function inTime<Value>(
  folder: string,
  read: (signal: AbortSignal) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  // Most folders without a repository cost no process.
  if (!isInRepository(folder)) return undefined;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), longestMs);
  try {
    return await read(late.signal);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function readState(run: RunGit, folder: string, signal: AbortSignal): Promise<GitState | undefined> {
  const ask = async (args: readonly string[]): Promise<string | undefined> => {
    const end = await run(folder, ['--no-pager', ...plain, ...args], signal);
    return end.kind === 'ended' && end.code === 0 ? end.stdout : undefined;
  };
  const [status, log] = await Promise.all([
    ownFilters(run, folder, signal).then((filters) =>
      // Not into submodules: git obeys the settings of what lies there.
      ask([...filters, 'status', '--short', '--branch', '--no-renames', '--ignore-submodules=all']),
    ),
    ask(['log', '-5', '--no-show-signature', '--no-decorate', '--format=%h %s']),
  ]);
  const [branch, ...changes] = linesOf(status);
  if (branch === undefined) return undefined;
  return { branch: branch.replace(/^## (?:No commits yet on )?/, ''), changes, commits: linesOf(log) };
}

/** So many at a time: a command line takes no more than so much. */
const filesAtATime = 200;

async function readChanges(
  run: RunGit,
  folder: string,
  hidden: (path: string) => boolean,
  signal: AbortSignal,
): Promise<UncommittedChanges | undefined> {
  const ask = async (args: readonly string[]): Promise<string | undefined> => {
    const end = await run(folder, ['--no-pager', '--literal-pathspecs', ...plain, ...args], signal);
    return end.kind === 'ended' && end.code === 0 ? end.stdout : undefined;
  };
  const filters = await ownFilters(run, folder, signal);
  const [prefix, status, head] = await Promise.all([
    ask(['rev-parse', '--show-prefix']),
    ask([
      ...filters,
      ...['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all', '--untracked-files=all', '--', '.'],
    ]),
    ask(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']),
  ]);
  if (prefix === undefined || status === undefined) return undefined;
  const below = prefix.replace(/\n$/, '');
  const all = status
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => ({ state: record.slice(0, 2), path: record.slice(3 + below.length) }));
  const files = all.filter(({ path }) => !hidden(join(folder, path)));
  const known = files.filter(({ state }) => state !== '??').map(({ path }) => path);
  let diff = '';
  for (let start = 0; start < known.length; start += filesAtATime)
    diff +=
      (await ask([
        ...filters,
        // No program of the repository or the user shows the differences.
        ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules=all'],
        ...['--relative', head === undefined ? '--cached' : 'HEAD', '--', ...known.slice(start, start + filesAtATime)],
      ])) ?? '';
  return { files, hidden: all.length - files.length, diff };
}

/** git compares a file that looks changed through the repository's filter, which is a program of the repository's choice. */
async function ownFilters(run: RunGit, folder: string, signal: AbortSignal): Promise<string[]> {
  const end = await run(
    folder,
    ['config', '--show-scope', '--includes', '--null', '--name-only', '--get-regexp', String.raw`^filter\.`],
    signal,
  );
  if (end.kind === 'missing' || end.code !== 0) return [];
  const fields = end.stdout.split('\0');
  const names = fields.flatMap((scope, index) =>
    index % 2 === 0 && (scope === 'local' || scope === 'worktree') ? (fields[index + 1] ?? []) : [],
  );
  const filters = new Set(names.map((name) => name.replace(/\.[^.]*$/, '')));
  return [...filters].flatMap((filter) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((value) => ['-c', `${filter}.${value}`]),
  );
}

function linesOf(text = ''): string[] {
  return text.split('\n').filter((line) => line !== '');
}
