// The processes of running hooks: stopped with all that descends from them, and none is left when Deft itself ends.
import { createProcessFamily } from '../terminal/process-family';
import { endProcesses, endWindowsTree, send } from '../terminal/process-tree';

export class HookProcesses {
  readonly #running = new Set<number>();
  readonly #ending = new Set<Promise<void>>();

  /** `pid` leads a process group of its own. */
  started(pid: number): void {
    if (this.#running.size === 0) process.on('exit', this.#killAll);
    this.#running.add(pid);
  }

  /** Ended by itself. What it has left in the background on purpose goes on. */
  over(pid: number): void {
    this.#running.delete(pid);
    if (this.#running.size === 0) process.off('exit', this.#killAll);
  }

  /** `mark` is in the environment of all its processes. */
  stop(pid: number, mark: string): void {
    const ending = this.#stop(pid, mark)
      .catch(() => undefined)
      .then(() => {
        this.over(pid);
        this.#ending.delete(ending);
      });
    this.#ending.add(ending);
  }

  /** Resolves once all that was stopped has ended, or would not: within seconds. */
  async ended(): Promise<void> {
    // A hook that was told to stop in this very moment is among them then.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(this.#ending);
  }

  async #stop(pid: number, mark: string): Promise<void> {
    const family = createProcessFamily();
    await family.look(pid);
    await endProcesses({ mark, group: pid, family });
  }

  /** Nothing can be waited for any more. */
  readonly #killAll = (): void => {
    for (const pid of this.#running) {
      if (process.platform === 'win32') void endWindowsTree(pid);
      else send(-pid, 'SIGKILL');
    }
  };
}
