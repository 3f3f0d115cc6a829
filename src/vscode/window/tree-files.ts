// The files behind "@" in a chat whose session works in a worktree.
import { createWorkspaceFiles, type WorkspaceFiles } from '../chat/completion/workspace-files';
import { type Folder } from '../host/workspace-facts';
import { uriOf } from '../host/uri-path';
import { type ChatWindowOptions } from './window-parts';

export function createTreeFiles(
  { files, rules }: Pick<ChatWindowOptions, 'files' | 'rules'>,
  folders: readonly Folder[],
): WorkspaceFiles {
  return createWorkspaceFiles({
    files,
    respectsIgnoreFiles: async () => rules.values().respectGitignore !== false,
    tree: folders.map(({ path, name }) => ({ uri: uriOf(path), name })),
  });
}
