// What is known of a file with unreviewed changes, and how edits of Deft, the user and other programs change that. Pure.
import { uniformEnding } from '../../core/edits/line-endings';
import { type Path } from '../../core/ports/path';
import { editorLines, lineHunks, replaceLines, type LineHunk } from '../files/line-hunks';
import { defined } from '../../shared/defined';
import { linesOf, linesWithin, movedLines, sessionsIn, type OwnedLines } from './line-owners';

export interface TrackedFile {
  /** The text without Deft's unreviewed changes; edits of others outside of them are in it too. */
  baseline: string;
  /** The text that was last seen. */
  known: string;
  /** What Deft wrote last. */
  written: string;
  /** Deft made the file: undoing removes it. */
  created: boolean;
  /** Deft moved the file from there: undoing moves it back. */
  movedFrom?: Path;
  /** The sessions whose changes are in it, oldest first; empty where that was not stored. */
  sessions: readonly string[];
  /** Which of them has which changed lines; empty where only one has changed it. */
  owned: readonly OwnedLines[];
  /** Lines that somebody else has written into Deft's changes since. */
  typed: readonly OwnedLines[];
}

/** Of a change: which sessions made it. */
export type Whose = (sessions: readonly string[]) => boolean;

/** After a write of Deft that nobody has reviewed. `before` is undefined where the file was made. */
export function recordUnreviewed(
  file: TrackedFile | undefined,
  before: string | undefined,
  after: string,
  session?: string,
): TrackedFile {
  const by = session === undefined ? [] : [session];
  const written = { known: after, written: after };
  if (file === undefined)
    return { baseline: before ?? '', ...written, created: before === undefined, sessions: by, owned: [], typed: [] };
  const sessions = [...new Set([...file.sessions, ...by])];
  const seen = seeText(file, before ?? '');
  if (session === undefined || sessions.length < 2) return { ...movedTo(seen, after), ...written, sessions };
  const [first] = file.sessions;
  const earlier =
    file.sessions.length === 1 && first !== undefined ? linesOf(unreviewedHunks(seen), first) : seen.owned;
  const own = linesOf(lineHunks(before ?? '', after, true), session);
  const typed = movedLines(seen.typed, before ?? '', after);
  return settled({ ...seen, ...written, sessions, typed }, [...movedLines(earlier, before ?? '', after), ...own]);
}

/** `file` with another text, and the lines that its sessions have there. */
function movedTo(file: TrackedFile, known: string): TrackedFile {
  const typed = movedLines(file.typed, file.known, known);
  return settled({ ...file, known, typed }, movedLines(file.owned, file.known, known));
}

function settled(file: TrackedFile, owned: readonly OwnedLines[]): TrackedFile {
  if (owned.length === 0 && file.typed.length === 0) return { ...file, owned };
  const hunks = unreviewedHunks(file);
  const next = { ...file, owned: linesWithin(owned, hunks), typed: linesWithin(file.typed, hunks) };
  computed.set(next, hunks);
  return next;
}

/** The sessions that made this change: all of them where that is not known. */
export function ownersOf(file: TrackedFile, hunk: LineHunk): readonly string[] {
  const own = sessionsIn(file.owned, hunk);
  return own.length === 0 ? file.sessions : own;
}

interface Move {
  from: Path;
  to: Path;
  text: string;
  approved: boolean;
  session: string | undefined;
}

/** After a move: what waited for review waits at the new place, and the move itself does where nobody approved it. Undefined where nothing waits. */
export function recordMoved(
  file: TrackedFile | undefined,
  { from, to, text, approved, session }: Move,
): TrackedFile | undefined {
  if (file === undefined && approved) return undefined;
  const by = session === undefined ? [] : [session];
  const { movedFrom: earlier, ...rest } = file ?? {
    baseline: text,
    known: text,
    written: text,
    created: false,
    sessions: [],
    owned: [],
    typed: [],
  };
  const origin = rest.created || (approved && earlier === undefined) ? undefined : (earlier ?? from);
  const next: TrackedFile = {
    ...rest,
    sessions: approved ? rest.sessions : [...new Set([...rest.sessions, ...by])],
    ...(origin === to ? {} : defined({ movedFrom: origin })),
  };
  return isSettled(next) ? undefined : next;
}

/** After a write that a user approved, or that took unreviewed lines back: it counts like an edit of their own. */
export function recordApproved(file: TrackedFile, before: string | undefined, after: string): TrackedFile {
  return { ...seen(seeText(file, before ?? ''), after), written: after };
}

