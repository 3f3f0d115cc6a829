// All files with unreviewed changes: follows writes, typing and other programs, and keeps the state on disk.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type FileSystem } from '../../core/ports/files';
import { type Log } from '../../core/ports/log';
import { type Path } from '../../core/ports/path';
import { maxWritableBytes } from '../files/disk';
import { pathOf, uriOf } from '../host/uri-path';
import { type WriteWatcher, type WrittenChange } from '../files/vscode-file-system';
import { openJsonFolder } from './json-folder';
import { fromStored, toStored } from './stored-file';
import { type StoredFile } from './stored-shapes';
import { isSettled, recordApproved, recordMoved, recordUnreviewed, seeText, type TrackedFile } from './tracked-file';

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
  return new FileTracker(storage, files, log);
}

class FileTracker implements TrackedFiles {
  readonly #files: Pick<FileSystem, 'readText' | 'stat'>;
  readonly #log: Log;
  readonly #stored;
  readonly #tracked = new Map<Path, TrackedFile>();
  readonly #writing = new Map<Path, number>();
  /** The number of Deft's last write to each tracked file: what was read before it says nothing of what is there now. */
  readonly #writes = new Map<Path, number>();
  #counted = 0;
  readonly #watchers = new Map<Path, vscode.Disposable>();
  readonly #changed = new vscode.EventEmitter<Path[]>();
  readonly #dirty = new Set<Path>();
  #timer: NodeJS.Timeout | undefined;
  readonly #subscriptions;
  readonly onDidChange = this.#changed.event;
  readonly restored: Promise<void>;

  constructor(storage: string, files: Pick<FileSystem, 'readText' | 'stat'>, log: Log) {
    this.#files = files;
    this.#log = log;
    this.#stored = openJsonFolder<StoredFile>(storage, async (value) =>
      (await import('./stored-shapes')).parseStoredFile(value),
    );
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const path = contentChanges.length > 0 ? this.#pathOfDocument(document) : undefined;
        if (path !== undefined) this.#see(path, document.getText());
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const path = this.#pathOfDocument(document);
        const file = path === undefined ? undefined : this.#tracked.get(path);
        if (path !== undefined && file !== undefined && isSettled(file)) this.put(path, undefined);
      }),
      // In this window; what moves it elsewhere looks like a file that is gone.
      vscode.workspace.onDidRenameFiles(({ files: renamed }) => {
        for (const { oldUri, newUri } of renamed) {
          const [from, to] = [pathOf(oldUri), pathOf(newUri)];
          for (const [path, file] of [...this.#tracked]) {
            if (path !== from && !path.startsWith(`${from}/`)) continue;
            this.put(path, undefined);
            this.put(to + path.slice(from.length), file);
          }
        }
      }),
    ];
    this.restored = this.#restore();
  }

  watch(path: Path): (written?: WrittenChange) => void {
    this.#writing.set(path, (this.#writing.get(path) ?? 0) + 1);
    this.#writes.set(path, ++this.#counted);
    return (written) => {
      const others = (this.#writing.get(path) ?? 1) - 1;
      if (others === 0) this.#writing.delete(path);
      if (others > 0) this.#writing.set(path, others);
      const file = this.#tracked.get(path);
      if (file === undefined && others === 0 && written?.approved !== false) this.#writes.delete(path);
      if (written === undefined) return void this.#look(path);
      const { before, after, approved, session, typed = after, movedFrom } = written;
      if (movedFrom !== undefined) {
        const move = { from: movedFrom, to: path, text: after, approved, session };
        const next = recordMoved(this.#tracked.get(movedFrom), move);
        this.put(movedFrom, undefined);
        return this.put(path, next);
      }
      if (!approved) return this.put(path, seeText(recordUnreviewed(file, before, after, session), typed));
      if (file === undefined) return;
      const next = recordApproved(file, before, typed);
      this.put(path, isSettled(next) ? undefined : next);
    };
  }

  paths(): Path[] {
    return [...this.#tracked].flatMap(([path, file]) => (isSettled(file) ? [] : [path])).sort();
  }

  get(path: Path): TrackedFile | undefined {
    return this.#tracked.get(path);
  }

  put(path: Path, file: TrackedFile | undefined): void {
    if (file === undefined) {
      if (!this.#tracked.delete(path)) return;
      this.#watchers.get(path)?.dispose();
      this.#watchers.delete(path);
      if (!this.#writing.has(path)) this.#writes.delete(path);
    } else {
      if (this.#tracked.get(path) === file) return;
      this.#tracked.set(path, file);
      if (!this.#watchers.has(path))
        this.#watchers.set(
          path,
          watchFile(path, () => void this.#look(path)),
        );
    }
    this.#touch(path);
  }

  async flush(): Promise<void> {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#tell();
    }
    await this.#stored.settled();
  }

  dispose(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#tell();
    }
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#changed.dispose();
  }

  #save(path: Path): void {
    const file = this.#tracked.get(path);
    const done = file === undefined ? this.#stored.remove(path) : this.#stored.put(path, toStored(path, file));
    done.catch((error: unknown) => this.#log.warn(`The review state of ${path} could not be stored`, messageOf(error)));
  }

  #tell(): void {
    this.#timer = undefined;
    const paths = [...this.#dirty];
    this.#dirty.clear();
    paths.forEach((path) => this.#save(path));
    this.#changed.fire(paths);
  }

  #touch(path: Path): void {
    this.#dirty.add(path);
    this.#timer ??= setTimeout(() => this.#tell(), settleMs);
  }

  /** Not while Deft itself writes the file: its edit would pass for the user's. */
  #see(path: Path, text: string): void {
    const file = this.#tracked.get(path);
    if (file !== undefined && !this.#writing.has(path)) this.put(path, seeText(file, text));
  }

  async #look(path: Path): Promise<void> {
    if (!this.#tracked.has(path) || this.#writing.has(path)) return;
    const before = this.#writes.get(path);
    const read = await this.#files.readText(path, maxWritableBytes);
    // Its own event follows, and is looked at then.
    if (this.#writes.get(path) !== before) return;
    if (read.outcome === 'read') this.#see(path, read.file.text);
    // Programs replace files by removing them for a moment: gone is what stays gone.
    else if (read.code === 'not_found') setTimeout(() => void this.#forgetIfGone(path), 500);
  }

  async #forgetIfGone(path: Path): Promise<void> {
    if ((await this.#files.stat(path)) === undefined) this.put(path, undefined);
    else await this.#look(path);
  }

  #pathOfDocument(document: vscode.TextDocument): Path | undefined {
    return [...this.#tracked.keys()].find((path) => uriOf(path).toString() === document.uri.toString());
  }

  async #restore(): Promise<void> {
    for (const entry of await this.#stored.load()) {
      const { path } = entry;
      if (this.#tracked.has(path)) continue;
      this.put(path, fromStored(entry));
      await this.#look(path);
    }
  }
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
