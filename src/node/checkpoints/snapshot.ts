// The shadow of the workspace: what each covered file was when somebody last looked. A look again finds what changed since.
import { defined } from '../../shared/defined';
import path from 'node:path';
import { type FileState, type Uncovered } from '../../core/ports/checkpoints';
import { sameState } from '../../core/rewind/plan-rewind';
import { coveredPaths } from './covered-paths';
import { look, stampOf } from './file-state';
import { changedAtOf, type Manifest, type ManifestOptions, openManifest, type SnapshotLimits } from './manifest';

export const snapshotLimits: SnapshotLimits = {
  files: 20_000,
  fileBytes: 2 * 1024 * 1024,
  allBytes: 200 * 1024 * 1024,
};

export interface PathChange {
  path: string;
  before: FileState;
  after: FileState;
  /** When, in milliseconds since the epoch; undefined where nothing is left that says it. */
  changedAt?: number;
}

export interface SnapshotOptions extends ManifestOptions {
  folders: readonly string[];
  ripgrep: () => Promise<string | undefined>;
}

/** Files that are looked at or read at once. */
const lookWidth = 64;
const readWidth = 8;
/** The clock of file systems goes behind by some milliseconds. */
const clockNs = 20_000_000n;

export async function openSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  return new Snapshot(await openManifest(options), options);
}

export class Snapshot {
  readonly #manifest: Manifest;
  readonly #ripgrep: SnapshotOptions['ripgrep'];
  readonly #limits: SnapshotLimits;
  #folders: readonly string[];
  /** Not looked at so far, since they came later. */
  #fresh: string[] = [];
  #taken: boolean;
  /** When the last look began that saw every folder: what was made later was not there then. In nanoseconds since the epoch. */
  #lookedAt = now();
  #uncovered: Uncovered = { large: 0, largePaths: [], more: 0, unlisted: false };

  constructor(manifest: Manifest, { folders, ripgrep, limits }: SnapshotOptions) {
    this.#manifest = manifest;
    this.#ripgrep = ripgrep;
    this.#limits = limits;
    this.#folders = folders;
    this.#taken = manifest.wasStored;
  }

  /** There was a first look. */
  get taken(): boolean {
    return this.#taken;
  }

  get uncovered(): Uncovered {
    return this.#uncovered;
  }

  /** Looks at everything, and at `known` paths wherever they lie; returns what changed since the look before. */
  async update(known: Iterable<string>, signal: AbortSignal): Promise<PathChange[]> {
    const began = now();
    const listing = this.#list(signal);
    const looked = new Set<string>();
    const changes: PathChange[] = [];
    // Before anything is taken out: of files that were moved.
    const inodes = this.#manifest.pathsByInode();
    const visit = async (paths: Iterable<string>): Promise<void> => {
      const changed: string[] = [];
      await inParallel(paths, lookWidth, signal, async (at) => {
        if (looked.has(at)) return;
        looked.add(at);
        const stats = await look(at);
        const before = this.#manifest.get(at);
        if (before === undefined ? stats !== undefined : stats === undefined || before.stamp !== stampOf(stats))
          changed.push(at);
      });
      await inParallel(changed, readWidth, signal, async (at) => {
        const change = await this.#lookCloser(at, inodes);
        if (change !== undefined) changes.push(change);
      });
    };
    // What is known is looked at while ripgrep lists.
    await visit([...this.#manifest.paths(), ...known]);
    const { paths, unlisted, more } = await listing;
    await visit(paths);
    this.#uncovered = { ...this.#manifest.leftOut(), unlisted };
    if (more) this.#uncovered.more = Math.max(1, this.#uncovered.more);
    // A look that saw nothing is none: what the next one finds would seem new.
    if (!unlisted) {
      this.#taken = true;
      this.#fresh = [];
      this.#lookedAt = began;
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Looks at these folders from now on. What lies in a new one when it is first looked at is not a change. */
  follow(wanted: readonly string[]): void {
    const isFollowed = (folder: string): boolean => this.#folders.some((one) => one === folder || isBelow(folder, one));
    this.#fresh = [...this.#fresh, ...wanted.filter((folder) => !isFollowed(folder))];
    this.#folders = wanted;
  }

  hashes(): Iterable<string> {
    return this.#manifest.hashes();
  }

  /** On disk when it resolves. */
  async save(): Promise<void> {
    if (this.#taken) await this.#manifest.save();
  }

  async #list(signal: AbortSignal): Promise<{ paths: string[]; unlisted: boolean; more: boolean }> {
    const executable = await this.#ripgrep();
    const lists =
      executable === undefined
        ? []
        : await Promise.all(
            this.#folders.map((folder) => coveredPaths(executable, folder, this.#limits.files, signal)),
          );
    return {
      paths: lists.flatMap((one) => one?.paths ?? []),
      unlisted: executable === undefined || lists.includes(undefined),
      more: lists.some((one) => one?.more === true),
    };
  }

  /** At a path that differs from the manifest, which is updated. Undefined where that is not a change. */
  async #lookCloser(at: string, inodes: ReadonlyMap<string, string>): Promise<PathChange | undefined> {
    const before = this.#manifest.get(at);
    const present = await this.#manifest.stateNow(at);
    const changedAt = changedAtOf(present?.stamp);
    this.#manifest.set(at, present);
    if (before === undefined && present !== undefined && this.#taken) {
      if (this.#fresh.some((folder) => isBelow(at, folder))) return undefined;
      // Not listed before is not the same as not there: it may have been ignored, or beyond the limit. Nobody may delete it for that.
      if (!(await this.#isNew(at, inodes))) return undefined;
    }
    const was: FileState = before?.state ?? { kind: 'absent' };
    const is: FileState = present?.state ?? { kind: 'absent' };
    return sameState(was, is) ? undefined : { path: at, before: was, after: is, ...defined({ changedAt }) };
  }

  /** It is there, and was not when the last look began. */
  async #isNew(at: string, inodes: ReadonlyMap<string, string>): Promise<boolean> {
    const stats = await look(at);
    if (stats === undefined) return false;
    const moved = inodes.get(String(stats.ino));
    // The same file under another case of its name: deleting the one would delete the other.
    if (moved !== undefined) return moved.toLowerCase() !== at.toLowerCase();
    return stats.birthtimeNs > this.#lookedAt - clockNs;
  }
}

function isBelow(at: string, folder: string): boolean {
  return at.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function now(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

async function inParallel(
  paths: Iterable<string>,
  width: number,
  signal: AbortSignal,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const waiting = paths[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
        signal.throwIfAborted();
        await work(path.normalize(next.value));
      }
    }),
  );
}
