// The FileSystem port in memory: real bytes, links, pipes, unsaved editors, and every failure on request.
import { createHash } from 'node:crypto';
import { dirname, normalize } from 'pathe';
import {
  type FileMove,
  type FileStat,
  type FileSystem,
  type MoveOutcome,
  type ReadFailure,
  type TextChange,
  type TextFile,
  type WriteOutcome,
} from '../../src/core/ports/files';
import { type Path } from '../../src/core/ports/path';
import { defined } from '../../src/shared/defined';
import { type Decoded, decodeText, encodeText } from '../../src/node/files/text-encoding';

export type WriteFault = Extract<WriteOutcome, { outcome: 'refused' }>['code'];

/** A file by its text (UTF-8) or bytes, or what else a path can be. */
export type MemoryEntry =
  | string
  | Uint8Array
  | { bytes: Uint8Array; unsaved?: string; encoding?: string }
  | { link: Path }
  | { type: 'directory' | 'other' };

export interface MemoryFiles extends FileSystem {
  /** Every call that opened, listed or wrote something, as "readText /a". */
  readonly calls: string[];
  /** Puts a file there, as another program would. */
  put(path: Path, entry: MemoryEntry): void;
  remove(path: Path): void;
  /** The bytes on disk; undefined where there is no file. */
  bytes(path: Path): Uint8Array | undefined;
  /** The bytes decoded as UTF-8, a byte order mark included. */
  text(path: Path): string | undefined;
  /** All files, as text. */
  all(): Record<Path, string>;
  /** All that is there, by path: a file's bytes, "directory", "other", "link /a". */
  snapshot(): Record<Path, string>;
  /** Makes writing this path fail; nothing is written. */
  refuse(path: Path, code: WriteFault): void;
  /** Makes reading this path fail. */
  refuseReading(path: Path, code: ReadFailure['code']): void;
  /** Runs once, right before the next write compares with its base: change or remove a file in it. */
  beforeWrite(action: () => void): void;
  /** Runs once, after the next stat of any path: a file that vanishes between two looks. */
  afterStat(action: () => void): void;
  /** What saving does to a text, and what the host says about it. */
  formatOnSave(format: ((text: string) => string) | undefined, note?: string): void;
}

interface Node {
  bytes: Uint8Array;
  encoding: string | undefined;
  unsaved: string | undefined;
  mtimeMs: number;
}

type Stored = Node | { link: Path } | { type: 'directory' | 'other' };

