// What each session of a folder does now, for the other windows of this machine: a small file per session, written as that changes, and watched.
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type SessionGlance, stateWords } from '../../shared/session-glance';
import { writePrivateFile } from '../files/replace-file';
import { watchFolder, type WatchOptions } from './watch-folder';

export interface SessionGlances {
  /** Ordered for each session; a later one takes the place of those that wait. Rejects where the disk refuses. */
  write(id: string, glance: SessionGlance): Promise<void>;
  /**
   * All that are known, those of sessions that are gone removed. `isHeld`: whether a living process has it open.
   * Where none has, a state that is older than the last change of the log says nothing.
   */
  read(isHeld: (id: string) => Promise<boolean>): Promise<Map<string, SessionGlance>>;
  /** The one of this session, as `read` gives it. */
  readOne(id: string, isHeld: (id: string) => Promise<boolean>): Promise<SessionGlance | undefined>;
  /** `id` is undefined where any may have changed. */
  watch(changed: (id: string | undefined) => void, options?: WatchOptions): Promise<() => void>;
}

export const glancesFolder = '.states';
const ending = '.json';
const readersAtOnce = 16;
/** A window writes the state first, then closes the log; and some disks count whole seconds. */
const laterMs = 10_000;

/** Goes with the session. */
export async function removeGlance(root: string, id: string): Promise<void> {
  await rm(path.join(root, glancesFolder, `${id}${ending}`), { force: true });
}

/** `listLogs`: what is in the folder of the logs. */
export function createSessionGlances(
  root: string,
  listLogs: () => Promise<string[]> = () => readdir(root),
): SessionGlances {
  const folder = path.join(root, glancesFolder);
  const fileOf = (id: string): string => path.join(folder, `${id}${ending}`);
  const waiting = new Map<string, SessionGlance>();
  const writing = new Map<string, Promise<void>>();

  const changeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  /** A run without a window, or another version, has continued the session since: it writes no states. */
  const isOlderThanLog = async (id: string): Promise<boolean> => {
    const [state, log] = await Promise.all([changeOf(fileOf(id)), changeOf(path.join(root, `${id}.jsonl`))]);
    return log > state + laterMs;
  };

  const readOne: SessionGlances['readOne'] = async (id, isHeld) => {
    const glance = glanceIn(await readFile(fileOf(id), 'utf8').catch(() => ''));
    if (glance === undefined) return undefined;
    const old = await isOlderThanLog(id);
    if ((!old && glance.state !== 'working') || (await isHeld(id))) return glance;
    // Who worked on it is gone: it was interrupted. What waits is asked again where it is opened, and waits all the same.
    return old ? undefined : { ...glance, state: 'idle' };
  };
  const drain = async (id: string): Promise<void> => {
    for (let next = waiting.get(id); next !== undefined; next = waiting.get(id)) {
      waiting.delete(id);
      await writePrivateFile(fileOf(id), JSON.stringify(next));
    }
  };

  return {
    write(id, glance) {
      waiting.set(id, glance);
      const running = writing.get(id);
      if (running !== undefined) return running;
      const done = drain(id).finally(() => writing.delete(id));
      writing.set(id, done);
      return done;
    },
    readOne,
    async read(isHeld) {
      const names = await readdir(folder).catch(() => [] as string[]);
      // Undefined where nobody can tell which sessions are gone: none is, then.
      const logs = await listLogs().then(
        (all) => new Set(all),
        () => undefined,
      );
      const found = new Map<string, SessionGlance>();
      const ids = names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
      const worker = async (): Promise<void> => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          if (logs !== undefined && !logs.has(`${id}.jsonl`) && !logs.has(`${id}.lock`)) {
            await removeGlance(root, id).catch(() => undefined);
            continue;
          }
          const glance = await readOne(id, isHeld);
          if (glance !== undefined) found.set(id, glance);
        }
      };
      await Promise.all(Array.from({ length: readersAtOnce }, worker));
      return found;
    },
    async watch(changed, options) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return watchFolder(
        folder,
        (name) => {
          if (name === undefined) changed(undefined);
          else if (name.endsWith(ending)) changed(name.slice(0, -ending.length));
        },
        options,
      );
    },
  };
}

function glanceIn(text: string): SessionGlance | undefined {
  try {
    const value = JSON.parse(text) as Partial<SessionGlance> | null;
    return typeof value?.state === 'string' &&
      Object.hasOwn(stateWords, value.state) &&
      typeof value.since === 'number' &&
      typeof value.title === 'string'
      ? (value as SessionGlance)
      : undefined;
  } catch {
    return undefined;
  }
}
