// Which uncommitted changes a session made: by what its files were before it, line by line.
import { diffTexts } from '../edits/diff-hunks';
import { changedLines, type FileChange, type LineSpan } from './changes';

/** A file that the session changed. */
export interface SessionFile {
  /** Below the top of the repository. */
  path: string;
  /** Both decoded alike; undefined where there was or is no such text. */
  before: string | undefined;
  now: string | undefined;
  /** What it was before was not kept. */
  unknown?: boolean;
}

export interface SessionParts {
  ids: Set<string>;
  /** Files that it may have changed, of which nobody can say which lines. */
  unclear: Set<string>;
}

export function sessionParts(changes: readonly FileChange[], files: readonly SessionFile[]): SessionParts {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const ids = new Set<string>();
  const unclear = new Set<string>();
  for (const change of changes) {
    const file = byPath.get(change.path) ?? (change.oldPath === undefined ? undefined : byPath.get(change.oldPath));
    if (file === undefined) continue;
    if (file.unknown === true) {
      unclear.add(change.path);
      continue;
    }
    const spans = spansOf(file);
    for (const part of change.parts)
      if (change.kind !== 'modified' || spans === undefined || changedLines(part.hunks).some(touches(spans)))
        ids.add(part.id);
  }
  return { ids, unclear };
}

/** Undefined where all of the file is the session's. */
function spansOf({ before, now }: SessionFile): LineSpan[] | undefined {
  if (before === undefined || now === undefined) return undefined;
  return changedLines(diffTexts(before, now, true).hunks);
}

/** Where lines only went, their place touches what is on either side of it. */
const touches =
  (spans: readonly LineSpan[]) =>
  (span: LineSpan): boolean =>
    spans.some(({ start, end }) =>
      start === end || span.start === span.end
        ? start <= span.end && span.start <= end
        : start < span.end && span.start < end,
    );
