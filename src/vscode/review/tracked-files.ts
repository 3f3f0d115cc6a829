// All files with unreviewed changes: follows writes, typing and other programs, and keeps the state on disk.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type FileSystem, type Log, type Path } from '../../core/ports';
import { maxWritableBytes } from '../files/disk';
import { pathOf, uriOf } from '../host/uri-path';
import { type WriteWatcher } from '../files/vscode-file-system';
import { openJsonFolder } from './json-folder';
import { fromStored, toStored } from './stored-file';
import { type StoredFile } from './stored-shapes';
import {
  isSettled,
  recordApproved,
  recordUnreviewed,
  seeText,
  unreviewedHunks,
  type TrackedFile,
} from './tracked-file';

export interface TrackedFiles extends vscode.Disposable {
  readonly watch: WriteWatcher;
  /** In the order of their paths; only those that differ from their baseline now. */
  paths(): Path[];
  /** As of now, with what an open editor holds. */
  get(path: Path): TrackedFile | undefined;
  /** Undefined forgets the file: everything in it is reviewed, or it is gone. */
  put(path: Path, file: TrackedFile | undefined): void;
  /** Paths whose state changed, a moment after. */
  readonly onDidChange: vscode.Event<Path[]>;
  readonly restored: Promise<void>;
  /** Resolves when the present state is on disk. */
  flush(): Promise<void>;
}

/** Typing comes in many events; marks may follow this much later. */
const settleMs = 60;

export function createTrackedFiles(
  storage: string,
  files: Pick<FileSystem, 'readText' | 'stat'>,
  log: Log,
): TrackedFiles {
  const stored = openJsonFolder<StoredFile>(storage, async (value) =>
    (await import('./stored-shapes')).parseStoredFile(value),
  );
  const tracked = new Map<Path, TrackedFile>();
  const writing = new Map<Path, number>();
  /** The number of Deft's last write to each tracked file: what was read before it says nothing of what is there now. */
  const writes = new Map<Path, number>();
  let counted = 0;
  const watchers = new Map<Path, vscode.Disposable>();
  const changed = new vscode.EventEmitter<Path[]>();
  const dirty = new Set<Path>();
  let timer: NodeJS.Timeout | undefined;

  const save = (path: Path): void => {
    const file = tracked.get(path);
    const done = file === undefined ? stored.remove(path) : stored.put(path, toStored(path, file));
    done.catch((error: unknown) => log.warn(`The review state of ${path} could not be stored`, messageOf(error)));
  };
  const tell = (): void => {
    timer = undefined;
    const paths = [...dirty];
    dirty.clear();
    paths.forEach(save);
    changed.fire(paths);
  };
  const touch = (path: Path): void => {
    dirty.add(path);
    timer ??= setTimeout(tell, settleMs);
  };
  const put = (path: Path, file: TrackedFile | undefined): void => {
    if (file === undefined) {
      if (!tracked.delete(path)) return;
      watchers.get(path)?.dispose();
      watchers.delete(path);
      if (!writing.has(path)) writes.delete(path);
    } else {
      if (tracked.get(path) === file) return;
      tracked.set(path, file);
      if (!watchers.has(path))
        watchers.set(
          path,
          watchFile(path, () => void look(path)),
        );
    }
    touch(path);
  };
  /** Not while Deft itself writes the file: its edit would pass for the person's. */
  const see = (path: Path, text: string): void => {
    const file = tracked.get(path);
    if (file !== undefined && !writing.has(path)) put(path, seeText(file, text));
  };
  const look = async (path: Path): Promise<void> => {
    if (!tracked.has(path) || writing.has(path)) return;
    const before = writes.get(path);
    const read = await files.readText(path, maxWritableBytes);
    // Its own event follows, and is looked at then.
    if (writes.get(path) !== before) return;
    if (read.outcome === 'read') see(path, read.file.text);
    // Programs replace files by removing them for a moment: gone is what stays gone.
    else if (read.code === 'not_found') setTimeout(() => void forgetIfGone(path), 500);
  };
  const forgetIfGone = async (path: Path): Promise<void> => {
    if ((await files.stat(path)) === undefined) put(path, undefined);
    else await look(path);
  };
  const pathOfDocument = (document: vscode.TextDocument): Path | undefined =>
    [...tracked.keys()].find((path) => uriOf(path).toString() === document.uri.toString());

  const subscriptions = [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const path = contentChanges.length > 0 ? pathOfDocument(document) : undefined;
      if (path !== undefined) see(path, document.getText());
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      const path = pathOfDocument(document);
      const file = path === undefined ? undefined : tracked.get(path);
      if (path !== undefined && file !== undefined && isSettled(file)) put(path, undefined);
    }),
    // In this window; what moves it elsewhere looks like a file that is gone.
    vscode.workspace.onDidRenameFiles(({ files: renamed }) => {
      for (const { oldUri, newUri } of renamed) {
        const [from, to] = [pathOf(oldUri), pathOf(newUri)];
        for (const [path, file] of [...tracked]) {
          if (path !== from && !path.startsWith(`${from}/`)) continue;
          put(path, undefined);
          put(to + path.slice(from.length), file);
        }
      }
    }),
  ];

  const restore = async (): Promise<void> => {
    for (const entry of await stored.load()) {
      const { path } = entry;
      if (tracked.has(path)) continue;
      put(path, fromStored(entry));
      await look(path);
    }
  };

  return {
    watch(path) {
      writing.set(path, (writing.get(path) ?? 0) + 1);
      writes.set(path, ++counted);
      return (written) => {
        const others = (writing.get(path) ?? 1) - 1;
        if (others === 0) writing.delete(path);
        if (others > 0) writing.set(path, others);
        const file = tracked.get(path);
        if (file === undefined && others === 0 && written?.approved !== false) writes.delete(path);
        if (written === undefined) return void look(path);
        const { before, after, approved, typed = after } = written;
        if (!approved) return put(path, seeText(recordUnreviewed(file, before, after), typed));
        if (file === undefined) return;
        const next = recordApproved(file, before, typed);
        put(path, isSettled(next) ? undefined : next);
      };
    },
    paths: () =>
      [...tracked].flatMap(([path, file]) => (file.created || unreviewedHunks(file).length > 0 ? [path] : [])).sort(),
    get: (path) => tracked.get(path),
    put,
    onDidChange: changed.event,
    restored: restore(),
    async flush() {
      if (timer !== undefined) {
        clearTimeout(timer);
        tell();
      }
      await stored.settled();
    },
    dispose() {
      if (timer !== undefined) {
        clearTimeout(timer);
        tell();
      }
      subscriptions.forEach((subscription) => subscription.dispose());
      for (const watcher of watchers.values()) watcher.dispose();
      changed.dispose();
    },
  };
}

/** Its folder alone is watched; that works outside of the workspace as well. */
function watchFile(path: Path, changed: () => void): vscode.Disposable {
  const uri = uriOf(path);
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'),
  );
  const check = (other: vscode.Uri): void => {
    if (other.toString() === uri.toString()) changed();
  };
  watcher.onDidChange(check);
  watcher.onDidCreate(check);
  watcher.onDidDelete(check);
  return watcher;
}
