// Makes the planned commits in their order, all or none: from an index of its own, so that what the user has staged and the files stay as they are.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { applyGitHunks, type FileChange, type GitEntry, readRawChanges } from '../../core/commit/changes';
import { type PlannedCommit } from '../../core/commit/commit-plan';
import { reasonOf } from '../worktrees/git-output';
import { type Git, GitFailure, openRepository, type Repository, scratchIndex, type Uncommitted } from './read-changes';

export interface MadeCommit {
  id: string;
  subject: string;
  /** A hook of the repository changed what was committed. */
  byHook: boolean;
}

export type CommitsOutcome =
  | { kind: 'made'; commits: MadeCommit[] }
  | {
      kind: 'failed';
      message: string;
      /** All that git and hooks printed. */
      output: string;
      /** Of the commit that could not be made, counted from 1; undefined where it came to none. */
      at?: number;
      /** Commits were made before, and taken back. */
      takenBack: number;
      /** HEAD is not what it was: why. */
      unrestored?: string;
    };

/** Hooks may run tests. */
const longestCommitMs = 30 * 60_000;
const lockTries = 15;
const lockWaitMs = 100;

/** What the index has for a path; undefined for nothing. */
type Entries = Map<string, GitEntry | undefined>;

export async function makeCommits(
  uncommitted: Uncommitted,
  commits: readonly PlannedCommit[],
  signal?: AbortSignal,
): Promise<CommitsOutcome> {
  const failed = (error: unknown): CommitsOutcome => ({ kind: 'failed', ...wordsOf(error), takenBack: 0 });
  const { repository } = uncommitted;
  let steps: Entries[];
  let index: Entries;
  try {
    const now = await openRepository(repository.environment, repository.root, signal);
    if (now.head !== repository.head || now.branch !== repository.branch)
      throw new GitFailure('The repository has moved to another commit or branch since. Make the plan anew.', '');
    steps = await stepsOf(uncommitted, commits, signal);
    index = await indexAfter(uncommitted, steps, signal);
  } catch (error) {
    return failed(error);
  }
  const scratch = await scratchIndex(repository.index);
  const made: Committed[] = [];
  const variables = { GIT_INDEX_FILE: scratch.file, GIT_EDITOR: 'true' };
  try {
    // Entries that are as in the commit keep what git knows of their files.
    await repository.git.run({ args: ['read-tree', '--reset', repository.base], variables }, signal);
    for (const [at, step] of steps.entries()) {
      await writeEntries(repository, step, variables, signal);
      const after = made.at(-1)?.id ?? repository.head;
      made.push(await commitOnce(repository, { message: commits[at]?.message ?? '', after, variables }, signal));
    }
    await addHooked(uncommitted, made, index);
    await writeIndex(repository, index);
    return {
      kind: 'made',
      commits: made.map(({ planned, tree, ...commit }) => ({ ...commit, byHook: tree !== planned })),
    };
  } catch (error) {
    const reached = made.length < commits.length ? { at: made.length + 1 } : {};
    return { kind: 'failed', ...wordsOf(error), ...reached, ...(await takeBack(repository, made, variables)) };
  } finally {
    await scratch.remove();
  }
}

function wordsOf(error: unknown): { message: string; output: string } {
  if (error instanceof GitFailure) return { message: error.message, output: error.output };
  return { message: error instanceof Error ? error.message : String(error), output: '' };
}

interface Committed extends Omit<MadeCommit, 'byHook'> {
  /** The tree as it was shown, and as it was committed. */
  planned: string;
  tree: string;
}

async function commitOnce(
  { git }: Repository,
  { message, after, variables }: { message: string; after: string | undefined; variables: Record<string, string> },
  signal: AbortSignal | undefined,
): Promise<Committed> {
  if ((await headOf(git)) !== after) throw new GitFailure('Somebody else has made a commit meanwhile.', '');
  const planned = (await git.run({ args: ['write-tree'], variables }, signal)).trim();
  const ended = await git.end(
    {
      // What the preview showed is the message, also its lines that begin with #.
      args: ['commit', '--quiet', '--cleanup=whitespace', '--file=-'],
      settings: ['i18n.commitEncoding=utf-8'],
      input: message,
      variables,
      hooks: true,
      longestMs: longestCommitMs,
    },
    signal,
  );
  const output = `${ended.stdout}${ended.stderr}`.trim();
  if (ended.code !== 0)
    throw new GitFailure(
      output === '' ? 'A hook of the repository refused the commit, and did not say why.' : reasonOf(output),
      output,
    );
  const [id = '', tree = '', subject = ''] = (
    await git.run({ args: ['log', '-1', '--no-show-signature', '--format=%H%n%T%n%s'] })
  ).split('\n');
  return { id, subject, planned, tree };
}

