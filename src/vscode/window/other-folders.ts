// The sessions of the repository's other folders and worktrees, for the lists of a window: their states are read and watched where they are kept.
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { type Log } from '../../core/ports/log';
import { homeFolder } from '../../node/home-folder';
import { createJsonlSessionStore } from '../../node/sessions/jsonl-session-store';
import { repositorySessions } from '../../node/sessions/repository-sessions';
import { createSessionGlances } from '../../node/sessions/session-glances';
import { readConfiguration } from '../host/configuration';
import { nativeFolders } from '../host/workspace-facts';
import { type BoardRow } from './board-row';
import { FollowedGlances } from './followed-glances';

export class OtherFolders implements vscode.Disposable {
  readonly #places = new Map<string, FollowedGlances>();
  readonly #log: Log;
  readonly #changed: () => void;

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
      const known = await this.#place(root).read();
      return sessions.map(({ id, title, updatedAt, sizeBytes, cwd }): BoardRow => {
        const glance = known.get(id);
        const elsewhere = { file: path.join(root, `${id}.jsonl`), folder: cwd };
        return { id, title, updatedAt, sizeBytes, glance, state: glance?.state ?? 'idle', elsewhere };
      });
    });
    return (await Promise.all(rows)).flat().sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** At the folders that were listed. */
  async lookAgain(): Promise<void> {
    await Promise.all([...this.#places.values()].map((place) => place.look()));
  }

  dispose(): void {
    for (const place of this.#places.values()) place.dispose();
  }

  #place(root: string): FollowedGlances {
    const known = this.#places.get(root);
    if (known !== undefined) return known;
    const store = createJsonlSessionStore(root, this.#log);
    const place = new FollowedGlances({
      glances: createSessionGlances(root),
      isHeld: async (id) => (await store.isHeld?.(id)) ?? false,
      changed: this.#changed,
      failed: (error) => this.#log.debug('The states of sessions in another folder are not followed.', String(error)),
    });
    this.#places.set(root, place);
    return place;
  }
}
