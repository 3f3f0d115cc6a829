// The points since which changes are reviewed: messages of the session by its checkpoints, commits by the git extension.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type AgentSession } from '../../core/feature/agent-session';
import { type FileState, type RewindStep, type SessionCheckpoints } from '../../core/ports/checkpoints';
import { openDocument } from '../files/open-documents';
import { pathOf, uriOf } from '../host/uri-path';
import { decodeKept } from '../review/call-diff';
import { type ComparedFile } from '../review/compared-files';
import { gitApi, type GitRepository, newFilesOf } from './git-extension';

export interface ReviewPoint {
  key: string;
  /** "since your last message". */
  since: string;
  detail?: string;
  /** The session began there. */
  isSession?: true;
  load(): Promise<PointFiles>;
}

export interface PointFiles {
  files: ComparedFile[];
  /** Names of files that changed, but have no texts to compare. */
  left: string[];
}

/** A diff of larger files says less than it costs. */
const maxBytes = 5_000_000;
/** Earlier messages that are listed. */
const mostMessages = 20;
/** Where git does not know from which branch one was made, as without a remote. */
const usualBases = ['origin/main', 'origin/master', 'main', 'master', 'trunk', 'develop'];
/** Files at a time: each is a process of git, or asks VS Code for a file. */
const atATime = 8;

/** The last message first, then the session's beginning, the commits, and the other messages. */
export async function reviewPoints(session: AgentSession | undefined): Promise<ReviewPoint[]> {
  const { checkpoints } = session?.settings ?? {};
  const points = (await checkpoints?.points()) ?? [];
  const pointOf = (at: number, since: string): ReviewPoint[] => {
    const point = points.at(at);
    if (point === undefined || checkpoints === undefined) return [];
    const text = point.text.replace(/\s+/g, ' ').trim();
    return [
      {
        key: point.id,
        since,
        ...(text === '' ? {} : { detail: text }),
        ...(point === points[0] ? { isSession: true } : {}),
        load: () => filesSincePoint(point.id, checkpoints),
      },
    ];
  };
  const others = points.slice(1, -1).slice(-mostMessages).reverse();
  return [
    ...pointOf(-1, 'since your last message'),
    ...(points.length > 1 ? pointOf(0, 'since this session began') : []),
    ...(await commitPoints()),
    ...others.flatMap(({ at, id }) =>
      pointOf(
        points.findIndex((point) => point.id === id),
        `since ${new Date(at).toLocaleTimeString()}`,
      ),
    ),
  ];
}

async function filesSincePoint(id: string, checkpoints: SessionCheckpoints): Promise<PointFiles> {
  const preview = await checkpoints.preview(id);
  const { steps = [], lost = [], asThen = [] } = preview?.plan ?? {};
  const files: ComparedFile[] = [];
  const left = lost.map((file) => path.posix.basename(file.path));
  for (const { one: step, made: file } of await inBatches(steps, (step) => fileOfStep(step, checkpoints))) {
    if (file !== undefined) files.push(file);
    else if (!isFolder(step)) left.push(path.posix.basename(step.path));
  }
  return { files: [...files, ...(await unsavedOf(asThen))], left };
}

/** In their order; some at a time, so that none waits for the answers to all before it. */
async function inBatches<One, Made>(
  all: readonly One[],
  make: (one: One) => Promise<Made>,
): Promise<{ one: One; made: Made }[]> {
  const results: { one: One; made: Made }[] = [];
  for (let start = 0; start < all.length; start += atATime)
    results.push(
      ...(await Promise.all(all.slice(start, start + atATime).map(async (one) => ({ one, made: await make(one) })))),
    );
  return results;
}

function isFolder({ from, to }: RewindStep): boolean {
  return from.kind === 'folder' || to.kind === 'folder';
}

async function fileOfStep({ path: file, from, to }: RewindStep, checkpoints: SessionCheckpoints) {
  const textOf = async (state: FileState): Promise<string | undefined> => {
    if (state.kind !== 'file' || state.size > maxBytes) return undefined;
    const bytes = await checkpoints.bytes(state);
    return bytes && decodeKept(bytes, file);
  };
  if (from.kind !== 'file' && from.kind !== 'absent') return undefined;
  // What cannot be shown as text now has no diff either.
  if (from.kind === 'file' && (from.size > maxBytes || !(await isText(file)))) return undefined;
  if (to.kind === 'absent') return { path: file, before: undefined };
  const before = await textOf(to);
  return before === undefined ? undefined : { path: file, before, gone: from.kind === 'absent' };
}

/** Read from the disk itself: VS Code's own way asks its window for every file. */
async function isText(file: string): Promise<boolean> {
  return readFile(uriOf(file).fsPath).then(
    async (bytes) => (await decodeKept(bytes, file)) !== undefined,
    () => false,
  );
}

