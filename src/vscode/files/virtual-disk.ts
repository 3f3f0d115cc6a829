// A virtual workspace's files through VS Code's file system API: no process, no links, no atomic replacement.
import { dirname } from 'pathe';
import * as vscode from 'vscode';
import { DeftError, messageOf } from '../../core/text/errors';
import { type FileStat, type ReadFailure } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { type Disk } from './disk';
import { type WriteRefusal } from '../../node/files/write-refusal';
import { readonlyRefusal } from './node-disk';
import { uriOf } from '../host/uri-path';

/** `toUri` names the file of a path; tests have their own. */
export function createVirtualDisk(toUri: (path: Path) => vscode.Uri = uriOf): Disk {
  const files = vscode.workspace.fs;

  const stat = async (path: Path): Promise<FileStat | undefined> => {
    try {
      const found = await files.stat(toUri(path));
      return { type: typeOf(found.type), size: found.size, mtimeMs: found.mtime };
    } catch {
      return undefined;
    }
  };

  const read = async (path: Path, maxBytes: number): ReturnType<Disk['read']> => {
    try {
      const found = await files.stat(toUri(path));
      const type = typeOf(found.type);
      if (type === 'directory')
        return { outcome: 'refused', code: 'directory', message: `${path} is a folder, not a file.` };
      if (type === 'other')
        return {
          outcome: 'refused',
          code: 'not_a_file',
          message: `${path} is not a regular file; Deft never opens those.`,
        };
      if (found.size > maxBytes) return tooLarge(path, found.size, maxBytes);
      const bytes = await files.readFile(toUri(path));
      return bytes.length > maxBytes
        ? tooLarge(path, bytes.length, maxBytes)
        : { outcome: 'read', bytes, state: undefined };
    } catch (error) {
      return readFailure(error, path);
    }
  };

  const obstacle = async (path: Path): Promise<WriteRefusal | undefined> => {
    const uri = toUri(path);
    if (files.isWritableFileSystem(uri.scheme) === false) return readonlyRefusal(path);
    try {
      const { permissions } = await files.stat(uri);
      return permissions !== undefined && (permissions & vscode.FilePermission.Readonly) !== 0
        ? readonlyRefusal(path)
        : undefined;
    } catch {
      return undefined;
    }
  };

  const write = async (path: Path, bytes: Uint8Array): Promise<{ outcome: 'done' } | WriteRefusal> => {
    const hindrance = await obstacle(path);
    if (hindrance) return hindrance;
    try {
      await files.writeFile(toUri(path), bytes);
      return { outcome: 'done' };
    } catch (error) {
      return writeRefusal(error, path);
    }
  };

  return {
    stat,
    read,
    obstacle,
    realPath: async (path) => path,
    async list(path) {
      try {
        const entries = await files.readDirectory(toUri(path));
        return entries.map(([name, type]) => ({ name, type: typeOf(type) }));
      } catch (error) {
        const { code, message } = readFailure(error, path);
        throw new DeftError(`file-${code.replaceAll('_', '-')}`, message, { audience: 'model', cause: error });
      }
    },
    async create(path, bytes) {
      return (await stat(path)) === undefined ? write(path, bytes) : { outcome: 'exists' };
    },
    async replace(path, bytes, before) {
      const now = await read(path, before.bytes.length);
      return now.outcome === 'read' && Buffer.from(now.bytes).equals(before.bytes)
        ? write(path, bytes)
        : { outcome: 'moved' };
    },
    async move(from, to, kept) {
      try {
        await files.rename(toUri(from), toUri(to), { overwrite: false });
      } catch (error) {
        return errorName(error) === 'FileExists' ? { outcome: 'exists' } : writeRefusal(error, from);
      }
      for (
        let at = dirname(from);
        !kept.includes(at) && !to.startsWith(`${at}/`) && at !== dirname(at);
        at = dirname(at)
      ) {
        const inside = await files.readDirectory(toUri(at)).then(undefined, () => undefined);
        if (inside === undefined || inside.length > 0) break;
        await files.delete(toUri(at)).then(undefined, () => undefined);
      }
      return { outcome: 'done' };
    },
  };
}

function writeRefusal(error: unknown, path: Path): WriteRefusal {
  const code = errorName(error);
  if (code === 'NoPermissions')
    return { outcome: 'refused', code: 'permission', message: `No permission to write ${path}; nothing was written.` };
  if (code === 'FileIsADirectory')
    return { outcome: 'refused', code: 'not_a_file', message: `${path} is a folder, not a file.` };
  return { outcome: 'refused', code: 'failed', message: `Cannot write ${path}: ${messageOf(error)}.` };
}

function readFailure(error: unknown, path: Path): ReadFailure {
  switch (errorName(error)) {
    case 'FileNotFound':
    case 'FileNotADirectory':
      return { outcome: 'refused', code: 'not_found', message: `${path} does not exist.` };
    case 'NoPermissions':
      return { outcome: 'refused', code: 'permission', message: `No permission to read ${path}.` };
    case 'FileIsADirectory':
      return { outcome: 'refused', code: 'directory', message: `${path} is a folder, not a file.` };
    default:
      return { outcome: 'refused', code: 'failed', message: `Cannot read ${path}: ${messageOf(error)}.` };
  }
}

function errorName(error: unknown): string {
  return error instanceof vscode.FileSystemError ? error.code : '';
}

function tooLarge(path: Path, size: number, maxBytes: number): ReadFailure {
  return {
    outcome: 'refused',
    code: 'too_large',
    message: `${path} has ${size} bytes; at most ${maxBytes} can be read at once.`,
  };
}

function typeOf(type: vscode.FileType): FileStat['type'] {
  if ((type & vscode.FileType.Directory) !== 0) return 'directory';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}
