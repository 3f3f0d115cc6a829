// A change of several files as the user sees it.
import { type ChangesView } from '../../shared/tool-view';
import { diffView, MAX_VIEW_LINES } from './diff-view';
import { type TextDiff } from './diff-hunks';

export interface FileDiff {
  path: string;
  created: boolean;
  /** Where the file was, if it has moved. */
  movedFrom?: string | undefined;
  diff: TextDiff;
}

/** Files that a view lists. */
const MAX_VIEW_FILES = 100;
/** Lines of each, so that every file shows something. */
const MIN_FILE_LINES = 12;

/** As many lines of each file as there is room for in all. */
export function changesView(files: readonly FileDiff[]): ChangesView {
  const lines = Math.max(MIN_FILE_LINES, Math.floor(MAX_VIEW_LINES / Math.max(1, files.length)));
  return {
    kind: 'changes',
    files: files.slice(0, MAX_VIEW_FILES).map(({ path, created, movedFrom, diff }) => ({
      ...diffView(path, created, diff, lines),
      ...(movedFrom === undefined ? {} : { movedFrom }),
    })),
    total: files.length,
    added: files.reduce((sum, { diff }) => sum + diff.added, 0),
    removed: files.reduce((sum, { diff }) => sum + diff.removed, 0),
  };
}
