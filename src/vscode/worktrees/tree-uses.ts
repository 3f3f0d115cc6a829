// Who works in a worktree: sessions, of whichever window, commands, editors. What is in use is never removed.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isInside } from '../../core/permissions/rules/workspace-path';
import { type Path } from '../../core/ports/path';
import { type SessionRecord } from '../../core/ports/record';
import { type SessionStore, type SessionSummary } from '../../core/ports/session-store';
import { systemRecords } from '../../core/sessions/log-index';
import { homeFolder } from '../../node/home-folder';
import { createJsonlSessionStore } from '../../node/sessions/jsonl-session-store';
import { repositorySessions } from '../../node/sessions/repository-sessions';
import { type MadeTree, programsIn } from '../../node/worktrees/tree-removal';
import { readConfiguration } from '../host/configuration';
import { filePathOf } from '../host/uri-path';
import { nativeFolders, workspaceFolders } from '../host/workspace-facts';
import { ignoresCase } from '../session/session-tree';
import { type TreeWindow } from './tree-window';

export interface TreeSession extends SessionSummary {
  store: Pick<SessionStore, 'isHeld' | 'read'>;
}

type Sessions = Pick<TreeWindow, 'store' | 'log'>;
export type Uses = Sessions & Pick<TreeWindow, 'all' | 'treeOf' | 'background' | 'glances'>;

/** All sessions of the repository, of this folder and of others: which began in a worktree is in their folder. */
export async function repositoryRows({ store, log }: Sessions): Promise<TreeSession[]> {
  const [folder] = nativeFolders();
  const setting = readConfiguration().sessionsDirectory;
  const [own, others] = await Promise.all([
    store.list(),
    folder === undefined ? [] : repositorySessions({ home: homeFolder(), folder, setting }),
  ]);
  return [
    ...own.map((one) => ({ ...one, store })),
    ...others.flatMap(({ root, sessions }) => {
      const there = createJsonlSessionStore(root, log);
      return sessions.map((one) => ({ ...one, store: there }));
    }),
  ];
}

export function sessionsIn(tree: Path, rows: readonly TreeSession[]): TreeSession[] {
  return rows.filter(({ cwd }) => cwd !== '' && isInside(cwd, tree, ignoresCase));
}

/** A sentence for each reason why it cannot be removed now. */
export async function usesOf({ path: tree, locked }: MadeTree, rows: readonly TreeSession[], window: Uses) {
  const uses: string[] = [];
  const within = (file: string | undefined) => file !== undefined && isInside(file, tree, ignoresCase);
  if (locked !== undefined) uses.push(`It is locked: ${locked.replace(/\.$/, '')}.`);
  if (workspaceFolders().some((folder) => within(folder.path))) uses.push('It is open in this window.');
  const shown = new Set<string>();
  for (const host of window.all()) {
    const { sessionId, title } = host.chat.poster.state;
    shown.add(sessionId);
    if (window.treeOf(host)?.view?.path === tree)
      uses.push(`Its chat “${title || 'New session'}” is open: close it first.`);
  }
  const sessions = sessionsIn(tree, rows);
  const glances = await window.glances();
  for (const session of sessions) {
    if (shown.has(session.id)) continue;
    if (await isAtWorkThere(session, tree))
      uses.push(`Its session “${session.title}” is open in another window or program.`);
    // Its window is gone, or its tab was not shown since a reload: what it asks is asked again.
    else if (glances.get(session.id)?.state === 'waiting') uses.push(`Its session “${session.title}” waits for you.`);
  }
  const commands = window.background().filter(({ end }) => end === undefined);
  for (const { session, command, title } of commands)
    if (sessions.some(({ id }) => id === session))
      uses.push(`A background command of it still runs: ${title ?? command}.`);
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && within(filePathOf(uri)));
  for (const { uri } of unsaved) uses.push(`${path.posix.basename(uri.path)} has unsaved changes in an editor.`);
  const programs = await programsIn(tree);
  if (uses.length === 0 && programs.length > 0) uses.push(`It is the working directory of ${programs.join(', ')}.`);
  return uses;
}

async function isAtWorkThere({ id, store }: TreeSession, tree: Path): Promise<boolean> {
  if ((await store.isHeld?.(id)) !== true) return false;
  return worksIn((await store.read?.(id)) ?? [], tree);
}

/** A copy that goes on in the workspace began in the worktree, too. */
function worksIn(records: readonly SessionRecord[], tree: Path): boolean {
  const last = systemRecords(records, 'session_worktree').at(-1);
  return last === undefined || last.worktree?.path === tree;
}
