// What was changed in a worktree since it and the checkout were one, committed or not: as texts to compare and merge, and as commits. Neither index is touched.
import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRawChanges } from '../../core/commit/changes';
import { type Worktree } from '../../core/ports/worktrees';
import { reasonOf } from './git-output';
import { maxOutput, type RunGit } from './run-git';
import { askOf } from './session-trees';
import { isLinkOfGit } from './worktree-link';

export interface TreeText {
  /** Below the root of the worktree and of the checkout. */
  name: string;
  /** Undefined where there was no such file. */
  base: string | undefined;
  /** Undefined where it is gone. */
  theirs: string | undefined;
}

export interface TreeChanges {
  /** The last commit that both have. */
  base: string;
  head: string;
  texts: TreeText[];
  /** What is no text: its name, and why. */
  left: { name: string; why: string }[];
  /** The oldest first. */
  commits: { id: string; subject: string }[];
  /** Changed files that no commit has. */
  uncommitted: string[];
}

const maxBytes = 5_000_000;
const kinds: Readonly<Record<string, string>> = { '120000': 'it is a link', '160000': 'it is a submodule' };

/** A sentence where it cannot be determined. */
export async function treeChanges(
  { path: place, checkout }: Pick<Worktree, 'path' | 'checkout'>,
  run: RunGit,
): Promise<TreeChanges | string> {
  const ask = askOf(run);
  if (!(await isLinkOfGit(path.resolve(place)))) return `The \`.git\` of ${place} is not as git created it.`;
  const [head, here] = await Promise.all(
    [place, checkout].map((one) => ask(one, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')),
  );
  const base = head && here && (await ask(place, 'merge-base', head, here));
  if (head === undefined || base === undefined || base === '')
    return `${place} and ${checkout} have no commit in common.`;
  const diff = 'diff --raw -z --no-renames --no-abbrev --no-ext-diff --ignore-submodules=all'.split(' ');
  const [raw, untracked, uncommitted, log] = await Promise.all([
    wholeOutput(run, place, [...diff, base], 'latin1'),
    wholeOutput(run, place, ['ls-files', '--others', '--exclude-standard', '-z']),
    uncommittedNames(run, place),
    wholeOutput(run, place, ['log', '--reverse', '--topo-order', '--format=%H%x09%s', `${base}..${head}`]),
  ]);
  if (raw === undefined || untracked === undefined || uncommitted === undefined || log === undefined)
    return `git cannot read the changes of ${place}.`;
  const changes: TreeChanges = {
    base,
    head,
    texts: [],
    left: [],
    commits: log.split('\n').flatMap((line) => {
      const [id = '', subject = ''] = line.split('\t');
      return id === '' ? [] : [{ id, subject }];
    }),
    uncommitted,
  };
  for (const one of [...changedFiles(raw), ...newFiles(untracked)]) await readOne(one, place, changes, run);
  changes.texts.sort((one, other) => (one.name < other.name ? -1 : 1));
  return changes;
}

/** As git says it: names may begin or end with a blank. Undefined where it fails, or where what it says was cut. */
export async function wholeOutput(
  run: RunGit,
  folder: string,
  args: readonly string[],
  encoding?: 'utf8' | 'latin1',
): Promise<string | undefined> {
  const end = await run(folder, args, undefined, encoding);
  return end.kind === 'ended' && end.code === 0 && end.stdout.length < maxOutput ? end.stdout : undefined;
}

/** Changed and new files that no commit has, below the top of the checkout; undefined where git cannot tell. */
export async function uncommittedNames(run: RunGit, checkout: string): Promise<string[] | undefined> {
  const args = 'status --porcelain -z --no-renames --untracked-files=all --ignore-submodules=all'.split(' ');
  const status = await wholeOutput(run, checkout, args);
  return status?.split('\0').flatMap((entry) => (entry.length > 3 ? [entry.slice(3)] : []));
}

interface ChangedFile {
  name: string;
  /** Undefined where the base has none. */
  blob: string | undefined;
  modes: readonly string[];
}

function changedFiles(raw: string): ChangedFile[] {
  return readRawChanges(raw).map(({ path: name, before, after }) => ({
    name,
    blob: before?.id,
    modes: [before, after].map((entry) => entry?.mode ?? ''),
  }));
}

function newFiles(untracked: string): ChangedFile[] {
  return untracked.split('\0').flatMap((name) => (name === '' ? [] : [{ name, blob: undefined, modes: [] }]));
}

async function readOne({ name, blob, modes }: ChangedFile, place: string, changes: TreeChanges, run: RunGit) {
  const leave = (why: string): void => void changes.left.push({ name, why });
  const kind = modes.map((mode) => kinds[mode]).find((one) => one !== undefined);
  if (kind !== undefined) return leave(kind);
  if (name.endsWith('/')) return leave('it is a repository of its own');
  const file = path.join(place, name);
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink() === true) return leave('it is a link');
  if (found !== undefined && !found.isFile()) return leave('it is no file');
  if ((found?.size ?? 0) > maxBytes) return leave('it is larger than 5 MB');
  const theirs = found === undefined ? undefined : textOf(await readFile(file));
  const before = blob === undefined ? undefined : await readBlob(blob, place, run);
  const base = before && textOf(before);
  if ((found !== undefined && theirs === undefined) || (blob !== undefined && base === undefined))
    return leave('it is no UTF-8 text');
  if (theirs === base && blob !== undefined) {
    if (new Set(modes).size > 1) leave('only its mode was changed');
    return;
  }
  changes.texts.push({ name, base, theirs });
}

async function readBlob(blob: string, place: string, run: RunGit): Promise<Uint8Array | undefined> {
  const end = await run(place, ['cat-file', 'blob', blob], undefined, 'latin1');
  return end.kind === 'ended' && end.code === 0 && end.stdout.length <= maxBytes
    ? Buffer.from(end.stdout, 'latin1')
    : undefined;
}

/** Without a byte order mark, as editors show it; undefined for anything but UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface MergedText {
  text: string;
  /** Places that both have changed: in the text they are between git's marks. */
  conflicts: number;
}

/** Three-way, by git, in files of its own. A sentence where git refuses. */
export async function mergeTexts(
  { ours, base, theirs }: { ours: string; base: string; theirs: string },
  labels: { ours: string; theirs: string },
  run: RunGit,
): Promise<MergedText | string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deft-merge-'));
  try {
    const names = ['ours', 'base', 'theirs'].map((name) => path.join(folder, name));
    await Promise.all([ours, base, theirs].map((text, at) => writeFile(names[at] ?? '', text)));
    const marks = [labels.ours, 'before', labels.theirs].flatMap((label) => ['-L', label]);
    const end = await run(folder, ['merge-file', '-p', ...marks, ...names]);
    if (end.kind === 'missing') return 'git was not found.';
    // The number of conflicts, up to 127; more is an error.
    return end.code < 0 || end.code > 127 ? reasonOf(end.stderr) : { text: end.stdout, conflicts: end.code };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
