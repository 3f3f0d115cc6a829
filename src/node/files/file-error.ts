// What the operating system refuses, as a code and a sentence that names the path.

export type FileErrorKind =
  | 'not_found'
  | 'exists'
  | 'directory'
  | 'not_a_folder'
  | 'readonly'
  | 'no_space'
  | 'permission'
  | 'loop'
  | 'name'
  | 'failed';

const kinds: Record<string, FileErrorKind> = {
  ENOENT: 'not_found',
  EEXIST: 'exists',
  EISDIR: 'directory',
  ENOTDIR: 'not_a_folder',
  EROFS: 'readonly',
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EFBIG: 'no_space',
  EACCES: 'permission',
  EPERM: 'permission',
  ELOOP: 'loop',
  ENAMETOOLONG: 'name',
  ERR_INVALID_ARG_VALUE: 'name',
};

/** `ENOENT` and its like; undefined for anything that is not a system error. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function fileErrorKind(error: unknown): FileErrorKind {
  return kinds[errorCode(error) ?? ''] ?? 'failed';
}

/** A sentence for a user or a model; `path` is the file that the caller asked for. */
export function fileErrorSentence(error: unknown, path: string, doing: 'read' | 'write'): string {
  const code = errorCode(error);
  switch (fileErrorKind(error)) {
    case 'not_found':
      return `${path} does not exist.`;
    case 'exists':
      return `${path} exists already.`;
    case 'directory':
      return `${path} is a folder, not a file.`;
    case 'not_a_folder':
      return `A part of ${path} is a file, not a folder.`;
    case 'readonly':
      return `${path} is on a read-only file system; nothing was written.`;
    case 'no_space':
      if (code === 'EDQUOT') return `The disk quota is used up: ${path} was not written.`;
      if (code === 'EFBIG')
        return `${path} would become larger than the file size limit of this process; it was not written.`;
      return `No space is left on the disk: ${path} was not written.`;
    case 'permission':
      return doing === 'read'
        ? `No permission to read ${path}.`
        : `No permission to write ${path}; nothing was written.`;
    case 'loop':
      return `${path} is a circular symlink.`;
    case 'name':
      return `${JSON.stringify(path)} is not a valid file name.`;
    case 'failed':
      return `Cannot ${doing} ${path}: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
