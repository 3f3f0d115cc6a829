// Reports when files that hooks watch are made, changed or removed, by looking at them now and then.
import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import { type FileChange } from '../../core/ports/hook-handlers';

const watchIntervalMs = 1_000;

/** Looking works on every disk, and for files that are not there yet. */
export function watchFiles(paths: readonly string[], changed: (change: FileChange) => void): () => void {
  const watched = paths.map((path): [string, StatsListener] => [
    path,
    (now, before) => {
      if (now.mtimeMs === before.mtimeMs && now.size === before.size && now.ino === before.ino) return;
      changed({ path, event: before.nlink === 0 ? 'add' : now.nlink === 0 ? 'unlink' : 'change' });
    },
  ]);
  for (const [path, listener] of watched) watchFile(path, { interval: watchIntervalMs, persistent: false }, listener);
  return () => watched.forEach(([path, listener]) => unwatchFile(path, listener));
}
