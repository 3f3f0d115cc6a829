// Where the sessions of other folders of the same repository are: its other checkouts, and folders inside of any of them.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type SessionSummary } from '../../core/ports/session-store';
import { isInsideAny } from '../../core/permissions/rules/workspace-path';
import { portPath } from '../files/port-path';
import { checkoutsOf, findRepository } from '../repository';
import { listSessions } from './session-list';
import { sessionsDirectory, workspaceKey } from './sessions-directory';

export interface RepositoryPlaces {
  home: string;
  /** The folder of the window. */
  folder: string;
  /** The setting `sessions.directory`. */
  setting: string;
}

export interface SessionsOfFolder {
  /** The folder with their logs. */
  root: string;
  sessions: SessionSummary[];
}

const workspaceMark = '<workspace>';
const ignoreCase = process.platform === 'win32' || process.platform === 'darwin';

/** Empty where the folder is in no repository, or all folders share one place for their sessions. */
export async function repositorySessions({ home, folder, setting }: RepositoryPlaces): Promise<SessionsOfFolder[]> {
  if (!setting.includes(workspaceMark)) return [];
  const repository = await findRepository(folder);
  if (repository === undefined) return [];
  const checkouts = await checkoutsOf(repository);
  const own = sessionsDirectory(home, folder, setting);
  const roots = new Set(checkouts.map((checkout) => sessionsDirectory(home, checkout, setting)));
  if (path.basename(setting) === workspaceMark)
    for (const root of await insideOf(path.dirname(own), checkouts)) roots.add(root);
  roots.delete(own);
  const found = await Promise.all(
    [...roots].map(async (root) => ({
      root,
      // The name of a folder of sessions may be that of another folder, too.
      sessions: (await listSessions(root)).filter(
        ({ cwd }) => cwd !== '' && isInsideAny(cwd, checkouts.map(portPath), ignoreCase),
      ),
    })),
  );
  return found.filter(({ sessions }) => sessions.length > 0);
}

/** Those of folders below a checkout begin with its name. */
async function insideOf(parent: string, checkouts: readonly string[]): Promise<string[]> {
  const starts = checkouts.map((checkout) => `${workspaceKey(checkout)}-`);
  const names = await readdir(parent).catch(() => [] as string[]);
  return names.filter((name) => starts.some((start) => name.startsWith(start))).map((name) => path.join(parent, name));
}