export function createMemoryFiles(initial: Record<Path, MemoryEntry> = {}): MemoryFiles {
  const disk = new MemoryDisk();
  const calls: string[] = [];
  for (const [path, entry] of Object.entries(initial)) disk.put(path, entry);
  return {
    calls,
    put: (path, entry) => disk.put(path, entry),
    remove: (path) => disk.remove(path),
    bytes: (path) => disk.node(path)?.bytes,
    text: (path) => {
      const bytes = disk.node(path)?.bytes;
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    all: () =>
      Object.fromEntries(
        [...disk.entries].flatMap(([path, entry]) =>
          'bytes' in entry ? [[path, Buffer.from(entry.bytes).toString('utf8')]] : [],
        ),
      ),
    snapshot: () =>
      Object.fromEntries(
        [...disk.entries].map(([path, entry]) => [
          path,
          'bytes' in entry ? shownBytes(entry.bytes) : 'link' in entry ? `link ${entry.link}` : entry.type,
        ]),
      ),
    refuse: (path, code) => void disk.writeFaults.set(path, code),
    refuseReading: (path, code) => void disk.readFaults.set(path, code),
    beforeWrite: (action) => void (disk.beforeWrite = action),
    afterStat: (action) => void (disk.afterStat = action),
    formatOnSave: (change, note) => {
      disk.format = change;
      disk.formatNote = note;
    },
    isUnsaved: (path) => disk.node(path)?.unsaved !== undefined,
    stat: async (path) => disk.stat(path),
    realPath: async (path) => disk.resolve(path),
    list: async (path) => {
      calls.push(`list ${path}`);
      return disk.list(path);
    },
    readBytes: async (path, maxBytes) => {
      calls.push(`readBytes ${path}`);
      const opened = disk.open(path, maxBytes);
      return opened.outcome === 'read' ? { outcome: 'read', bytes: opened.node.bytes } : opened;
    },
    readText: async (path, maxBytes) => {
      calls.push(`readText ${path}`);
      return disk.readText(path, maxBytes);
    },
    writeText: async (change) => {
      calls.push(`writeText ${change.path}`);
      return disk.writeText(change);
    },
    move: async (move) => {
      calls.push(`move ${move.from} ${move.to}`);
      return disk.move(move);
    },
    writeOwnFile: async (path, content) => {
      calls.push(`writeOwnFile ${path}`);
      disk.put(path, content);
    },
  };
}

/** What is there, and what goes wrong with it. The port above is an object that tests spread. */
class MemoryDisk {
  readonly entries = new Map<Path, Stored>();
  readonly writeFaults = new Map<Path, WriteFault>();
  readonly readFaults = new Map<Path, ReadFailure['code']>();
  beforeWrite: (() => void) | undefined;
  afterStat: (() => void) | undefined;
  format: ((text: string) => string) | undefined;
  formatNote: string | undefined;
  #clock = 1_000;

  put(path: Path, entry: MemoryEntry): void {
    makeParents(this.entries, path);
    this.entries.set(path, toStored(entry, this.#clock++));
  }

  remove(path: Path): void {
    this.entries.delete(this.resolve(path));
  }

  resolve(path: Path): Path {
    return resolveLinks(this.entries, normalize(path));
  }

  node(path: Path): Node | undefined {
    const found = this.entries.get(this.resolve(path));
    return found && 'bytes' in found ? found : undefined;
  }

  stat(path: Path): FileStat | undefined {
    const found = this.entries.get(this.resolve(path));
    const stat = found && statOf(found);
    this.afterStat?.();
    this.afterStat = undefined;
    return stat;
  }

  list(path: Path): { name: string; type: FileStat['type'] }[] {
    const folder = this.resolve(path);
    const found = this.entries.get(folder);
    if (folder !== '/' && (found === undefined || !('type' in found) || found.type !== 'directory')) {
      throw new Error(`${path} is not a folder.`);
    }
    return [...this.entries.keys()]
      .filter((key) => key !== '/' && dirname(key) === folder)
      .flatMap((key) => listed(this.entries, key));
  }

  open(path: Path, maxBytes: number): { outcome: 'read'; node: Node } | ReadFailure {
    const fault = this.readFaults.get(path);
    if (fault) return refusal(fault, `${path} cannot be read (${fault}).`);
    const found = this.entries.get(this.resolve(path));
    if (found === undefined || 'link' in found) return refusal('not_found', `${path} does not exist.`);
    if ('type' in found) {
      return found.type === 'directory'
        ? refusal('directory', `${path} is a folder.`)
        : refusal('not_a_file', `${path} is not a regular file.`);
    }
    if (found.bytes.length > maxBytes) {
      return refusal(
        'too_large',
        `${path} has ${found.bytes.length} bytes, more than the ${maxBytes} that may be read.`,
      );
    }
    return { outcome: 'read', node: found };
  }

  readText(path: Path, maxBytes: number): { outcome: 'read'; file: TextFile } | ReadFailure {
    const opened = this.open(path, maxBytes);
    if (opened.outcome === 'refused') return opened;
    const { unsaved } = opened.node;
    const decoded = decode(opened.node.bytes, opened.node.encoding);
    if (decoded.outcome === 'binary') return refusal('binary', `${path} is a binary file.`);
    if (decoded.outcome === 'unknown') return refusal('encoding', `${path} is in an unknown encoding.`);
    const text = unsaved ?? decoded.text;
    const hash = hashOf(decoded.encoding, text);
    const file = { path, text, encoding: decoded.encoding, hash, unsaved: unsaved !== undefined };
    const disk = unsaved === undefined ? statOf(opened.node) : undefined;
    return { outcome: 'read', file: { ...file, ...defined({ disk }) } };
  }

  writeText({ path, realPath, base, text }: TextChange): WriteOutcome {
    this.beforeWrite?.();
    this.beforeWrite = undefined;
    const fault = this.writeFaults.get(path);
    if (fault) return { outcome: 'refused', code: fault, message: `${path} cannot be written (${fault}).` };
    const target = this.resolve(path);
    if (realPath !== undefined && target !== realPath) {
      return { outcome: 'refused', code: 'moved', message: `${path} leads elsewhere now.` };
    }
    const found = this.entries.get(target);
    if (found && 'type' in found) {
      return { outcome: 'refused', code: 'not_a_file', message: `${path} is not a regular file.` };
    }
    const now = this.#current(path);
    if (now?.hash !== base?.hash) return { outcome: 'changed', current: now };
    const saved = this.format?.(text) ?? text;
    const encoding = base?.encoding ?? 'utf8';
    const bytes = encode(saved, encoding);
    if (!bytes)
      return { outcome: 'refused', code: 'encoding', message: `${path} cannot hold this text in ${encoding}.` };
    makeParents(this.entries, target);
    const written = { bytes, encoding, unsaved: undefined, mtimeMs: this.#clock++ };
    this.entries.set(target, written);
    const hash = hashOf(encoding, saved);
    const disk = statOf(written);
    const file: TextFile = { path, text: saved, encoding, hash, unsaved: false, ...defined({ disk }) };
    const notes = saved !== text && this.formatNote !== undefined ? [this.formatNote] : [];
    return { outcome: 'written', file, notes };
  }

  move({ from, to, realPaths }: FileMove): MoveOutcome {
    const refused = (code: WriteFault, message: string): MoveOutcome => ({ outcome: 'refused', code, message });
    const fault = this.writeFaults.get(to);
    if (fault) return refused(fault, `${to} cannot be written (${fault}).`);
    if (realPaths !== undefined && this.resolve(from) !== realPaths.from)
      return refused('moved', `${from} leads elsewhere now.`);
    const node = this.node(from);
    if (node === undefined) return refused('failed', `${from} does not exist.`);
    if (this.entries.has(this.resolve(to))) return refused('failed', `${to} exists already.`);
    makeParents(this.entries, to);
    this.entries.set(to, node);
    this.entries.delete(this.resolve(from));
    for (let folder = dirname(from); !to.startsWith(`${folder}/`) && folder !== '/'; folder = dirname(folder))
      if (![...this.entries.keys()].some((path) => dirname(path) === folder)) this.entries.delete(folder);
    return { outcome: 'moved' };
  }

  #current(path: Path): TextFile | undefined {
    const read = this.readText(path, Infinity);
    return read.outcome === 'read' ? read.file : undefined;
  }
}

/** Text where the bytes are UTF-8, so that a difference can be read. */
export function shownBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : `bytes ${Buffer.from(bytes).toString('hex')}`;
}

function toStored(entry: MemoryEntry, mtimeMs: number): Stored {
  if (typeof entry === 'string')
    return { bytes: Buffer.from(entry, 'utf8'), encoding: undefined, unsaved: undefined, mtimeMs };
  if (entry instanceof Uint8Array) return { bytes: entry, encoding: undefined, unsaved: undefined, mtimeMs };
  if ('bytes' in entry) return { bytes: entry.bytes, encoding: entry.encoding, unsaved: entry.unsaved, mtimeMs };
  return entry;
}

function makeParents(entries: Map<Path, Stored>, path: Path): void {
  for (let folder = dirname(path); folder !== '/' && !entries.has(folder); folder = dirname(folder)) {
    entries.set(folder, { type: 'directory' });
  }
}

/** Links of parents and of the path itself; a loop ends where it was noticed. */
function resolveLinks(entries: Map<Path, Stored>, path: Path, depth = 0): Path {
  let resolved = '';
  for (const name of path.split('/').filter((part) => part !== '')) {
    const next = `${resolved}/${name}`;
    const entry = entries.get(next);
    resolved = entry && 'link' in entry && depth < 20 ? resolveLinks(entries, entry.link, depth + 1) : next;
  }
  return resolved === '' ? '/' : resolved;
}

function statOf(entry: Stored): FileStat | undefined {
  if ('link' in entry) return undefined;
  if ('type' in entry) return { type: entry.type, size: 0, mtimeMs: 0 };
  return { type: 'file', size: entry.bytes.length, mtimeMs: entry.mtimeMs };
}

function listed(entries: Map<Path, Stored>, path: Path): { name: string; type: FileStat['type'] }[] {
  const entry = entries.get(resolveLinks(entries, path));
  const stat = entry && statOf(entry);
  return [{ name: path.slice(path.lastIndexOf('/') + 1), type: stat?.type ?? 'other' }];
}

function refusal(code: ReadFailure['code'], message: string): ReadFailure {
  return { outcome: 'refused', code, message };
}

function hashOf(encoding: string, text: string): string {
  return createHash('sha256').update(`${encoding}\0`).update(text, 'utf8').digest('hex');
}

/** As Node reads them, and one encoding that only an editor reports. */
function decode(
  bytes: Uint8Array,
  encoding: string | undefined,
): Decoded | { outcome: 'text'; text: string; encoding: string } {
  return encoding === 'windows1252'
    ? { outcome: 'text', text: Buffer.from(bytes).toString('latin1'), encoding }
    : decodeText(bytes);
}

function encode(text: string, encoding: string): Buffer | undefined {
  if (encoding !== 'windows1252') return encodeText(text, encoding);
  return [...text].every((character) => (character.codePointAt(0) ?? 0) < 256)
    ? Buffer.from(text, 'latin1')
    : undefined;
}
