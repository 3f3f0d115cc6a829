// Why a file of a project is not read unasked: it is a link that leads out of the workspace, or a rule hides it.
import { isInside } from '../permissions/rules/workspace-path';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';

export interface ProjectFileRequest {
  files: Pick<FileSystem, 'realPath'>;
  /** Folders of the workspace, and those around them that belong to the same checkout. */
  roots: readonly Path[];
  /** What deny rules hide. */
  isHidden?: ((path: Path) => boolean) | undefined;
}

/** A sentence for the user; undefined where the file may be read. Nothing of it is opened. */
export type ProjectFileCheck = (file: Path) => Promise<string | undefined>;

/** Whoever wrote the project chose where its links lead: they never pass the user's own files to the model. */
export function projectFileCheck({ files, roots, isHidden }: ProjectFileRequest): ProjectFileCheck {
  const real = Promise.all([...new Set(roots)].map((root) => files.realPath(root).catch(() => root)));
  return async (file) => {
    const realPath = await files.realPath(file).catch(() => undefined);
    if (realPath === undefined) return 'It is not read: Deft cannot tell where it points.';
    if (isHidden?.(file) === true || isHidden?.(realPath) === true) return 'It is not read: a deny rule blocks it.';
    // Links are resolved on both sides: what is the same file is written the same.
    if ((await real).some((root) => isInside(realPath, root, false))) return undefined;
    return `It is not read: it points outside the workspace, to ${realPath}. Replace it with a copy if you want it.`;
  };
}
