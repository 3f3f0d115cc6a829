// How a write says no: the code of a failed read or of an error of the file system.
import { type ReadFailure, type WriteOutcome } from '../../core/ports/files';
import { fileErrorKind, fileErrorSentence } from './file-error';

export type WriteRefusal = Extract<WriteOutcome, { outcome: 'refused' }>;

/** The code of a failed read, for a write that had to read first. */
export function writeCode(code: ReadFailure['code']): WriteRefusal['code'] {
  switch (code) {
    case 'directory':
    case 'not_a_file':
    case 'binary':
      return 'not_a_file';
    case 'encoding':
    case 'permission':
      return code;
    default:
      return 'failed';
  }
}

/** A link was swapped since the change was allowed. */
export function movedRefusal(file: string, now: string): WriteRefusal {
  return {
    outcome: 'refused',
    code: 'moved',
    message: `${file} now leads to ${now}, which was not its target when this change was allowed.`,
  };
}

export function refusedWrite(file: string, error: unknown): WriteRefusal {
  const message = fileErrorSentence(error, file, 'write');
  const kind = fileErrorKind(error);
  switch (kind) {
    case 'readonly':
    case 'no_space':
    case 'permission':
      return { outcome: 'refused', code: kind, message };
    case 'directory':
    case 'not_a_folder':
    case 'name':
    case 'loop':
      return { outcome: 'refused', code: 'not_a_file', message };
    default:
      return { outcome: 'refused', code: 'failed', message };
  }
}
