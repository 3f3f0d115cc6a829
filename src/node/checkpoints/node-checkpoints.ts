// The Checkpoints port on the disk: `<session folder>/checkpoints/` holds a log, kept bytes and the shadow of the workspace.
import { defined } from '../../shared/defined';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';
import {
  type CallToGuard,
  type CheckpointEntry,
  type Checkpoints,
  type FileState,
  type RewindStep,
  type SessionCheckpoints,
} from '../../core/ports/checkpoints';
import {
  changedSince,
  fullFolder,
  isFullFolder,
  planRewind,
  promptPoints,
  sameState,
} from '../../core/rewind/plan-rewind';
import { portPath } from '../files/port-path';
import { type BlobStore, openBlobStore } from './blob-store';
import { changesOfCall } from './call-changes';
import { type CheckpointLog, openCheckpointLog } from './checkpoint-log';
import { copyCheckpoints } from './copy-checkpoints';
import { isEmptyFolder, keepState, look } from './file-state';
import { isOutside } from './outside-run';
import { pruneCheckpoints } from './prune-checkpoints';
import { putBack } from './put-back';
import { type SnapshotLimits } from './manifest';
import { openSnapshot, type PathChange, type Snapshot, snapshotLimits } from './snapshot';

export interface NodeCheckpointsOptions {
  ripgrep: () => Promise<string | undefined>;
  log: Log;
  uuid: () => string;
  /** The first snapshot is taken with the first prompt, while the model thinks; else with the first command. */
  early: boolean;
  limits?: SnapshotLimits;
  /** What a user has saved since that time, in milliseconds since the epoch: not all that changes during a command is the command's. */
  savedSince?: (time: number) => ReadonlySet<string>;
  /** How long a command waits for its snapshot. */
  patienceMs?: number;
}

interface Store {
  log: CheckpointLog;
  blobs: BlobStore;
  snapshot: Snapshot;
  /** All that were ever of the workspace. */
  folders: string[];
}

const defaultPatienceMs = 10_000;
const longestText = 200;
/** In the folder of all sessions: the one whose snapshot the next one starts from. */
const latestName = 'latest-checkpoints';

export function createNodeCheckpoints(options: NodeCheckpointsOptions): Checkpoints {
  const folderOf = (resultsDirectory: string): string => path.join(path.dirname(resultsDirectory), 'checkpoints');
  return {
    open: ({ id, resultsDirectory, folders }) => openSession(id, path.dirname(resultsDirectory), folders, options),
    copy: (from, to) =>
      copyCheckpoints(folderOf(from), folderOf(to)).catch((error: unknown) =>
        options.log.warn(`The checkpoints of a fork: ${messageOf(error)}`),
      ),
  };
}