/** The file says `text` now, and Deft did not do that: what differs outside of Deft's changes belongs to the baseline. */
export function seeText(file: TrackedFile, text: string): TrackedFile {
  const next = seen(file, text);
  const typed = next === file ? [] : typedInto(file, text);
  return typed.length === 0 ? next : settled({ ...next, typed: [...next.typed, ...typed] }, next.owned);
}

function seen(file: TrackedFile, text: string): TrackedFile {
  if (file.known === text) return file;
  return movedTo({ ...file, baseline: mirrorEdit(file.baseline, file.known, text) }, text);
}

/** Lines that touch a change and say something else than before: a formatter only moves what is there. */
function typedInto(file: TrackedFile, text: string): OwnedLines[] {
  const unreviewed = unreviewedHunks(file);
  const [before, after] = [editorLines(file.known), editorLines(text)];
  const wordsIn = (lines: readonly string[]): string => lines.join('').replace(/\s+/g, '');
  return lineHunks(file.known, text, true).flatMap(({ oldStart, oldEnd, newStart, newEnd }) => {
    const isInside = unreviewed.some((hunk) => !isApart({ oldStart, oldEnd, newStart, newEnd }, hunk));
    const words = wordsIn(after.slice(newStart, newEnd));
    if (!isInside || words === '' || words === wordsIn(before.slice(oldStart, oldEnd))) return [];
    return [{ session: somebody, start: newStart, end: newEnd }];
  });
}

/** In place of a session: nobody knows who it was. */
const somebody = '';

/** What undoing this change would take from others, line by line. */
export function typedIn(file: TrackedFile, hunk: LineHunk): string[] {
  const lines = editorLines(file.known);
  return typedRanges(file, hunk).flatMap(({ start, end }) =>
    lines.slice(start, end).map((line) => line.replace(/[\r\n]+$/, '')),
  );
}

function typedRanges({ typed }: TrackedFile, hunk: LineHunk): OwnedLines[] {
  return linesWithin(typed, [hunk]).filter(({ start, end }) => end > start);
}

/** As `textWithout`, but what somebody else wrote in there stays, behind what comes back. */
export function textWithoutOwn(file: TrackedFile, text: string, hunk: LineHunk): string {
  const present = editorLines(text);
  const back = editorLines(withEndingsOf(file, text, file.baseline)).slice(hunk.oldStart, hunk.oldEnd);
  const ranges = typedRanges(file, hunk);
  const isAhead = ({ start, end }: OwnedLines): boolean => start === hunk.newStart && end < hunk.newEnd;
  const linesOfRanges = (of: readonly OwnedLines[]): string[] =>
    of.flatMap(({ start, end }) => present.slice(start, end));
  return replaceLines(present, hunk.newStart, hunk.newEnd, [
    ...linesOfRanges(ranges.filter(isAhead)),
    ...back,
    ...linesOfRanges(ranges.filter((range) => !isAhead(range))),
  ]).join('');
}

/** A rewind puts this text there: what it takes back waits no longer. */
export function rewoundTo(file: TrackedFile, text: string): TrackedFile {
  return { ...movedTo(file, text), written: text };
}

export function unreviewedHunks(file: TrackedFile): readonly LineHunk[] {
  const found = computed.get(file) ?? lineHunks(file.baseline, file.known, true);
  computed.set(file, found);
  return found;
}

/** Marks, badges and counts all ask for the same; a TrackedFile never changes. */
const computed = new WeakMap<TrackedFile, readonly LineHunk[]>();

export function isSettled(file: TrackedFile): boolean {
  return !file.created && file.movedFrom === undefined && unreviewedHunks(file).length === 0;
}

export function changedLines(file: TrackedFile): { added: number; removed: number } {
  const hunks = unreviewedHunks(file);
  const added = hunks.reduce((sum, hunk) => sum + hunk.newEnd - hunk.newStart, 0);
  const removed = file.created ? 0 : hunks.reduce((sum, hunk) => sum + hunk.oldEnd - hunk.oldStart, 0);
  return { added, removed };
}

/** The hunk's lines become part of the baseline. */
export function keepLines(file: TrackedFile, hunk: LineHunk): TrackedFile {
  const lines = editorLines(file.known).slice(hunk.newStart, hunk.newEnd);
  const baseline = replaceLines(editorLines(file.baseline), hunk.oldStart, hunk.oldEnd, lines).join('');
  const isLast = lineHunks(baseline, file.known, true).length === 0;
  const { movedFrom, ...rest } = file;
  const created = file.created && !isLast;
  return settled({ ...rest, baseline, created, ...(isLast ? {} : defined({ movedFrom })) }, file.owned);
}

