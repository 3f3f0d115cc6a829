// The private folders in which the runs of a terminal keep their files: made with the first command, made anew where one is gone, and watched.
import { existsSync, watch, type FSWatcher } from 'node:fs';
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
  /** Holds them. */
  root: string;
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
      if (await isRunDirectoryThere(place)) return place;
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

  /** From now on they have no owner. */
  async giveUp(): Promise<void> {
    await Promise.all(
      this.#all.map((each) => writeOwner(each, { ...this.#options.owner, pid: 0 }).catch(() => undefined)),
    );
  }

  async #make(): Promise<RunDirectory> {
    const { root, owner } = this.#options;
    const made = await createRunDirectory(root, owner);
    void sweepRunDirectories(root, Date.now());
    this.#all.unshift(made);
    this.#watchEnds(made);
    return made;
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