function openSession(
  id: string,
  sessionFolder: string,
  begunWith: readonly string[],
  options: NodeCheckpointsOptions,
): SessionCheckpoints {
  const directory = path.join(sessionFolder, 'checkpoints');
  const abort = new AbortController();
  let folders = begunWith;
  let store: Promise<Store> | undefined;
  let early = options.early;
  let othersRan = false;
  let missed = false;
  /** When the last look at the workspace began. */
  let lastLook = Date.now();
  const opened = (): Promise<Store> => (store ??= openStore(directory, id, folders, options));
  const complain = (error: unknown): void => {
    if (!abort.signal.aborted) options.log.warn(`The checkpoints of session ${id}: ${messageOf(error)}`);
  };
  /** Looks at the workspace take long, and an edit does not wait for one: so there are two queues. */
  const looks = createQueue(opened, complain);
  const steps = createQueue(opened, complain);

  const keepOne = async ({ blobs }: Pick<Store, 'blobs'>, file: string): Promise<FileState> => {
    const stats = await look(file);
    // Of folders only the empty ones count.
    if (stats?.isDirectory() === true && !(await isEmptyFolder(file))) return fullFolder;
    return keepState(file, stats, blobs);
  };
  const marked = new Set<string>();
  const point = (kind: 'prompt' | 'call' | 'rewind', pointId: string, text?: string): CheckpointEntry => ({
    type: 'point',
    kind,
    id: pointId,
    at: Date.now(),
    ...defined({ text }),
  });
  const pathsOf = (entries: readonly CheckpointEntry[]): Set<string> =>
    new Set(entries.flatMap((entry) => (entry.type === 'before' ? [entry.path] : [])));
  /** What changed since the last look; nobody's unless `by` is named. */
  const lookAgain = async (
    { log, snapshot }: Store,
    by: string | undefined,
    doubt: boolean,
    known: readonly string[] = [],
    ran?: { since: number; until: number },
  ): Promise<void> => {
    const first = !snapshot.taken;
    const looked = Date.now();
    const changes = await snapshot.update([...pathsOf(log.entries), ...known], abort.signal);
    if (!first && by !== undefined) {
      const saved = options.savedSince?.(ran?.since ?? looked) ?? new Set();
      const isOthers = (change: PathChange): boolean =>
        saved.has(portPath(change.path)) ||
        (ran !== undefined && isOutside(change.changedAt, { ...ran, before: lastLook, now: Date.now() }));
      // First what a rewind goes by: the snapshot is only a cache of it.
      await log.append(
        changes.flatMap((change): CheckpointEntry[] => {
          const { before, after } = change;
          const at = portPath(change.path);
          return [
            { type: 'before', by, path: at, state: before, ...(doubt || isOthers(change) ? { doubt: true } : {}) },
            { type: 'after', by, path: at, state: after },
          ];
        }),
      );
    }
    lastLook = looked;
    await snapshot.save().catch(complain);
  };
  /** Who may have changed files since the last look, besides people. */
  const suspect = ({ log }: Store): string | undefined => {
    const open = new Set<string>();
    let last: string | undefined;
    for (const entry of log.entries) {
      if (entry.type === 'began') open.add((last = entry.by));
      else if (entry.type === 'ended') open.delete(entry.by);
    }
    return othersRan ? last : [...open].at(-1);
  };
  const catchUp = async (opened: Store, known: readonly string[] = []): Promise<void> => {
    const by = suspect(opened);
    await lookAgain(opened, by, true, known);
    if (by !== undefined && !othersRan) await opened.log.append([{ type: 'ended', by }]);
  };

  const guard = async (opened: Store, call: CallToGuard): Promise<void> => {
    const entries: CheckpointEntry[] = [point('call', call.id)];
    for (const file of call.files) {
      const state = await keepOne(opened, file);
      if (!isFullFolder(state)) entries.push({ type: 'before', by: call.id, path: file, state });
      const emptied = state.kind === 'absent' ? await emptyParent(file) : undefined;
      if (emptied !== undefined)
        entries.push({ type: 'before', by: call.id, path: emptied, state: await keepOne(opened, emptied) });
    }
    if (call.anything) entries.push({ type: 'began', by: call.id });
    await opened.log.append(entries);
  };
  const leftBy = async (opened: Store, call: CallToGuard): Promise<CheckpointEntry[]> =>
    Promise.all(
      call.files.map(async (file): Promise<CheckpointEntry> => ({
        type: 'after',
        by: call.id,
        path: file,
        state: await keepOne(opened, file),
      })),
    );

  return {
    prompt(promptId, text) {
      if (marked.has(promptId)) return;
      marked.add(promptId);
      steps
        .add(({ log }) => log.append([point('prompt', promptId, text.slice(0, longestText))]))
        .catch(() => undefined);
      // In both queues: what somebody is about to keep stays.
      looks.add(() => steps.add(pruneCheckpoints)).catch(() => undefined);
      if (!early) return;
      early = false;
      looks
        .add(async (at) => {
          await catchUp(at);
          await writeFile(path.join(path.dirname(sessionFolder), latestName), id, { mode: 0o600 });
        })
        .catch(() => undefined);
    },
    async before(call) {
      const looked = call.anything
        ? looks.add((at) => catchUp(at, call.files)).catch(() => undefined)
        : Promise.resolve();
      if (
        (await Promise.race([looked.then(() => 'looked'), patience(options.patienceMs ?? defaultPatienceMs)])) ===
        undefined
      )
        missed = true;
      await steps.add((at) => guard(at, call)).catch(() => (missed = true));
      const since = Date.now();
      return async () => {
        const until = Date.now();
        if (call.anything)
          await looks
            .add((at) => lookAgain(at, call.id, call.othersRun, call.files, { since, until }))
            .catch(() => (missed = true));
        // Looked at now, whatever stands in the queue: what somebody else writes next is not this call's.
        const left = opened().then((at) => leftBy(at, call));
        // Told below, when its turn has come.
        left.catch(() => undefined);
        const ended: CheckpointEntry[] = call.anything ? [{ type: 'ended', by: call.id }] : [];
        const settled = steps
          .add(async ({ log }) => log.append([...(await left), ...ended]))
          .catch(() => (missed = true));
        // What an edit has left is kept while the model is asked; whatever changes files next waits for it in the queue.
        if (!call.anything) return;
        await settled;
        othersRan = call.othersRun;
      };
    },
    points: () => steps.add(async ({ log }) => promptPoints(log.entries)),
    async preview(to) {
      await looks
        .add(async (at) => {
          if (at.snapshot.taken && suspect(at) !== undefined) await catchUp(at);
        })
        .catch(() => undefined);
      return steps.add(async (at) => {
        const plan = planRewind(at.log.entries, to, await statesOf(at, changedSince(at.log.entries, to), keepOne));
        return plan === undefined
          ? undefined
          : { plan, uncovered: { ...at.snapshot.uncovered, unlisted: at.snapshot.uncovered.unlisted || missed } };
      });
    },
    rewind: (to, asked) =>
      steps.add(async (at) => {
        const { log, blobs } = at;
        const undo = `rewind:${options.uuid()}`;
        const wanted = new Map(asked.map(({ path: one, from }) => [one, from]));
        const disk = await statesOf(
          at,
          changedSince(log.entries, to).filter((one) => wanted.has(one)),
          keepOne,
        );
        const found = (planRewind(log.entries, to, disk)?.steps ?? []).filter(
          (step) => wanted.has(step.path) && isKept(step.to, blobs),
        );
        const isAsShown = ({ path: one, from }: RewindStep): boolean => sameState(from, wanted.get(one) ?? from);
        const planned = found.filter(isAsShown);
        const changed = found
          .filter((step) => !isAsShown(step))
          .map((step) => ({
            path: step.path,
            message: `${step.path} was left alone: it has changed in the meantime.`,
          }));
        await blobs.sync(planned.flatMap(({ from }) => (from.kind === 'file' ? [from.hash] : [])));
        // First what is there, so that a rewind which is cut short can be repeated, and taken back.
        await log.append([
          point('rewind', undo),
          ...planned.flatMap(({ path: one, from, to: target }): CheckpointEntry[] => [
            { type: 'before', by: undo, path: one, state: from },
            { type: 'after', by: undo, path: one, state: target },
          ]),
        ]);
        const { done, failed } = await putBack(planned, at.folders, blobs);
        return { undo, done, failed: [...changed, ...failed] };
      }),
    follow(wanted) {
      folders = wanted;
      if (store === undefined) return;
      const now = realFolders(folders);
      looks
        .add(async (at) => {
          at.snapshot.follow(await now);
          at.folders = [...new Set([...at.folders, ...(await now)])];
        })
        .catch(() => undefined);
    },
    changedBy: (by) => steps.add(async ({ log }) => changesOfCall(log.entries, by)),
    bytes: (state) =>
      steps.add(async ({ blobs }) =>
        state.kind === 'file' && blobs.has(state.hash) ? blobs.read(state.hash) : undefined,
      ),
    copyTo: (session) =>
      steps.add(() => copyCheckpoints(directory, path.join(path.dirname(sessionFolder), session, 'checkpoints'))),
    async close() {
      abort.abort();
      await Promise.all([looks.idle(), steps.idle()]);
    },
  };
}