async function headOf(git: Git): Promise<string | undefined> {
  const { code, stdout } = await git.end({ args: ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'] });
  return code === 0 ? stdout.trim() : undefined;
}

/** What hooks changed in commits is in the index then, as after any commit; but not in place of what the user has staged. */
async function addHooked(
  { repository: { git }, staged }: Uncommitted,
  made: readonly Committed[],
  index: Entries,
): Promise<void> {
  for (const { planned, tree } of made) {
    if (planned === tree) continue;
    const args = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--abbrev=64', planned, 'HEAD'];
    for (const { path: file, after } of readRawChanges(await git.run({ args, bytes: true })))
      if (!staged.has(file)) index.set(file, after);
  }
}

/** HEAD as it was, unless somebody else has moved it since. The index was not touched. */
async function takeBack(
  { git, head }: Repository,
  made: readonly Committed[],
  variables: Record<string, string>,
): Promise<{ takenBack: number; unrestored?: string }> {
  const current = await headOf(git);
  if (current === head) return { takenBack: 0 };
  const unrestored = 'Somebody else has moved HEAD meanwhile, so it was left where it is.';
  if (current === undefined) return { takenBack: 0, unrestored };
  const range = head === undefined ? current : `${head}..${current}`;
  const listed = await git.end({ args: ['rev-list', '--first-parent', range, '--'] });
  const ids = listed.stdout.split('\n').filter((id) => id !== '');
  const others = ids.filter((id) => !made.some((one) => one.id === id));
  if (listed.code !== 0 || ids.length - others.length !== made.length || !(await areUnseen(git, others, variables)))
    return { takenBack: 0, unrestored };
  const args = head === undefined ? ['-d', 'HEAD', current] : ['HEAD', head, current];
  const back = await git.end({ args: ['update-ref', '-m', 'deft: take back', ...args] });
  if (back.code !== 0) return { takenBack: 0, unrestored: `HEAD could not be set back: ${reasonOf(back.stderr)}` };
  return { takenBack: ids.length };
}

/** A commit that was cancelled too late: one, of the very tree that was to be committed. */
async function areUnseen(git: Git, ids: readonly string[], variables: Record<string, string>): Promise<boolean> {
  const [only] = ids;
  if (only === undefined || ids.length > 1) return ids.length === 0;
  const [tree, own] = await Promise.all([
    git.end({ args: ['rev-parse', `${only}^{tree}`] }),
    git.end({ args: ['write-tree'], variables }),
  ]);
  return tree.code === 0 && own.code === 0 && tree.stdout === own.stdout;
}

/** What each commit changes, on top of those before it. */
async function stepsOf(
  { repository: { git }, changes }: Uncommitted,
  commits: readonly PlannedCommit[],
  signal: AbortSignal | undefined,
): Promise<Entries[]> {
  const taken = new Set<string>();
  const steps: Entries[] = [];
  for (const { parts } of commits) {
    for (const part of parts) taken.add(part);
    const entries: Entries = new Map();
    for (const change of changes) {
      if (!change.parts.some(({ id }) => parts.includes(id))) continue;
      if (change.oldPath !== undefined) entries.set(change.oldPath, undefined);
      entries.set(change.path, await entryOf(git, change, taken, signal));
    }
    steps.push(entries);
  }
  return steps;
}

async function entryOf(
  git: Git,
  change: FileChange,
  taken: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<GitEntry | undefined> {
  const chosen = change.parts.filter(({ id }) => taken.has(id));
  if (chosen.length === change.parts.length || change.before === undefined) return change.after;
  const before = await contentOf(git, change.before, signal);
  const text = applyGitHunks(
    before,
    chosen.flatMap(({ hunks }) => hunks),
  );
  if (text === undefined) throw new GitFailure(`The chosen lines of ${change.path} do not fit its last commit.`, '');
  return { mode: change.before.mode, id: await keep(git, text, signal) };
}

/** Bytes as characters. */
export function contentOf(git: Git, { id }: GitEntry, signal?: AbortSignal): Promise<string> {
  return git.run({ args: ['cat-file', 'blob', id], bytes: true, maxOutput: 200_000_000 }, signal);
}

async function keep(git: Git, text: string, signal?: AbortSignal): Promise<string> {
  const args = ['hash-object', '-w', '--stdin'];
  return (await git.run({ args, bytes: true, input: text }, signal)).trim();
}

/** What the user's index gets: what was committed, with what they have staged besides on top. */
async function indexAfter(
  { repository: { git, index }, changes, staged }: Uncommitted,
  steps: readonly Entries[],
  signal: AbortSignal | undefined,
): Promise<Entries> {
  const committed: Entries = new Map(steps.flatMap((step) => [...step]));
  const before = new Map<string, GitEntry | undefined>(
    changes.flatMap((change): [string, GitEntry | undefined][] =>
      change.oldPath === undefined
        ? [[change.path, change.before]]
        : [
            [change.oldPath, change.before],
            [change.path, undefined],
          ],
    ),
  );
  const after: Entries = new Map();
  for (const [file, entry] of committed) {
    const own = staged.has(file) ? staged.get(file) : undefined;
    const isWhole = isSame(entry, changes.find((change) => change.path === file)?.after);
    after.set(
      file,
      !staged.has(file) || isSame(own, entry)
        ? entry
        : await mergeStaged({ git, index, file, base: before.get(file), own, entry, isWhole }, signal),
    );
  }
  return after;
}

interface StagedFile {
  git: Git;
  index: string;
  file: string;
  base: GitEntry | undefined;
  own: GitEntry | undefined;
  entry: GitEntry | undefined;
  /** All of the file is committed: what was staged of it before was on the way there. */
  isWhole: boolean;
}

/** What the user has staged, on top of what is committed now. */
async function mergeStaged(
  { git, index, file, base, own, entry, isWhole }: StagedFile,
  signal: AbortSignal | undefined,
): Promise<GitEntry | undefined> {
  if (base !== undefined && own !== undefined && entry !== undefined) {
    const scratch = await scratchIndex(index);
    try {
      const files = ['own', 'base', 'committed'].map((name) => path.join(scratch.folder, name));
      for (const [at, one] of [own, base, entry].entries())
        await writeFile(files[at] ?? '', await contentOf(git, one, signal), 'latin1');
      const merged = await git.end(
        { args: ['merge-file', '-p', '-q', ...files], bytes: true, maxOutput: 200_000_000 },
        signal,
      );
      if (merged.code === 0)
        return { mode: own.mode === base.mode ? entry.mode : own.mode, id: await keep(git, merged.stdout, signal) };
    } finally {
      await scratch.remove();
    }
  }
  if (isWhole) return entry;
  throw new GitFailure(
    `${file}: you have staged another version of lines that are to be committed. Stage all of the file, unstage it, or leave it out.`,
    '',
  );
}

function isSame(one: GitEntry | undefined, other: GitEntry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

/** Paths that go first: a folder may stand in the place of a file. */
async function writeEntries(
  { git, base }: Repository,
  entries: Entries,
  variables: Record<string, string>,
  signal?: AbortSignal,
): Promise<void> {
  const lines = [...entries]
    .sort(([, one], [, other]) => Number(one !== undefined) - Number(other !== undefined))
    .map(
      ([file, entry]) =>
        `${entry === undefined ? `0 ${'0'.repeat(base.length)}` : `${entry.mode} ${entry.id}`}\t${file}\0`,
    );
  if (lines.length > 0)
    await git.run({ args: ['update-index', '-z', '--index-info'], input: lines.join(''), variables }, signal);
}

/** Another git, such as that of the editor, may hold the index for a moment. */
async function writeIndex(repository: Repository, entries: Entries): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await writeEntries(repository, entries, {});
      break;
    } catch (error) {
      const isLocked = error instanceof GitFailure && /index\.lock/.test(`${error.message}${error.output}`);
      if (!isLocked || attempt === lockTries) throw error;
      await wait(lockWaitMs);
    }
  }
  // Only for speed: git would look at these files anew.
  await repository.git.end({ args: ['update-index', '-q', '--refresh'] });
}
