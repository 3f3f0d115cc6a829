// The private folders in which the runs of a terminal keep their files: made with the first command, made anew where one is gone, and watched.
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { type Log } from '../../core/ports/log';
import { messageOf } from '../../core/text/errors';
import { portable } from './command-result';
import { isRunDirectoryThere, type RunDirectory } from './run-files';
import { createRunDirectory, disown, hasRecords, type Orphans, type RunOwner, sweepRunDirectories } from './run-owners';

export interface RunFoldersOptions {
  /** The first one that takes files holds them. */
  roots: readonly string[];
  owner: RunOwner;
  /** The run of this number may have ended. */
  onEnd(place: RunDirectory, number: number): void;
  /** Commands that a session which crashed had left running were ended, or could not be. */
  onOrphans?: ((orphans: Orphans) => void) | undefined;
  log: Pick<Log, 'debug'>;
}

export class RunFolders {
  readonly #options: RunFoldersOptions;
  readonly #watchers: FSWatcher[] = [];
  /** The own one first, then those of commands that were taken over. */
  readonly #all: RunDirectory[] = [];
  #own: Promise<RunDirectory> | undefined;
  #sweeping: Promise<void> | undefined;
  /** The own one is in the last of the roots: there is no other to turn to. */
  #isLast = false;

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
      if ((await isRunDirectoryThere(place)) && (this.#isLast || (await hasRoom(place.path)))) return place;
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

  /** Ends what crashed sessions left running, and removes what they left behind. */
  sweep(): Promise<void> {
    this.#sweeping ??= Promise.all(this.#options.roots.map((root) => sweepRunDirectories(root, Date.now())))
      .then((found) => {
        const ended = found.flatMap((each) => each.ended);
        const alive = found.flatMap((each) => each.alive);
        if (ended.length + alive.length > 0) this.#options.onOrphans?.({ ended, alive });
      })
      .finally(() => (this.#sweeping = undefined));
    return this.#sweeping;
  }

  /** Removes them; one in which a command runs on has no owner from now on. */
  async giveUp(): Promise<void> {
    await Promise.all(
      this.#all.map(async (each) => {
        const runsOn = !this.#options.owner.processesEndWithOwner && (await hasRecords(each.path));
        await (runsOn ? disown(each, this.#options.owner) : rm(each.path, { recursive: true, force: true })).catch(
          () => undefined,
        );
      }),
    );
  }

  async #make(): Promise<RunDirectory> {
    const made = await this.#makeWhereThereIsRoom();
    void this.sweep();
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
        const made = await createRunDirectory(root, owner);
        this.#isLast = at === roots.length - 1;
        return made;
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
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
