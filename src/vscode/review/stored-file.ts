// A tracked file as it is stored: one whole text, and of the others only what differs, so a large file is written out once.
import { changedWindow } from '../../core/edits/changed-window';
import { type Path } from '../../core/ports/path';
import { defined } from '../../shared/defined';
import { type StoredFile, type StoredText } from './stored-shapes';
import { type TrackedFile } from './tracked-file';

export function toStored(path: Path, file: TrackedFile): StoredFile {
  const { baseline, known, written, created, movedFrom, sessions, owned, typed } = file;
  return {
    path,
    baseline,
    known: spliceOf(baseline, known),
    written: spliceOf(baseline, written),
    created,
    ...defined({ movedFrom }),
    sessions: [...sessions],
    owned: [...owned],
    typed: [...typed],
  };
}

export function fromStored({ baseline, sessions = [], owned = [], typed = [], ...file }: StoredFile): TrackedFile {
  const { known, written, created, movedFrom } = file;
  const texts = { baseline, known: textOf(baseline, known), written: textOf(baseline, written) };
  return { ...texts, created, ...defined({ movedFrom }), sessions, owned, typed };
}

function spliceOf(baseline: string, text: string): StoredText {
  const { start, beforeEnd, afterEnd } = changedWindow(baseline, text, 0);
  return { start, end: beforeEnd, text: text.slice(start, afterEnd) };
}

function textOf(baseline: string, stored: StoredText): string {
  return typeof stored === 'string'
    ? stored
    : baseline.slice(0, stored.start) + stored.text + baseline.slice(stored.end);
}
