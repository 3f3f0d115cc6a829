// The Checkpoints port on the disk: `<session folder>/checkpoints/` holds a log, kept bytes and the shadow of the workspace.
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';
import {
  type CallChange,
  type CallToGuard,
  type CheckpointEntry,
  type Checkpoints,
  type FileState,
  type RewindOutcome,
  type RewindPoint,
  type RewindPreview,
  type SessionCheckpoints,
} from '../../core/ports/checkpoints';
import { changedByCommands, promptBeforeEdits } from '../../core/rewind/left-by-commands';
import { changedSince, planRewind, previewOf, promptPoints } from '../../core/rewind/plan-rewind';
import { changesOfCall } from './call-changes';
import { guardCall, keepFiles, leftByCall } from './call-files';
import { pointEntry } from './checkpoint-log';
import {
  checkpointsFolder,
  type CheckpointStore,
  type CheckpointStoreOptions,
  markAsLatest,
  openCheckpointStore,
  realFolders,
} from './checkpoint-store';
import { copyCheckpoints } from './copy-checkpoints';
import { pruneCheckpoints } from './prune-checkpoints';
import { rewindFiles } from './rewind-files';
import { createStepQueue, type StepQueue } from './step-queue';
import { WorkspaceLooks } from './workspace-looks';

export interface NodeCheckpointsOptions extends CheckpointStoreOptions {
  log: Log;
  uuid: () => string;
  /** The first snapshot is taken with the first prompt, while the model thinks; else with the first command. */
  early: boolean;
  /** What a user has saved since that time, in milliseconds since the epoch: not all that changes during a command is the command's. */
  savedSince?: (time: number) => ReadonlySet<string>;
  /** How long a command waits for its snapshot. */
  patienceMs?: number;
}

const defaultPatienceMs = 10_000;
const longestText = 200;

export function createNodeCheckpoints(options: NodeCheckpointsOptions): Checkpoints {
  const folderOf = (resultsDirectory: string): string => checkpointsFolder(path.dirname(resultsDirectory));
  return {
    open: ({ id, resultsDirectory, folders }) =>
      new NodeSessionCheckpoints(id, path.dirname(resultsDirectory), folders, options),
    copy: (from, to) =>
      copyCheckpoints(folderOf(from), folderOf(to)).catch((error: unknown) =>
        options.log.warn(`The checkpoints of a fork: ${messageOf(error)}`),
      ),
  };
}

class NodeSessionCheckpoints implements SessionCheckpoints {
  readonly #id: string;
  readonly #sessionFolder: string;
  readonly #options: NodeCheckpointsOptions;
  readonly #abort = new AbortController();
  readonly #workspace: WorkspaceLooks;
  /** Looks at the workspace take long, and an edit does not wait for one: so there are two queues. */
  readonly #looks: StepQueue;
  readonly #steps: StepQueue;
  readonly #marked = new Set<string>();
  #folders: readonly string[];
  #store: Promise<CheckpointStore> | undefined;
  #early: boolean;
  /** Something that a call may have changed was not kept. */
  #missed = false;

  constructor(id: string, sessionFolder: string, folders: readonly string[], options: NodeCheckpointsOptions) {
    this.#id = id;
    this.#sessionFolder = sessionFolder;
    this.#folders = folders;
    this.#options = options;
    this.#early = options.early;
    const opened = (): Promise<CheckpointStore> => this.#opened();
    const failed = (error: unknown): void => this.#complain(error);
    this.#workspace = new WorkspaceLooks({ savedSince: options.savedSince, signal: this.#abort.signal, failed });
    this.#looks = createStepQueue(opened, failed);
    this.#steps = createStepQueue(opened, failed);
  }

