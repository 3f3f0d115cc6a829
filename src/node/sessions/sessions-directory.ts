// Where the sessions of a workspace live: the same folder for both hosts.
import { createHash } from 'node:crypto';
import path from 'node:path';

export const defaultSessionsDirectory = '~/.deft/sessions/<workspace>';

/** Longer names fail on some file systems once a session id follows. */
const maxKeyLength = 120;

/**
 * The setting `sessions.directory` with `~` and `<workspace>` filled in; a relative one counts from the home folder.
 * `workspace` is the main folder, or the home folder where none is open.
 */
export function sessionsDirectory(home: string, workspace: string, setting = defaultSessionsDirectory): string {
  const filled = setting.replaceAll('<workspace>', () => workspaceKey(workspace));
  const rest = /^~(?:$|[\\/])/.test(filled) ? filled.slice(2) : filled;
  return path.resolve(home, rest);
}

/** The folder's path with everything but letters and digits turned into `-`; a long one is cut and distinguished by a hash. */
export function workspaceKey(workspace: string): string {
  const key = workspace.replace(/[^A-Za-z0-9]/g, '-');
  if (key.length <= maxKeyLength) return key;
  const hash = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  return `${key.slice(0, maxKeyLength - hash.length - 1)}-${hash}`;
}
