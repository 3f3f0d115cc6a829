// The shadow of the workspace: what each covered file was when somebody last looked. A look again finds what changed since.
import { defined } from '../../shared/defined';
import { type BigIntStats } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FileState, type Uncovered } from '../../core/ports/checkpoints';
import { sameState } from '../../core/rewind/plan-rewind';
import { type BlobStore } from './blob-store';
import { coveredPaths } from './covered-paths';
import { isEmptyFolder, keepState, look, stampOf } from './file-state';

export interface SnapshotLimits {
  files: number;
  fileBytes: number;
  allBytes: number;
}

export const snapshotLimits: SnapshotLimits = {
  files: 20_000,
  fileBytes: 2 * 1024 * 1024,
  allBytes: 200 * 1024 * 1024,
};

interface Seen {
  stamp: string;
  state: FileState;
}

export interface PathChange {
  path: string;
  before: FileState;
  after: FileState;
  /** When, in milliseconds since the epoch; undefined where nothing is left to tell. */
  changedAt?: number;
}

export interface Snapshot {
  /** There was a first look. */
  readonly taken: boolean;
  readonly uncovered: Uncovered;
  /** Looks at everything, and at `known` paths wherever they lie; returns what changed since the look before. */
  update(known: Iterable<string>, signal: AbortSignal): Promise<PathChange[]>;
  /** Looks at these folders from now on. What lies in a new one when it is first looked at is no change. */
  follow(folders: readonly string[]): void;
  hashes(): Iterable<string>;
  /** On disk when it resolves. */
  save(): Promise<void>;
}

export interface SnapshotOptions {
  /** Where it is stored. */
  file: string;
  /** The snapshot of another session, whose bytes lie in `blobs`: what is unchanged since is not read again. */
  seed: { file: string; blobs: string } | undefined;
  folders: readonly string[];
  blobs: BlobStore;
  ripgrep: () => Promise<string | undefined>;
  limits: SnapshotLimits;
}

/** Files that are looked at or read at once. */
const lookWidth = 64;
const readWidth = 8;
/** Changed so shortly before the look that another change may have left the same times. */
const racyNs = 50_000_000n;
/** The clock of file systems goes behind by some milliseconds. */
const clockNs = 20_000_000n;
const namedLarge = 5;

