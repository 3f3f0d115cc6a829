// What is uncommitted in a repository, kept as objects of git at this moment: what is shown later is what is committed.
import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FileChange, type GitEntry, readChanges, readRawChanges, utf8Of } from '../../core/commit/changes';
import { operationUnderWay } from '../worktrees/git-operation';
import { reasonOf } from '../worktrees/git-output';
import { callGit, type GitCall } from '../worktrees/run-git';

export interface Git {
  /** Throws a `GitFailure` unless the exit code is 0. */
  run(call: GitCall, signal?: AbortSignal): Promise<string>;
  /** Whatever the exit code. */
  end(call: GitCall, signal?: AbortSignal): Promise<{ code: number; stdout: string; stderr: string }>;
}

export class GitFailure extends Error {
  /** All that git and hooks printed. */
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

export interface Repository {
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** Its top folder. */
  root: string;
  git: Git;
  /** The index of its checkout. */
  index: string;
  gitFolder: string;
  /** Undefined before the first commit. */
  head: string | undefined;
  /** Undefined where none is checked out. */
  branch: string | undefined;
  /** The commit, or the empty tree. */
  base: string;
}

export interface Uncommitted {
  repository: Repository;
  changes: FileChange[];
  /** What is in the index and not in the last commit, by path; undefined where the index has no such file. */
  staged: Map<string, GitEntry | undefined>;
  /** Left out: sentences. */
  left: string[];
}

/** A file over this size has to be added by hand. */
const maxNewBytes = 50_000_000;
const maxPatchBytes = 200_000_000;

export function createGit(environment: () => Promise<NodeJS.ProcessEnv>, folder: string): Git {
  const end: Git['end'] = async (call, signal) => {
    const result = await callGit(environment, folder, call, signal);
    if (result.kind === 'missing') throw new GitFailure('git was not found on the PATH.', '');
    return result;
  };
  return {
    end,
    async run(call, signal) {
      const { code, stdout, stderr } = await end(call, signal);
      if (code === 0) return stdout;
      throw new GitFailure(reasonOf(stderr === '' ? stdout : stderr), `${stdout}${stderr}`.trim());
    },
  };
}

/** Throws a sentence where a commit would be wrong now. */
export async function openRepository(
  environment: () => Promise<NodeJS.ProcessEnv>,
  folder: string,
  signal?: AbortSignal,
): Promise<Repository> {
  const top = await createGit(environment, folder).end({ args: ['rev-parse', '--show-toplevel'] }, signal);
  if (top.code !== 0) throw new GitFailure('This folder is in no git repository with files.', top.stderr);
  const root = top.stdout.replace(/\n$/, '');
  const git = createGit(environment, root);
  const places = await git.run({ args: ['rev-parse', '--absolute-git-dir', '--git-path', 'index'] }, signal);
  const [gitFolder = '', index = ''] = places.split('\n');
  const [commit, ref, empty] = await Promise.all([
    git.end({ args: ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'] }, signal),
    git.end({ args: ['symbolic-ref', '--quiet', '--short', 'HEAD'] }, signal),
    git.run({ args: ['hash-object', '-t', 'tree', '--stdin'], input: '' }, signal),
  ]);
  const head = commit.code === 0 ? commit.stdout.trim() : undefined;
  const repository: Repository = {
    environment,
    root,
    git,
    gitFolder,
    index: path.resolve(root, index),
    head,
    branch: ref.code === 0 ? ref.stdout.trim() : undefined,
    base: head ?? empty.trim(),
  };
  const unready = await whyNotNow(repository, signal);
  if (unready !== undefined) throw new GitFailure(unready, '');
  return repository;
}

/** A commit now would end an operation that somebody else began. */
async function whyNotNow({ gitFolder, git }: Repository, signal?: AbortSignal): Promise<string | undefined> {
  const operation = operationUnderWay(gitFolder);
  if (operation !== undefined)
    return `A ${operation} is in progress in this repository: finish or abort it first. Deft would commit its half-done state.`;
  const unmerged = await git.run({ args: ['ls-files', '--unmerged', '-z'] }, signal);
  return unmerged === '' ? undefined : 'The index has conflicts that are not resolved: resolve and stage them first.';
}

/** Nothing of the repository changes but its store of objects. */
export async function readUncommitted(
  environment: () => Promise<NodeJS.ProcessEnv>,
  folder: string,
  signal?: AbortSignal,
): Promise<Uncommitted> {
  const repository = await openRepository(environment, folder, signal);
  const { git, root, base, index } = repository;
  const scratch = await scratchIndex(index);
  const variables = { GIT_INDEX_FILE: scratch.file };
  try {
    const { names, left } = await newFiles(git, root, signal);
    await git.run({ args: ['add', '--update', '--', '.'], variables }, signal);
    if (names.length > 0)
      await git.run(
        { args: ['update-index', '--add', '-z', '--stdin'], variables, bytes: true, input: `${names.join('\0')}\0` },
        signal,
      );
    const [raw, patch, staged] = await Promise.all([
      git.run({ args: [...diffArgs, '-M', '--raw', '-z', '--abbrev=64', base, '--'], variables, bytes: true }, signal),
      git.run(
        {
          args: [...diffArgs, '-M', '--patch', '-U1', '--inter-hunk-context=0', base, '--'],
          variables,
          bytes: true,
          maxOutput: maxPatchBytes,
        },
        signal,
      ),
      git.run({ args: [...diffArgs, '--no-renames', '--raw', '-z', '--abbrev=64', base, '--'], bytes: true }, signal),
    ]);
    const changes = readChanges(readRawChanges(raw), patch);
    if (changes === undefined)
      throw new GitFailure("git's list of changed files and its diff do not fit together.", '');
    // Their names could not be passed back to git.
    const unnamed = changes.filter(({ path: file, oldPath = '' }) => `${file}${oldPath}`.includes('\uFFFD'));
    left.push(...unnamed.map(({ path: file }) => `the name of ${file} is not UTF-8`));
    return {
      repository,
      changes: changes.filter((change) => !unnamed.includes(change)),
      staged: new Map(readRawChanges(staged).map(({ path: file, after }) => [file, after])),
      left,
    };
  } finally {
    await scratch.remove();
  }
}

/** Whatever the user's settings say about how differences look. */
const diffArgs = [
  ...['-c', 'diff.noprefix=false', '-c', 'diff.mnemonicPrefix=false', '-c', 'diff.suppressBlankEmpty=false'],
  ...[
    'diff',
    '--cached',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--submodule=short',
    '--ignore-submodules=none',
  ],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--diff-algorithm=histogram', '--no-relative'],
];

/** Names as bytes. */
async function newFiles(git: Git, root: string, signal?: AbortSignal): Promise<{ names: string[]; left: string[] }> {
  const listing = await git.run(
    { args: ['ls-files', '--others', '--exclude-standard', '--full-name', '-z'], bytes: true },
    signal,
  );
  const names: string[] = [];
  const left: string[] = [];
  for (const name of listing.split('\0')) {
    if (name === '') continue;
    const shown = utf8Of(name);
    if (name.endsWith('/')) left.push(`${shown} is a repository of its own`);
    else if (((await stat(path.join(root, shown)).catch(() => undefined))?.size ?? 0) > maxNewBytes)
      left.push(`${shown} is new and larger than 50 MB`);
    else names.push(name);
  }
  return { names, left };
}

/** A copy of the index in a folder of its own: what git knows of times and sizes saves it from reading every file. */
export async function scratchIndex(index: string): Promise<{ file: string; folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deft-commit-'));
  const file = path.join(folder, 'index');
  if (existsSync(index)) {
    await copyFile(index, file);
    // git reads a file again that is no older than the index: a change within the second of the last commit would be missed.
    const { atime, mtimeMs } = await stat(index);
    await utimes(file, atime, new Date(Math.floor(mtimeMs)));
  }
  return { file, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
