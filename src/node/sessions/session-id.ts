// Identifies Deft's own sessions in a folder that may hold other files too: their ids, and the folders that a session has.
import { type SessionSummary } from '../../core/ports/session-store';
import { isInsideAny } from '../../core/permissions/rules/workspace-path';

const ownId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a session's folder may hold; nothing else in it is ever removed. Edited summaries lie with the results. */
export const sessionFolders: readonly string[] = ['tool-results', 'checkpoints', 'summaries', 'subagents', 'commands'];

export function isOwnSessionId(id: string): boolean {
  return ownId.test(id);
}

const ignoreCase = process.platform === 'win32' || process.platform === 'darwin';

/** Those that may go all together: Deft's own, of these folders as far as they say where they began. */
export function removableSessions(sessions: readonly SessionSummary[], folders: readonly string[]): SessionSummary[] {
  return sessions.filter(({ id, cwd }) => isOwnSessionId(id) && (cwd === '' || isInsideAny(cwd, folders, ignoreCase)));
}