export async function openSnapshot({
  file,
  seed,
  folders: begunWith,
  blobs,
  ripgrep,
  limits,
}: SnapshotOptions): Promise<Snapshot> {
  const seen = await readSeen(file);
  const seeds = seen !== undefined || seed === undefined ? undefined : await readSeen(seed.file);
  const manifest = seen ?? new Map<string, Seen>();
  let taken = seen !== undefined;
  /** When the last look began that saw every folder: what was made later was not there then. In nanoseconds since the epoch. */
  let lookedAt = now();
  let uncovered: Uncovered = { large: 0, largePaths: [], more: 0, unlisted: false };
  let unsaved = false;
  let folders = begunWith;
  /** Not looked at so far, since they came later. */
  let fresh: string[] = [];
  let kept = sum(manifest.values());

  const list = async (signal: AbortSignal): Promise<{ paths: string[]; unlisted: boolean; more: boolean }> => {
    const executable = await ripgrep();
    const lists =
      executable === undefined
        ? []
        : await Promise.all(folders.map((folder) => coveredPaths(executable, folder, limits.files, signal)));
    return {
      paths: lists.flatMap((one) => one?.paths ?? []),
      unlisted: executable === undefined || lists.includes(undefined),
      more: lists.some((one) => one?.more === true),
    };
  };

  const stateNow = async (at: string): Promise<Seen | undefined> => {
    const stats = await look(at);
    if (stats === undefined) return undefined;
    const stamp = stampOf(stats);
    const before = manifest.get(at);
    if (before?.stamp === stamp) return before;
    const racy = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < racyNs;
    const result = (state: FileState): Seen => ({ stamp: racy ? `racy:${stamp}` : stamp, state });
    const seeded = seeds?.get(at);
    if (
      seed !== undefined &&
      seeded?.stamp === stamp &&
      (seeded.state.kind !== 'file' || (await blobs.linkFrom(seed.blobs, seeded.state.hash)))
    )
      return result(seeded.state);
    if (stats.isDirectory()) return (await isEmptyFolder(at)) ? result({ kind: 'folder' }) : undefined;
    const size = stats.isFile() ? Number(stats.size) : 0;
    const replaces = before?.state.kind === 'file' ? before.state.size : 0;
    if (size <= limits.fileBytes && kept - replaces + size > limits.allBytes)
      return result({ kind: 'unkept', why: 'limit', seen: stamp });
    const state = await keepState(at, stats, blobs, limits.fileBytes);
    if (state.kind === 'absent') return undefined;
    kept += (state.kind === 'file' ? state.size : 0) - replaces;
    return result(state);
  };

  return {
    get taken() {
      return taken;
    },
    get uncovered() {
      return uncovered;
    },
    async update(known, signal) {
      const began = now();
      const listing = list(signal);
      const looked = new Set<string>();
      const changes: PathChange[] = [];
      // Before anything is taken out: of files that were moved.
      const inodes = new Map([...manifest].map(([at, { stamp }]) => [inodeOf(stamp), at]));
      const isNew = (at: string, stats: BigIntStats): boolean => {
        const moved = inodes.get(String(stats.ino));
        // The same file under another case of its name: deleting the one would delete the other.
        if (moved !== undefined) return moved.toLowerCase() !== at.toLowerCase();
        return stats.birthtimeNs > lookedAt - clockNs;
      };
      const visit = async (paths: Iterable<string>): Promise<void> => {
        const changed: string[] = [];
        await inParallel(paths, lookWidth, signal, async (at) => {
          if (looked.has(at)) return;
          looked.add(at);
          const stats = await look(at);
          const before = manifest.get(at);
          if (before === undefined ? stats !== undefined : stats === undefined || before.stamp !== stampOf(stats))
            changed.push(at);
        });
        await inParallel(changed, readWidth, signal, async (at) => {
          const before = manifest.get(at);
          const present = await stateNow(at);
          const changedAt = changedAtOf(present?.stamp);
          if (present === undefined) manifest.delete(at);
          else manifest.set(at, present);
          unsaved ||= before !== undefined || present !== undefined;
          if (before === undefined && present !== undefined && taken) {
            if (fresh.some((folder) => isBelow(at, folder))) return;
            // Not listed before is not the same as not there: it may have been ignored, or beyond the limit. Nobody may delete it for that.
            const stats = await look(at);
            if (stats === undefined || !isNew(at, stats)) return;
          }
          const [was, is]: FileState[] = [before?.state ?? { kind: 'absent' }, present?.state ?? { kind: 'absent' }];
          if (was !== undefined && is !== undefined && !sameState(was, is))
            changes.push({ path: at, before: was, after: is, ...defined({ changedAt }) });
        });
      };
      // What is known is looked at while ripgrep lists.
      await visit([...manifest.keys(), ...known]);
      const { paths, unlisted, more } = await listing;
      await visit(paths);
      uncovered = { ...leftOut(manifest), unlisted };
      if (more) uncovered.more = Math.max(1, uncovered.more);
      // A look that saw nothing is none: what the next one finds would seem new.
      if (!unlisted) {
        taken = true;
        fresh = [];
        lookedAt = began;
      }
      return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    follow(wanted) {
      fresh = [...fresh, ...wanted.filter((folder) => !folders.some((one) => one === folder || isBelow(folder, one)))];
      folders = wanted;
    },
    *hashes() {
      for (const { state } of manifest.values()) if (state.kind === 'file') yield state.hash;
    },
    async save() {
      if (!unsaved || !taken) return;
      await writeFile(`${file}.tmp`, JSON.stringify([...manifest]), { mode: 0o600 });
      await rename(`${file}.tmp`, file);
      unsaved = false;
    },
  };
}

function isBelow(at: string, folder: string): boolean {
  return at.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function inodeOf(stamp: string): string {
  return partOf(stamp, 3);
}

/** Bytes, name, mode: a file that is moved or copied with its times has the old mtime, but not this. */
function changedAtOf(stamp: string | undefined): number | undefined {
  const ctime = stamp === undefined ? '' : partOf(stamp, 2);
  return ctime === '' ? undefined : Number(BigInt(ctime) / 1_000_000n);
}

function partOf(stamp: string, at: number): string {
  return stamp.replace(/^racy:/, '').split(':')[at] ?? '';
}

function now(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

function leftOut(manifest: ReadonlyMap<string, Seen>): Omit<Uncovered, 'unlisted'> {
  const found = { large: 0, largePaths: [] as string[], more: 0 };
  for (const [at, { state }] of manifest) {
    if (state.kind !== 'unkept') continue;
    if (state.why !== 'large') found.more++;
    else if (found.large++ < namedLarge) found.largePaths.push(at);
  }
  return found;
}

async function readSeen(file: string): Promise<Map<string, Seen> | undefined> {
  try {
    return new Map(JSON.parse(await readFile(file, 'utf8')) as [string, Seen][]);
  } catch {
    // Not there, or of no use: everything is read again.
    return undefined;
  }
}

function sum(all: Iterable<Seen>): number {
  let bytes = 0;
  for (const { state } of all) if (state.kind === 'file') bytes += state.size;
  return bytes;
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