/** The disk has them as they were then; what calls changed stands in an editor. */
async function unsavedOf(paths: readonly string[]): Promise<ComparedFile[]> {
  const files: ComparedFile[] = [];
  for (const file of paths) {
    if (openDocument([uriOf(file)])?.isDirty !== true) continue;
    const before = await decodeKept(await readFile(uriOf(file).fsPath), file);
    if (before !== undefined) files.push({ path: file, before });
  }
  return files;
}

async function commitPoints(): Promise<ReviewPoint[]> {
  const repositories = (await gitApi().catch(() => undefined))?.repositories ?? [];
  const own = repositories.filter(({ rootUri, state }) => isOfWorkspace(rootUri) && state.HEAD?.commit !== undefined);
  if (own.length === 0) return [];
  const bases = new Map<GitRepository, string>();
  let baseName = '';
  for (const repository of own) {
    const found = await branchPoint(repository).catch(() => undefined);
    if (found === undefined) continue;
    bases.set(repository, found.commit);
    baseName = found.name;
  }
  return [
    {
      key: `HEAD ${own.map(({ state }) => state.HEAD?.commit).join(' ')}`,
      since: 'since the last commit',
      load: () => filesOfRepositories(own.map((repository) => [repository, 'HEAD'])),
    },
    ...(bases.size === 0
      ? []
      : [
          {
            key: `base ${[...bases.values()].join(' ')}`,
            since: 'since this branch began',
            detail: `at ${baseName}`,
            load: () => filesOfRepositories([...bases]),
          },
        ]),
  ];
}

function isOfWorkspace(root: vscode.Uri): boolean {
  const top = pathOf(root);
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => {
    const folder = pathOf(uri);
    return folder === top || folder.startsWith(`${top}/`) || top.startsWith(`${folder}/`);
  });
}

async function branchPoint(repository: GitRepository): Promise<{ name: string; commit: string } | undefined> {
  const { name, commit } = repository.state.HEAD ?? {};
  if (name === undefined || commit === undefined) return undefined;
  const base = await repository.getBranchBase(name).catch(() => undefined);
  const known = base?.name === undefined || (base.remote === undefined && base.name === name) ? undefined : base;
  const names = known === undefined ? usualBases.filter((usual) => usual !== name) : [fullNameOf(known)];
  for (const full of names) {
    const found = await repository.getMergeBase(commit, full).catch(() => undefined);
    if (found === undefined) continue;
    // Nothing was committed on it yet: that is the last commit.
    return found === commit ? undefined : { name: full, commit: found };
  }
  return undefined;
}

function fullNameOf({ name = '', remote }: { readonly name?: string; readonly remote?: string }): string {
  return remote === undefined ? name : `${remote}/${name}`;
}

async function filesOfRepositories(of: readonly (readonly [GitRepository, string])[]): Promise<PointFiles> {
  const found: PointFiles = { files: [], left: [] };
  for (const [repository, ref] of of) {
    await repository.status();
    // Its own diffWithHEAD leaves out what is staged.
    const changed = await repository.diffWith(ref);
    const known = changed.map(({ uri, originalUri, renameUri }) => ({
      now: renameUri ?? uri,
      then: originalUri as vscode.Uri | undefined,
    }));
    const added = newFilesOf(repository).map((name) => ({
      now: vscode.Uri.joinPath(repository.rootUri, name),
      then: undefined,
    }));
    const all = [...new Map([...known, ...added].map((one) => [one.now.toString(), one])).values()];
    for (const { one, made: file } of await inBatches(all, ({ now, then }) => fileOfCommit(repository, ref, now, then)))
      if (file === undefined) found.left.push(path.posix.basename(one.now.path));
      else found.files.push(file);
  }
  found.files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return found;
}

async function fileOfCommit(
  repository: GitRepository,
  ref: string,
  now: vscode.Uri,
  then: vscode.Uri | undefined,
): Promise<ComparedFile | undefined> {
  const file = pathOf(now);
  const stat = await vscode.workspace.fs.stat(now).then(
    (found) => found,
    () => undefined,
  );
  if (stat !== undefined && (stat.type !== vscode.FileType.File || stat.size > maxBytes)) return undefined;
  const bytes = then && (await repository.buffer(ref, then.fsPath).catch(() => undefined));
  const before = bytes && (await decodeKept(bytes, file));
  if (bytes !== undefined && before === undefined) return undefined;
  if (stat === undefined) return before === undefined ? undefined : { path: file, before, gone: true };
  return (await isText(file)) ? { path: file, before } : undefined;
}
