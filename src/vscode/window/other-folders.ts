// The sessions of the repository's other folders and worktrees, for the lists of a window: their states are read and watched where they are kept.
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { type Log } from '../../core/ports/log';
import { homeFolder } from '../../node/home-folder';
import { createJsonlSessionStore } from '../../node/sessions/jsonl-session-store';
import { repositorySessions } from '../../node/sessions/repository-sessions';
import { createSessionGlances, type SessionGlances } from '../../node/sessions/session-glances';
import { readConfiguration } from '../host/configuration';
import { nativeFolders } from '../host/workspace-facts';
import { type BoardRow } from './board-row';

interface Place {
  glances: SessionGlances;
  isHeld(id: string): Promise<boolean>;
  unwatch: () => void;
}

export class OtherFolders implements vscode.Disposable {
  readonly #places = new Map<string, Promise<Place>>();
  readonly #log: Log;
  readonly #changed: () => void;
  #disposed = false;

  constructor(log: Log, changed: () => void) {
    this.#log = log;
    this.#changed = changed;
  }

  async rows(): Promise<BoardRow[]> {
    const [folder] = nativeFolders();
    if (folder === undefined) return [];
    const found = await repositorySessions({
      home: homeFolder(),
      folder,
      setting: readConfiguration().sessionsDirectory,
    }).catch((error: unknown) => {
      this.#log.warn('The sessions of other folders were not found.', String(error));
      return [];
    });
    const rows = found.map(async ({ root, sessions }) => {
      const { glances, isHeld } = await this.#place(root);
      const known = await glances.read(isHeld);
      return sessions.map(({ id, title, updatedAt, sizeBytes, cwd }): BoardRow => {
        const glance = known.get(id);
        const elsewhere = { file: path.join(root, `${id}.jsonl`), folder: cwd };
        return { id, title, updatedAt, sizeBytes, glance, state: glance?.state ?? 'idle', elsewhere };
      });
    });
    return (await Promise.all(rows)).flat().sort((a, b) => b.updatedAt - a.updatedAt);
  }

  dispose(): void {
    this.#disposed = true;
    for (const place of this.#places.values()) void place.then(({ unwatch }) => unwatch());
  }

  #place(root: string): Promise<Place> {
    const known = this.#places.get(root) ?? this.#open(root);
    this.#places.set(root, known);
    return known;
  }

  async #open(root: string): Promise<Place> {
    const store = createJsonlSessionStore(root, this.#log);
    const glances = createSessionGlances(root);
    const unwatch = await glances.watch(this.#changed).catch(() => () => undefined);
    if (this.#disposed) unwatch();
    return { glances, isHeld: async (id) => (await store.isHeld?.(id)) ?? false, unwatch };
  }
}
