// Checks whether a path leads into the workspace, once every link is followed.
import { type FileSystem } from '../ports/files';

export interface Workspace {
  files: Pick<FileSystem, 'realPath'>;
  cwd: string;
  folders: readonly { path: string }[];
}

/** The path without links where it is in a folder of the workspace or in the working directory; undefined elsewhere. */
export async function pathInWorkspace(path: string, { files, cwd, folders }: Workspace): Promise<string | undefined> {
  try {
    const [real, ...roots] = await Promise.all(
      [path, cwd, ...folders.map((folder) => folder.path)].map((one) => files.realPath(one)),
    );
    return real !== undefined && roots.some((root) => contains(root, real)) ? real : undefined;
  } catch {
    // What cannot be followed may lead anywhere.
    return undefined;
  }
}

function contains(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
