// Whose the changed lines of a file are, followed through everything that is edited later. Pure.
import { lineHunks, type LineHunk } from '../files/line-hunks';

/** Lines that a session wrote; empty where it removed some. Always inside one hunk that waits for review. */
export interface OwnedLines {
  session: string;
  start: number;
  end: number;
}

/** All of these hunks are of this session. */
export function linesOf(hunks: readonly LineHunk[], session: string): OwnedLines[] {
  return hunks.map(({ newStart, newEnd }) => ({ session, start: newStart, end: newEnd }));
}

/**
 * Where the lines are after an edit, whoever made it. What is rewritten, or put between them, joins them: undoing takes
 * it back as well.
 */
export function movedLines(owned: readonly OwnedLines[], before: string, after: string): OwnedLines[] {
  if (owned.length === 0) return [];
  const edits = lineHunks(before, after, true);
  return owned.map(({ session, start, end }) => {
    const [first, last] = [placeAfter(edits, start, 'start'), placeAfter(edits, end, 'end')];
    // What was put exactly where lines were removed has them in reverse order.
    return { session, start: Math.min(first, last), end: Math.max(first, last) };
  });
}

/** As far as the lines are in one of the hunks; those that nothing waits for any more are left out. */
export function linesWithin(owned: readonly OwnedLines[], hunks: readonly LineHunk[]): OwnedLines[] {
  return hunks.flatMap((hunk) => {
    const sessions = new Map<string, OwnedLines>();
    for (const lines of owned.filter((one) => touches(one, hunk))) {
      const { session } = lines;
      const start = Math.max(lines.start, hunk.newStart);
      const end = Math.max(start, Math.min(lines.end, hunk.newEnd));
      const known = sessions.get(session);
      sessions.set(session, {
        session,
        start: Math.min(known?.start ?? start, start),
        end: Math.max(known?.end ?? end, end),
      });
    }
    return [...sessions.values()];
  });
}

/** The sessions that have lines in the hunk. */
export function sessionsIn(owned: readonly OwnedLines[], hunk: LineHunk): string[] {
  return [...new Set(owned.filter((lines) => touches(lines, hunk)).map(({ session }) => session))];
}

/** A line boundary of the text before, in the text after; the side tells to which end of an edit one inside it goes. */
function placeAfter(edits: readonly LineHunk[], place: number, side: 'start' | 'end'): number {
  let shift = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of edits) {
    if (oldStart > place || (oldStart === place && side === 'end')) break;
    // What is inserted at the very beginning stands ahead of the lines.
    if (oldEnd > place) return side === 'start' ? newStart : newEnd;
    shift += newEnd - newStart - (oldEnd - oldStart);
  }
  return place + shift;
}

/** Where one of the two is empty, being next to each other is enough: hunks never are. */
function touches({ start, end }: OwnedLines, { newStart, newEnd }: LineHunk): boolean {
  if (Math.max(start, newStart) < Math.min(end, newEnd)) return true;
  return (start === end || newStart === newEnd) && start <= newEnd && end >= newStart;
}
