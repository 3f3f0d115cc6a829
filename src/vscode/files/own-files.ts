// Files that Deft wrote for itself: plans, summaries, transcripts, output. They are shown to the user, and no part of their work.
import path from 'node:path';
import { isInside, isInsideAny } from '../../core/permissions/rules/workspace-path';
import { homeFolder } from '../../node/home-folder';
import { portPath } from '../../node/files/port-path';
import { workspaceFolders } from '../host/workspace-facts';

/** Worktrees and whatever the user has opened as a folder are theirs, wherever they are. */
export function isOwnFile(file: string, sessionsRoot: string): boolean {
  const own = path.posix.join(portPath(homeFolder()), '.deft');
  if (!isInsideAny(file, [own, portPath(sessionsRoot)], false)) return false;
  return (
    !isInside(file, path.posix.join(own, 'worktrees'), false) &&
    !isInsideAny(
      file,
      workspaceFolders().map((folder) => folder.path),
      false,
    )
  );
}