interface Queue {
  add<Result>(step: (store: Store) => Promise<Result>): Promise<Result>;
  idle(): Promise<unknown>;
}

/** Steps run one after the other; one that fails holds up none. */
function createQueue(store: () => Promise<Store>, failed: (error: unknown) => void): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    add(step) {
      const next = last.then(async () => step(await store()));
      last = next.catch(failed);
      return next;
    },
    idle: () => last,
  };
}

async function openStore(
  directory: string,
  id: string,
  folders: readonly string[],
  { ripgrep, limits = snapshotLimits }: NodeCheckpointsOptions,
): Promise<Store> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [log, blobs, real] = await Promise.all([
    openCheckpointLog(path.join(directory, 'log.jsonl')),
    openBlobStore(path.join(directory, 'blobs')),
    realFolders(folders),
  ]);
  const snapshot = await openSnapshot({
    file: path.join(directory, 'snapshot.json'),
    seed: await seedOf(path.dirname(path.dirname(directory)), id),
    folders: real,
    blobs,
    ripgrep,
    limits,
  });
  return { log, blobs, snapshot, folders: real };
}

function realFolders(folders: readonly string[]): Promise<string[]> {
  return Promise.all(folders.map((folder) => realpath(folder).catch(() => path.normalize(folder))));
}

async function seedOf(root: string, id: string): Promise<{ file: string; blobs: string } | undefined> {
  const latest = (await readFile(path.join(root, latestName), 'utf8').catch(() => '')).trim();
  // Part of a path: an id, and nothing else.
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(latest) || latest === id) return undefined;
  const other = path.join(root, latest, 'checkpoints');
  return { file: path.join(other, 'snapshot.json'), blobs: path.join(other, 'blobs') };
}

async function statesOf(
  store: Store,
  paths: readonly string[],
  keep: (store: Store, path: string) => Promise<FileState>,
): Promise<Map<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const one of paths) states.set(one, await keep(store, one));
  return states;
}

function isKept(state: FileState, blobs: BlobStore): boolean {
  return state.kind !== 'file' || blobs.has(state.hash);
}

/** The empty folder above that a new file ends: it would go with the file. */
async function emptyParent(file: string): Promise<string | undefined> {
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at)) {
    const stats = await stat(at).catch(() => undefined);
    if (stats !== undefined) return stats.isDirectory() && (await isEmptyFolder(at)) ? portPath(at) : undefined;
  }
  return undefined;
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
