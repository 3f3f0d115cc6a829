// The states of one folder's sessions that others write, kept up to date: one look at a time, told only where something is other than before.
import { type SessionGlances } from '../../node/sessions/session-glances';
import { type SessionGlance } from '../../shared/session-glance';
import { isOther } from './glance-of';

export interface FollowedGlancesOptions {
  glances: Pick<SessionGlances, 'read' | 'readOne' | 'watch'>;
  isHeld(id: string): Promise<boolean>;
  /** Known at first hand. */
  isOwn?(id: string): boolean;
  changed(): void;
  failed(error: unknown): void;
}

export class FollowedGlances {
  readonly #options: FollowedGlancesOptions;
  readonly #known = new Map<string, SessionGlance>();
  /** What changed since the last look began. */
  readonly #due = new Set<string>();
  #allDue = false;
  #begun: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #wasRead = false;
  #unwatch: (() => void) | undefined;
  #disposed = false;

  constructor(options: FollowedGlancesOptions) {
    this.#options = options;
  }

  /** From the first call on, changes are told. */
  async read(): Promise<ReadonlyMap<string, SessionGlance>> {
    await (this.#begun ??= this.#begin());
    return this.#known;
  }

  /** At this one, or at all. Where a look is under way, the next begins behind it. */
  async look(id?: string): Promise<void> {
    // Nobody has asked yet.
    if (this.#begun === undefined || this.#disposed) return;
    if (id === undefined) this.#allDue = true;
    else this.#due.add(id);
    await (this.#looking ??= this.#lookWhileDue());
  }

  /** Known before it is on the disk. */
  set(id: string, glance: SessionGlance): void {
    this.#known.set(id, glance);
  }

  dispose(): void {
    this.#disposed = true;
    this.#unwatch?.();
  }

  async #begin(): Promise<void> {
    const { glances, failed } = this.#options;
    try {
      this.#unwatch = await glances.watch((id) => void this.look(id));
      if (this.#disposed) this.#unwatch();
    } catch (error) {
      failed(error);
    }
    await this.look();
  }

  async #lookWhileDue(): Promise<void> {
    try {
      while (!this.#disposed && (this.#allDue || this.#due.size > 0)) await this.#lookOnce();
    } catch (error) {
      this.#options.failed(error);
    } finally {
      this.#looking = undefined;
    }
  }

  async #lookOnce(): Promise<void> {
    const { glances, isHeld, isOwn, changed } = this.#options;
    const all = this.#allDue;
    const due = [...this.#due];
    this.#allDue = false;
    this.#due.clear();
    const found = all ? await glances.read(isHeld) : new Map<string, SessionGlance>();
    if (!all)
      for (const id of due) {
        const glance = await glances.readOne(id, isHeld);
        if (glance !== undefined) found.set(id, glance);
      }
    let tells = false;
    for (const id of all ? new Set([...this.#known.keys(), ...found.keys()]) : due) {
      if (isOwn?.(id) === true) continue;
      const [before, now] = [this.#known.get(id), found.get(id)];
      if (now === undefined ? before === undefined : !isOther(before, now)) continue;
      if (now === undefined) this.#known.delete(id);
      else this.#known.set(id, now);
      tells = true;
    }
    // Whoever waits for the first look gets it in any case.
    if (tells && this.#wasRead) changed();
    this.#wasRead = true;
  }
}
