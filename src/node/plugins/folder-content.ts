// What a folder holds, as one hash: read in small pieces so that other work continues in between, and unchanged files are not read again.
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, opendir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../files/file-error';

export interface FolderLimits {
  files: number;
  bytes: number;
  depth: number;
}

/** Of a plugin: what is more is neither copied nor agreed to. */
export const pluginLimits: FolderLimits = { files: 20_000, bytes: 200 * 1024 * 1024, depth: 30 };

interface SeenFile {
  /** Relative to the folder, with "/". */
  name: string;
  file: string;
  size: number;
  /** Times, size and place of it: another text once it was written to. */
  stamp: string;
  /** Where it is a link: what it says. */
  link?: string;
  /** Nothing of it can be read. */
  odd?: string;
}

export interface FolderLook {
  files: readonly SeenFile[];
  /** Of all of them. Undefined while a file was written so lately that the next change may leave no trace in its times. */
  stamp: string | undefined;
}

const atOnce = 16;
const pieceBytes = 256 * 1024;
/** Coarser than the clock of any usual filesystem. */
const settledMs = 2_500;
const maxRemembered = 60_000;
const remembered = new Map<string, { stamp: string; hash: string }>();

/** All files of a folder but those of `.git`, none of them read. A sentence where its content cannot be determined. Never rejects. */
export async function lookThrough(
  root: string,
  limits: FolderLimits = pluginLimits,
): Promise<FolderLook | { problem: string }> {
  const files: SeenFile[] = [];
  let bytes = 0;
  const began = Date.now();
  let latest = 0;
  const look = async (folder: string, depth: number): Promise<void> => {
    if (depth > limits.depth) throw new TooMuch(`its folders are nested more than ${limits.depth} deep`);
    const names: string[] = [];
    for await (const { name } of await opendir(folder)) {
      if (name !== '.git') names.push(name);
      if (names.length + files.length > limits.files) throw new TooMuch(`it has more than ${limits.files} files`);
    }
    names.sort();
    const folders: string[] = [];
    for (let at = 0; at < names.length; at += atOnce) {
      const found = await Promise.all(names.slice(at, at + atOnce).map((name) => see(path.join(folder, name), root)));
      for (const one of found) {
        if (one === undefined) continue;
        if (one.folder) {
          folders.push(one.file);
          continue;
        }
        files.push(one.seen);
        bytes += one.seen.size;
        latest = Math.max(latest, one.changedMs);
        if (files.length > limits.files) throw new TooMuch(`it has more than ${limits.files} files`);
        if (bytes > limits.bytes) throw new TooMuch(`it has more than ${limits.bytes / 1024 / 1024} MB`);
      }
    }
    for (const one of folders) await look(one, depth + 1);
  };
  try {
    await look(root, 0);
  } catch (error) {
    if (error instanceof TooMuch) return { problem: `What it runs cannot be checked in full: ${error.message}.` };
    return {
      problem: `What it runs cannot be checked in full: its folder cannot be read (${errorCode(error) ?? 'unknown'}).`,
    };
  }
  if (latest > began - settledMs) return { files, stamp: undefined };
  const hash = createHash('sha256');
  for (const { name, stamp, link = '' } of files) hash.update(`${name}\0${stamp}\0${link}\0`);
  return { files, stamp: hash.digest('hex') };
}

/** Of those that count, with their names. Never rejects: what cannot be read is part of it as such. */
export async function contentHash(
  { files }: Pick<FolderLook, 'files'>,
  counts: (name: string) => boolean,
): Promise<string> {
  const whole = createHash('sha256');
  const chosen = files.filter(({ name }) => counts(name));
  for (let at = 0; at < chosen.length; at += atOnce) {
    const part = chosen.slice(at, at + atOnce);
    const hashes = await Promise.all(part.map(hashOf));
    part.forEach(({ name, link }, index) => whole.update(JSON.stringify([name, link ?? '', hashes[index]])));
  }
  return whole.digest('hex');
}

class TooMuch extends Error {}

async function see(
  file: string,
  root: string,
): Promise<{ folder: true; file: string } | { folder: false; seen: SeenFile; changedMs: number } | undefined> {
  // Gone between two looks.
  const own = await lstat(file).catch(() => undefined);
  if (own === undefined) return undefined;
  if (own.isDirectory()) return { folder: true, file };
  const seen = {
    name: path.relative(root, file).split(path.sep).join('/'),
    file,
    size: own.isFile() ? own.size : 0,
    stamp: stampOf(own),
  };
  if (own.isFile()) return { folder: false, seen, changedMs: own.ctimeMs };
  if (!own.isSymbolicLink()) return { folder: false, seen: { ...seen, odd: 'no file' }, changedMs: own.ctimeMs };
  const [link, target] = await Promise.all([readlink(file).catch(() => ''), stat(file).catch(() => undefined)]);
  if (target?.isFile() === true)
    return {
      folder: false,
      seen: { ...seen, size: target.size, stamp: stampOf(target), link },
      changedMs: Math.max(own.ctimeMs, target.ctimeMs),
    };
  // What lies in a folder elsewhere is not looked at; one within is, where it is.
  if (target?.isDirectory() === true) {
    const [real, realRoot] = await Promise.all([realpath(file).catch(() => ''), realpath(root).catch(() => root)]);
    if (real !== realRoot && !real.startsWith(realRoot + path.sep))
      throw new TooMuch(`${seen.name} is a symlink to a folder outside its own`);
  }
  return {
    folder: false,
    seen: { ...seen, link, odd: target === undefined ? 'leads nowhere' : 'no file' },
    changedMs: own.ctimeMs,
  };
}

function stampOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino, mode].join(' ');
}

async function hashOf({ file, stamp, odd }: SeenFile): Promise<string> {
  if (odd !== undefined) return odd;
  const known = remembered.get(file);
  if (known?.stamp === stamp) return known.hash;
  const hash = createHash('sha256');
  try {
    // It may be something else by now that would hang.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
    try {
      if (!(await handle.stat()).isFile()) return 'no file';
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (;;) {
        const { bytesRead } = await handle.read(piece, 0, piece.length, null);
        if (bytesRead === 0) break;
        hash.update(piece.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    return errorCode(error) ?? 'unread';
  }
  const digest = hash.digest('hex');
  const after = await stat(file).catch(() => undefined);
  // One that was written meanwhile, or a moment before, may be another by now.
  if (after !== undefined && stampOf(after) === stamp && after.ctimeMs < Date.now() - settledMs) {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(file, { stamp, hash: digest });
  }
  return digest;
}