/** The changes that these sessions made, in their order. */
export function hunksOf(file: TrackedFile, whose: Whose): LineHunk[] {
  return unreviewedHunks(file).filter((hunk) => whose(ownersOf(file, hunk)));
}

/** Nothing in the file is of others alone. */
export function isAllOf(file: TrackedFile, whose: Whose): boolean {
  const hunks = unreviewedHunks(file);
  return hunks.length === 0 ? whose(file.sessions) : hunks.every((hunk) => whose(ownersOf(file, hunk)));
}

/** With all of these as they are now. */
export function keepAll(file: TrackedFile, hunks: readonly LineHunk[]): TrackedFile {
  // From the last to the first: the places of the others stay.
  return hunks.reduceRight(keepLines, file);
}

/** `text`, the file's present text, with the hunk's lines as they were. */
export function textWithout(file: TrackedFile, text: string, hunk: LineHunk): string {
  const lines = editorLines(withEndingsOf(file, text, file.baseline)).slice(hunk.oldStart, hunk.oldEnd);
  return replaceLines(editorLines(text), hunk.newStart, hunk.newEnd, lines).join('');
}

/** The same with several, in their order. */
export function textWithoutAll(
  file: TrackedFile,
  text: string,
  hunks: readonly LineHunk[],
  without = textWithout,
): string {
  return hunks.reduceRight((rest, hunk) => without(file, rest, hunk), text);
}

/** The same with all of Deft's changes taken back. */
export function textUndone(file: TrackedFile, text: string): string {
  return withEndingsOf(file, text, file.baseline);
}

/** Whoever has changed all line endings since Deft wrote has meant it: what comes back has them, too. */
function withEndingsOf({ written }: TrackedFile, present: string, text: string): string {
  const [ending, then] = [uniformEnding(present), uniformEnding(written)];
  const isOne = (found: typeof ending): boolean => found !== 'none' && found !== 'mixed';
  return isOne(ending) && isOne(then) && ending !== then ? text.replace(/\r\n|\n|\r/g, ending) : text;
}

/** The hunk among the present ones that is meant by one seen a moment ago: the same one, else one that shares a line with it. */
export function findHunk(
  hunks: readonly LineHunk[],
  seen: Pick<LineHunk, 'newStart' | 'newEnd'>,
): LineHunk | undefined {
  const same = hunks.find((hunk) => hunk.newStart === seen.newStart && hunk.newEnd === seen.newEnd);
  return (
    same ??
    hunks.find(
      (hunk) =>
        hunk.newStart <= Math.max(seen.newStart, seen.newEnd - 1) &&
        seen.newStart <= Math.max(hunk.newStart, hunk.newEnd - 1),
    )
  );
}

/**
 * Makes the edit `before` → `after` in the baseline as well, as far as it lies outside of what differs between baseline
 * and `before`. What touches the inside of such a difference is part of it from now on.
 */
export function mirrorEdit(baseline: string, before: string, after: string): string {
  const unreviewed = lineHunks(baseline, before, true);
  const edits = lineHunks(before, after, true).filter((edit) => unreviewed.every((hunk) => isApart(edit, hunk)));
  if (edits.length === 0) return baseline;
  const newLines = editorLines(after);
  let lines = editorLines(baseline);
  for (const edit of edits.toReversed()) {
    const shift = unreviewed
      .filter((hunk) => hunk.newEnd <= edit.oldStart)
      .reduce((sum, hunk) => sum + (hunk.oldEnd - hunk.oldStart) - (hunk.newEnd - hunk.newStart), 0);
    lines = replaceLines(lines, edit.oldStart + shift, edit.oldEnd + shift, newLines.slice(edit.newStart, edit.newEnd));
  }
  return lines.join('');
}

/** Lines put exactly where lines were removed cannot be distinguished from a replacement of these. */
function isApart(edit: LineHunk, hunk: LineHunk): boolean {
  const samePlace = edit.oldStart === edit.oldEnd && hunk.newStart === hunk.newEnd && edit.oldStart === hunk.newStart;
  return !samePlace && (edit.oldEnd <= hunk.newStart || edit.oldStart >= hunk.newEnd);
}
