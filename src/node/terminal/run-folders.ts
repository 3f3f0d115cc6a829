// The private folders in which the runs of a terminal keep their files: made with the first command, made anew where one is gone, and watched.
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Log } from '../../core/ports/log';
import { messageOf } from '../../core/text/errors';
import { portable } from './command-result';
import {
  createRunDirectory,
  isRunDirectoryThere,
  type RunDirectory,
  type RunOwner,
  sweepRunDirectories,
  writeOwner,
} from './run-files';

export interface RunFoldersOptions {
  /** The first one that takes files holds them. */
  roots: readonly string[];
  owner: Omit<RunOwner, 'pid'>;
  /** The run of this number may have ended. */
  onEnd(place: RunDirectory, number: number): void;
  log: Pick<Log, 'debug'>;
}

export class RunFolders {
  readonly #options: RunFoldersOptions;
  readonly #watchers: FSWatcher[] = [];
  /** The own one first, then those of commands that were taken over. */
  readonly #all: RunDirectory[] = [];
  #own: Promise<RunDirectory> | undefined;

  constructor(options: RunFoldersOptions) {
    this.#options = options;
  }

  paths(): string[] {
    return this.#all.map(({ path }) => portable(path));
  }

  /** Those in which this process has started commands. */
  own(): readonly RunDirectory[] {
    return this.#all;
  }

  /** For the next command. */
  async open(): Promise<RunDirectory> {
    const opened = this.#own;
    if (opened !== undefined) {
      const place = await opened;
      if ((await isRunDirectoryThere(place)) && (this.#isLast(place) || (await hasRoom(place.path)))) return place;
      // Several commands may find so at once: one of them makes it anew.
      if (this.#own === opened) {
        this.#own = undefined;
        // Whoever makes a folder of this name now is somebody else.
        if (!existsSync(place.path)) this.#all.splice(this.#all.indexOf(place), 1);
      }
    }
    this.#own ??= this.#make().catch((error: unknown) => {
      this.#own = undefined;
      throw error;
    });
    return this.#own;
  }

  /** Another's, whose commands were taken over. */
  add(place: RunDirectory): void {
    if (this.#all.some(({ path }) => path === place.path)) return;
    this.#all.push(place);
    this.#watchEnds(place);
  }

  stopWatching(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Removes them; one in which a command runs on has no owner from now on. */
  async giveUp(): Promise<void> {
    await Promise.all(
      this.#all.map(async (each) => {
        const runsOn = !this.#options.owner.processesEndWithOwner && (await hasRecords(each));
        await (
          runsOn
            ? writeOwner(each, { ...this.#options.owner, pid: 0 })
            : rm(each.path, { recursive: true, force: true })
        ).catch(() => undefined);
      }),
    );
  }

  async #make(): Promise<RunDirectory> {
    const made = await this.#makeWhereThereIsRoom();
    for (const root of this.#options.roots) void sweepRunDirectories(root, Date.now());
    this.#all.unshift(made);
    this.#watchEnds(made);
    return made;
  }

  async #makeWhereThereIsRoom(): Promise<RunDirectory> {
    const { roots, owner } = this.#options;
    let failure: unknown;
    for (const [at, root] of roots.entries()) {
      try {
        if (at > 0) await mkdir(root, { recursive: true, mode: 0o700 });
        if (at < roots.length - 1 && !(await hasRoom(root))) continue;
        return await createRunDirectory(root, owner);
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  /** There is no other folder to turn to. */
  #isLast(place: RunDirectory): boolean {
    const { roots } = this.#options;
    return roots.length === 1 || path.dirname(place.path) === path.resolve(roots.at(-1) ?? '');
  }

  /** Exit codes are seen at once where folders can be watched, and a little later elsewhere. */
  #watchEnds(place: RunDirectory): void {
    try {
      const watcher = watch(place.ends, { persistent: false }, (_event, name) => {
        this.#options.onEnd(place, Number.parseInt(name ?? '', 10));
      });
      watcher.on('error', () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      this.#options.log.debug('Commands are polled, since their folder cannot be watched.', messageOf(error));
    }
  }
}

/** For the files of some commands, without their output. */
const ROOM_BYTES = 256 * 1024;

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize, blocks } = await statfs(folder);
  // Some systems do not say how large they are.
  return blocks === 0 || bavail * bsize >= ROOM_BYTES;
}

/** A command of the user's own shell that has not ended. */
async function hasRecords({ path: folder }: RunDirectory): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((name) => /^\d+\.json$/.test(name));
}