  prompt(id: string, text: string): void {
    if (this.#marked.has(id)) return;
    this.#marked.add(id);
    this.#steps
      .add(({ log }) => log.append([pointEntry('prompt', id, text.slice(0, longestText))]))
      .catch(() => undefined);
    // In both queues: what somebody is about to keep stays.
    this.#looks.add(() => this.#steps.add(pruneCheckpoints)).catch(() => undefined);
    if (!this.#early) return;
    this.#early = false;
    this.#looks
      .add(async (at) => {
        await this.#workspace.catchUp(at);
        await markAsLatest(this.#sessionFolder, this.#id);
      })
      .catch(() => undefined);
  }

  async before(call: CallToGuard): Promise<() => Promise<void>> {
    const looked = call.anything
      ? this.#looks.add((at) => this.#workspace.catchUp(at, call.files)).catch(() => undefined)
      : Promise.resolve();
    const waited = patience(this.#options.patienceMs ?? defaultPatienceMs);
    if ((await Promise.race([looked.then(() => 'looked'), waited])) === undefined) this.#missed = true;
    await this.#steps.add((at) => guardCall(at, call)).catch(() => (this.#missed = true));
    const since = Date.now();
    return () => this.#after(call, since);
  }

  points(): Promise<RewindPoint[]> {
    return this.#steps.add(async ({ log }) => promptPoints(log.entries));
  }

  async preview(to: string): Promise<RewindPreview | undefined> {
    await this.#looks
      .add(async (at) => {
        if (at.snapshot.taken && this.#workspace.suspect(at) !== undefined) await this.#workspace.catchUp(at);
      })
      .catch(() => undefined);
    return this.#steps.add(async ({ log, blobs, snapshot }) => {
      const plan = planRewind(log.entries, to, await keepFiles(blobs, changedSince(log.entries, to)));
      const { uncovered } = snapshot;
      return plan === undefined
        ? undefined
        : { plan, uncovered: { ...uncovered, unlisted: uncovered.unlisted || this.#missed } };
    });
  }

  async leftByCommands(undone: readonly string[]): Promise<{ to: string; preview: RewindPreview } | undefined> {
    const to = await this.#steps.add(async ({ log, blobs }) =>
      promptBeforeEdits(log.entries, await keepFiles(blobs, undone)),
    );
    const preview = to === undefined ? undefined : await this.preview(to);
    if (to === undefined || preview === undefined) return undefined;
    const paths = await this.#steps.add(async ({ log }) => changedByCommands(log.entries, to));
    return { to, preview: previewOf(preview, paths) };
  }

  rewind(to: string, steps: readonly { path: string; from?: FileState }[]): Promise<RewindOutcome> {
    return this.#steps.add((at) => rewindFiles(at, { to, steps, undo: `rewind:${this.#options.uuid()}` }));
  }

  changedBy(id: string): Promise<CallChange[]> {
    return this.#steps.add(async ({ log }) => changesOfCall(log.entries, id));
  }

  bytes(state: FileState): Promise<Uint8Array | undefined> {
    return this.#steps.add(async ({ blobs }) =>
      state.kind === 'file' && blobs.has(state.hash) ? blobs.read(state.hash) : undefined,
    );
  }

  follow(folders: readonly string[]): void {
    this.#folders = folders;
    if (this.#store === undefined) return;
    const now = realFolders(folders);
    this.#looks
      .add(async (at) => {
        at.snapshot.follow(await now);
        at.folders = [...new Set([...at.folders, ...(await now)])];
      })
      .catch(() => undefined);
  }

  copyTo(session: string): Promise<void> {
    const other = path.join(path.dirname(this.#sessionFolder), session);
    return this.#steps.add(() => copyCheckpoints(checkpointsFolder(this.#sessionFolder), checkpointsFolder(other)));
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all([this.#looks.idle(), this.#steps.idle()]);
  }

  /** Of a call that began at `since` and has ended now. */
  async #after(call: CallToGuard, since: number): Promise<void> {
    const until = Date.now();
    const { id, files, anything, othersRun } = call;
    if (anything)
      await this.#looks
        .add((at) => this.#workspace.look(at, { by: id, doubt: othersRun, known: files, ran: { since, until } }))
        .catch(() => (this.#missed = true));
    // Looked at now, whatever is queued: what somebody else writes next is not this call's.
    const left = this.#opened().then((at) => leftByCall(at, call));
    // It rejects below, when its turn has come.
    left.catch(() => undefined);
    const ended: CheckpointEntry[] = anything ? [{ type: 'ended', by: id }] : [];
    const settled = this.#steps
      .add(async ({ log }) => log.append([...(await left), ...ended]))
      .catch(() => (this.#missed = true));
    // What an edit has left is kept while the model is asked; whatever changes files next waits for it in the queue.
    if (!anything) return;
    await settled;
    this.#workspace.othersRan = othersRun;
  }

  #opened(): Promise<CheckpointStore> {
    return (this.#store ??= openCheckpointStore(this.#sessionFolder, this.#id, this.#folders, this.#options));
  }

  #complain(error: unknown): void {
    if (!this.#abort.signal.aborted)
      this.#options.log.warn(`The checkpoints of session ${this.#id}: ${messageOf(error)}`);
  }
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
