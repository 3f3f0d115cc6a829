// The FileSystem port in VS Code: unsaved text where an editor holds one, else the exact bytes of the disk.
import type * as vscode from 'vscode';
import { type FileSystem, type ReadFailure, type TextChange, type TextFile } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import { defined } from '../../shared/defined';
import { type Disk, maxWritableBytes } from './disk';
import { createNodeDisk } from './node-disk';
import { moveFile } from './move-file';
import { openDocument } from './open-documents';
import { decodeFile, textFile } from './text-codec';
import { uriOf } from '../host/uri-path';
import { createVirtualDisk } from './virtual-disk';
import { writeText, type WriteSettingsOf } from './write-text';

/** A change that was written. */
export interface WrittenChange {
  /** Undefined where the file was made. */
  before: string | undefined;
  after: string;
  approved: boolean;
  /** The session that wrote it. */
  session?: string;
  /** What the file says by then, where the user has typed into it as well. */
  typed?: string;
  /** The file was moved from there, as it was: both texts are the same, and empty where it has none. */
  movedFrom?: Path;
}

/** Called before each write; the returned function is called when it is over, with what was written if anything. */
export type WriteWatcher = (path: Path) => (written?: WrittenChange) => void;

export interface FileSystemOptions {
  settings: WriteSettingsOf;
  watch?: WriteWatcher;
}

export function createVscodeFileSystem({ settings, watch }: FileSystemOptions): FileSystem {
  const node = createNodeDisk();
  const virtual = createVirtualDisk();
  const diskOf = (uri: vscode.Uri): Disk => (uri.scheme === 'file' ? node : virtual);
  const diskAt = (path: Path): Disk => diskOf(uriOf(path));
  return {
    async stat(path) {
      const stat = await diskAt(path).stat(path);
      if (stat !== undefined) return stat;
      // Deleted below an editor that still holds it: for the user it is there.
      const held = openDocument([uriOf(path)]);
      return held?.isDirty ? { type: 'file', size: Buffer.byteLength(held.getText()), mtimeMs: Date.now() } : undefined;
    },
    isUnsaved: (path) => openDocument([uriOf(path)])?.isDirty === true,
    realPath: (path) => diskAt(path).realPath(path),
    list: (path) => diskAt(path).list(path),
    async readBytes(path, maxBytes) {
      const read = await diskAt(path).read(path, maxBytes);
      return read.outcome === 'read' ? { outcome: 'read', bytes: read.bytes } : read;
    },
    readText: (path, maxBytes) => readText(path, maxBytes, diskAt(path)),
    async writeText(change) {
      const finish = watch?.(change.path);
      let written: WrittenChange | undefined;
      try {
        const { own, ...outcome } = await writeText(change, diskOf, settings);
        if (outcome.outcome === 'written') written = writtenChange(change, outcome.file, own);
        return outcome;
      } finally {
        finish?.(written);
      }
    },
    async move(move) {
      const { from, to, approved, session } = move;
      const finish = watch?.(to);
      let written: WrittenChange | undefined;
      try {
        const read = await readText(from, maxWritableBytes, diskAt(from));
        const outcome = await moveFile(move, diskOf);
        const text = read.outcome === 'read' ? read.file.text : '';
        if (outcome.outcome === 'moved')
          written = { before: text, after: text, approved, movedFrom: from, ...defined({ session }) };
        return outcome;
      } finally {
        finish?.(written);
      }
    },
    // Deft's own files lie on this machine, also where the workspace is virtual.
    writeOwnFile: createNodeFileSystem().writeOwnFile,
  };
}

function writtenChange(
  { base, approved, session }: TextChange,
  file: TextFile,
  own: string | undefined,
): WrittenChange {
  return {
    before: base?.text,
    after: own ?? file.text,
    approved,
    ...defined({ session, typed: own === undefined ? undefined : file.text }),
  };
}

async function readText(
  path: Path,
  maxBytes: number,
  disk: Disk,
): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure> {
  const uri = uriOf(path);
  const document = openDocument([uri]) ?? openDocument([uriOf(await disk.realPath(path))]);
  if (document?.isDirty) {
    const text = document.getText();
    const size = Buffer.byteLength(text);
    if (size > maxBytes) {
      return {
        outcome: 'refused',
        code: 'too_large',
        message: `${path} has ${size} bytes; at most ${maxBytes} can be read at once.`,
      };
    }
    return { outcome: 'read', file: textFile(path, text, document.encoding, true) };
  }
  const read = await disk.read(path, maxBytes);
  if (read.outcome === 'refused') return read;
  const decoded = await decodeFile(path, uri, read.bytes, document);
  return decoded.outcome === 'refused'
    ? decoded
    : { outcome: 'read', file: textFile(path, decoded.text, decoded.encoding, false, read.stat) };
}
