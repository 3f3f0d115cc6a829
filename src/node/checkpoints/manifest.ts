// What each covered file was when it was last looked at, with its bytes kept as far as the limits allow. Stored as JSON.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { type FileState, type Uncovered } from '../../core/ports/checkpoints';
import { type BlobStore } from './blob-store';
import { isEmptyFolder, keepState, look, stampOf } from './file-state';

export interface SnapshotLimits {
  files: number;
  fileBytes: number;
  allBytes: number;
}

export interface Seen {
  stamp: string;
  state: FileState;
}

export interface ManifestOptions {
  /** Where it is stored. */
  file: string;
  /** The snapshot of another session, whose bytes lie in `blobs`: what is unchanged since is not read again. */
  seed: { file: string; blobs: string } | undefined;
  blobs: BlobStore;
  limits: SnapshotLimits;
}

/** Changed so shortly before the look that another change may have left the same times. */
const racyNs = 50_000_000n;
const namedLarge = 5;

export async function openManifest(options: ManifestOptions): Promise<Manifest> {
  const { file, seed } = options;
  const stored = await readSeen(file);
  const seeds = stored !== undefined || seed === undefined ? undefined : await readSeen(seed.file);
  return new Manifest(options, stored, seeds);
}

export class Manifest {
  /** It was on the disk when it was opened. */
  readonly wasStored: boolean;
  readonly #options: ManifestOptions;
  readonly #seen: Map<string, Seen>;
  readonly #seeds: ReadonlyMap<string, Seen> | undefined;
  #keptBytes: number;
  #unsaved = false;

  constructor(
    options: ManifestOptions,
    stored: Map<string, Seen> | undefined,
    seeds: ReadonlyMap<string, Seen> | undefined,
  ) {
    this.wasStored = stored !== undefined;
    this.#options = options;
    this.#seen = stored ?? new Map<string, Seen>();
    this.#seeds = seeds;
    this.#keptBytes = sum(this.#seen.values());
  }

  get(at: string): Seen | undefined {
    return this.#seen.get(at);
  }

  /** Undefined where nothing is left. */
  set(at: string, present: Seen | undefined): void {
    const before = this.#seen.get(at);
    if (present === undefined) this.#seen.delete(at);
    else this.#seen.set(at, present);
    this.#unsaved ||= before !== undefined || present !== undefined;
  }

  paths(): string[] {
    return [...this.#seen.keys()];
  }

  pathsByInode(): Map<string, string> {
    return new Map([...this.#seen].map(([at, { stamp }]) => [inodeOf(stamp), at]));
  }

  *hashes(): Iterable<string> {
    for (const { state } of this.#seen.values()) if (state.kind === 'file') yield state.hash;
  }

  leftOut(): Omit<Uncovered, 'unlisted'> {
    const found = { large: 0, largePaths: [] as string[], more: 0 };
    for (const [at, { state }] of this.#seen) {
      if (state.kind !== 'unkept') continue;
      if (state.why !== 'large') found.more++;
      else if (found.large++ < namedLarge) found.largePaths.push(at);
    }
    return found;
  }

  /** What is there now, with its bytes kept; the manifest itself stays as it is. */
  async stateNow(at: string): Promise<Seen | undefined> {
    const { seed, blobs, limits } = this.#options;
    const stats = await look(at);
    if (stats === undefined) return undefined;
    const stamp = stampOf(stats);
    const before = this.#seen.get(at);
    if (before?.stamp === stamp) return before;
    const racy = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < racyNs;
    const result = (state: FileState): Seen => ({ stamp: racy ? `racy:${stamp}` : stamp, state });
    const seeded = this.#seeds?.get(at);
    if (
      seed !== undefined &&
      seeded?.stamp === stamp &&
      (seeded.state.kind !== 'file' || (await blobs.linkFrom(seed.blobs, seeded.state.hash)))
    )
      return result(seeded.state);
    if (stats.isDirectory()) return (await isEmptyFolder(at)) ? result({ kind: 'folder' }) : undefined;
    const size = stats.isFile() ? Number(stats.size) : 0;
    const replaces = before?.state.kind === 'file' ? before.state.size : 0;
    if (size <= limits.fileBytes && this.#keptBytes - replaces + size > limits.allBytes)
      return result({ kind: 'unkept', why: 'limit', seen: stamp });
    const state = await keepState(at, stats, blobs, limits.fileBytes);
    if (state.kind === 'absent') return undefined;
    this.#keptBytes += (state.kind === 'file' ? state.size : 0) - replaces;
    return result(state);
  }

  /** On disk when it resolves. */
  async save(): Promise<void> {
    if (!this.#unsaved) return;
    const { file } = this.#options;
    await writeFile(`${file}.tmp`, JSON.stringify([...this.#seen]), { mode: 0o600 });
    await rename(`${file}.tmp`, file);
    this.#unsaved = false;
  }
}

/** Bytes, name, mode: a file that is moved or copied with its times has the old mtime, but not this. */
export function changedAtOf(stamp: string | undefined): number | undefined {
  const ctime = stamp === undefined ? '' : partOf(stamp, 2);
  return ctime === '' ? undefined : Number(BigInt(ctime) / 1_000_000n);
}

function inodeOf(stamp: string): string {
  return partOf(stamp, 3);
}

function partOf(stamp: string, at: number): string {
  return stamp.replace(/^racy:/, '').split(':')[at] ?? '';
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
