// The user's home folder, always absolute: HOME may be empty or relative, and would then lead into the workspace.
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';

export function homeFolder(): string {
  const named = homedir();
  if (path.isAbsolute(named)) return named;
  try {
    const known = userInfo().homedir;
    if (path.isAbsolute(known)) return known;
  } catch {
    // This user has no entry in the system's list.
  }
  return tmpdir();
}
