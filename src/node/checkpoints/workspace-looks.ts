// Finds out who changed what in the workspace between two looks, and writes it into the log of checkpoints.
import { type CheckpointEntry } from '../../core/ports/checkpoints';
import { portPath } from '../files/port-path';
import { type CheckpointStore } from './checkpoint-store';
import { isOutside } from './outside-run';
import { type PathChange } from './snapshot';

export interface LookOptions {
  /** What a user has saved since that time, in milliseconds since the epoch: not all that changes during a command is the command's. */
  savedSince: ((time: number) => ReadonlySet<string>) | undefined;
  signal: AbortSignal;
  failed: (error: unknown) => void;
}

interface Look {
  /** Whose the changes are; nobody's where it is undefined. */
  by: string | undefined;
  doubt: boolean;
  /** Paths that are looked at wherever they lie. */
  known: readonly string[];
  /** When that call ran. */
  ran?: { since: number; until: number };
}

export class WorkspaceLooks {
  /** After the last command something else ran that may change files. */
  othersRan = false;
  readonly #options: LookOptions;
  /** When the last look at the workspace began. */
  #lastLook = Date.now();

  constructor(options: LookOptions) {
    this.#options = options;
  }

  /** What changed since the last look. */
  async look({ log, snapshot }: CheckpointStore, { by, doubt, known, ran }: Look): Promise<void> {
    const { savedSince, signal, failed } = this.#options;
    const first = !snapshot.taken;
    const looked = Date.now();
    const changes = await snapshot.update([...pathsOf(log.entries), ...known], signal);
    if (!first && by !== undefined) {
      const saved = savedSince?.(ran?.since ?? looked) ?? new Set();
      const isOthers = (change: PathChange): boolean =>
        saved.has(portPath(change.path)) ||
        (ran !== undefined && isOutside(change.changedAt, { ...ran, before: this.#lastLook, now: Date.now() }));
      // First what a rewind goes by: the snapshot is only a cache of it.
      await log.append(
        changes.flatMap((change): CheckpointEntry[] => {
          const { before, after } = change;
          const at = portPath(change.path);
          return [
            { type: 'before', by, path: at, state: before, ...(doubt || isOthers(change) ? { doubt: true } : {}) },
            { type: 'after', by, path: at, state: after },
          ];
        }),
      );
    }
    this.#lastLook = looked;
    await snapshot.save().catch(failed);
  }

  /** What changed while no call was known to run. */
  async catchUp(store: CheckpointStore, known: readonly string[] = []): Promise<void> {
    const by = this.suspect(store);
    await this.look(store, { by, doubt: true, known });
    if (by !== undefined && !this.othersRan) await store.log.append([{ type: 'ended', by }]);
  }

  /** Who may have changed files since the last look, apart from users. */
  suspect({ log }: CheckpointStore): string | undefined {
    const open = new Set<string>();
    let last: string | undefined;
    for (const entry of log.entries) {
      if (entry.type === 'began') open.add((last = entry.by));
      else if (entry.type === 'ended') open.delete(entry.by);
    }
    return this.othersRan ? last : [...open].at(-1);
  }
}

function pathsOf(entries: readonly CheckpointEntry[]): Set<string> {
  return new Set(entries.flatMap((entry) => (entry.type === 'before' ? [entry.path] : [])));
}
