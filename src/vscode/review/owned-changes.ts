// The changes of a file one by one, each with the sessions that made it: what chats list, keep and undo as their own.
import { type LineHunk } from '../files/line-hunks';
import { ownersOf, unreviewedHunks, type TrackedFile } from './tracked-file';

/** A change that is kept or undone by itself. */
export interface OwnedChange {
  /** Empty where that is not known. */
  owners: readonly string[];
  added: number;
  removed: number;
}

/** The chats of the window, as far as changes are told apart by them. */
export interface ChangeChats {
  /** Of a session that a chat has open. */
  titleOf(session: string): string | undefined;
  reveal(session: string): void;
}

export const noChats: ChangeChats = { titleOf: () => undefined, reveal: () => undefined };

export function partsOf(file: TrackedFile): OwnedChange[] {
  const hunks = unreviewedHunks(file);
  // An empty file that Deft made.
  if (hunks.length === 0) return [{ owners: file.sessions, added: 0, removed: 0 }];
  return hunks.map((hunk) => ({
    owners: ownersOf(file, hunk),
    added: hunk.newEnd - hunk.newStart,
    removed: file.created ? 0 : hunk.oldEnd - hunk.oldStart,
  }));
}

export function sumOf(parts: readonly OwnedChange[]): Pick<OwnedChange, 'added' | 'removed'> {
  return {
    added: parts.reduce((sum, { added }) => sum + added, 0),
    removed: parts.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** The titles of the chats that made this change; undefined where all changes of the file are of the same session. */
export function makersOf(
  file: TrackedFile | undefined,
  hunk: LineHunk,
  { titleOf }: Pick<ChangeChats, 'titleOf'>,
): string[] | undefined {
  if (file === undefined || new Set(file.owned.map(({ session }) => session)).size < 2) return undefined;
  return ownersOf(file, hunk).map((session) => titleOf(session) ?? 'a closed session');
}
