// Tells who waits for files of one folder when any is made, changed or removed: by the system's events, and by looks alone where those cannot be trusted.
import { type FSWatcher, watch } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** `name` is undefined where nobody knows which: everything may have changed. */
export type FolderListener = (name: string | undefined) => void;

export interface WatchOptions {
  lookMs?: number;
  /** False: only looks. */
  watches?: boolean;
}

interface Watched {
  listeners: Set<FolderListener>;
  watcher: FSWatcher | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** As often as a user would notice. */
const usualLookMs = 500;

/** What another machine writes there is reported by no event: NFS, SMB, 9p, FUSE, AFS, Coda, Ceph, Lustre. */
const sharedDisks = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x73757245, 0x00c36400, 0x0bd00bd0,
]);

/** One watcher for all who wait: a folder of sessions has many. */
const watched = new Map<string, Watched>();

/** The folder must exist. Returns what ends it. */
export function watchFolder(folder: string, listener: FolderListener, options: WatchOptions = {}): () => void {
  const key = `${folder}\0${options.watches ?? true}\0${options.lookMs ?? ''}`;
  const found = watched.get(key);
  const entry = found ?? begin(folder, options);
  if (found === undefined) watched.set(key, entry);
  // A function may be passed twice; each of them ends on its own.
  const own: FolderListener = (name) => listener(name);
  entry.listeners.add(own);
  return () => {
    entry.listeners.delete(own);
    if (entry.listeners.size > 0 || watched.get(key) !== entry) return;
    watched.delete(key);
    entry.watcher?.close();
    clearInterval(entry.timer);
  };
}

function begin(folder: string, { lookMs = usualLookMs, watches = true }: WatchOptions): Watched {
  const entry: Watched = { listeners: new Set(), watcher: undefined, timer: undefined };
  const tell: FolderListener = (name) => [...entry.listeners].forEach((listener) => listener(name));
  const look = (): void => {
    if (entry.listeners.size > 0) entry.timer ??= setInterval(() => tell(undefined), lookMs).unref();
  };
  const fail = (): void => {
    entry.watcher?.close();
    entry.watcher = undefined;
    look();
  };
  try {
    if (watches)
      entry.watcher = watch(folder, { persistent: false }, (_event, name) => tell(name ?? undefined)).on('error', fail);
  } catch {
    // No watchers are left, or the system has none.
  }
  // Its listener comes behind this.
  if (entry.watcher === undefined) queueMicrotask(look);
  else
    void statfs(folder).then(
      ({ type }) => void (sharedDisks.has(type) && look()),
      () => undefined,
    );
  return entry;
}
