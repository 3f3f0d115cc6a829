// A change that was made for one text, made in another one that differs elsewhere: every line that was seen of it must be there as it was.
import { type DiffHunk } from '../../shared/tool-view';
import { diffTexts } from './diff-hunks';
import { splitWithEndings } from './text-lines';

/** Lines that are shown around a change. At the end of the text they are fewer, and the end is one of them. */
const around = 3;

interface Span {
  /** Lines of the text before, counted from 0; `end` is behind the last. */
  start: number;
  end: number;
}

/** `current` with what makes `after` of `before`; undefined where it changed one of those lines, or one of the three around them. */
export function fitAgain(before: string, after: string, current: string): string | undefined {
  const [old, made, now] = [before, after, current].map(splitWithEndings) as [Lines, Lines, Lines];
  const others = diffTexts(before, current).hunks.map((hunk) => ({
    span: changedSpan(hunk),
    grows: hunk.newLines - hunk.oldLines,
  }));
  const lines: Lines = [];
  let next = 0;
  for (const hunk of diffTexts(before, after).hunks) {
    const span = wholeSpan(hunk.oldStart, hunk.oldLines);
    const own = changedSpan(hunk);
    if (others.some((other) => other.span.start < own.end + around && other.span.end > own.start - around))
      return undefined;
    const moved = others.reduce((sum, { span: { end }, grows }) => (end <= span.start ? sum + grows : sum), 0);
    const [start, end] = [span.start + moved, span.end + moved];
    if (start < next || !standsAt(start, old.slice(span.start, span.end), now)) return undefined;
    if (isLikeOthers(old, now, span, own)) return undefined;
    const { start: from, end: to } = wholeSpan(hunk.newStart, hunk.newLines);
    lines.push(...now.slice(next, start), ...made.slice(from, to));
    next = end;
  }
  return [...lines, ...now.slice(next)].map(({ text, ending }) => text + ending).join('');
}

type Lines = ReturnType<typeof splitWithEndings>;

/** With what stands around it. Without lines it names the one before it. */
function wholeSpan(start: number, lines: number): Span {
  const first = lines === 0 ? start : start - 1;
  return { start: first, end: first + lines };
}

/** From the first line that changes to the last. */
function changedSpan({ oldStart, oldLines, lines }: DiffHunk): Span {
  const { start, end } = wholeSpan(oldStart, oldLines);
  const marks = lines.filter((line) => !line.startsWith('\\'));
  const first = marks.findIndex((line) => !line.startsWith(' '));
  const last = marks.findLastIndex((line) => !line.startsWith(' '));
  return { start: start + first, end: end - (marks.length - 1 - last) };
}

/** Whether lines like those that were seen stand elsewhere too: the comparison may have taken the ones for the others. */
function isLikeOthers(old: Lines, now: Lines, span: Span, own: Span): boolean {
  if (span.end > span.start && placesOf(old.slice(span.start, span.end), now) > 1) return true;
  // A block like this one that was put before or behind it shares what stands on one side.
  return [old.slice(span.start, own.end), old.slice(own.start, span.end)].some(
    (seen) => seen.length > 0 && placesOf(seen, now) > placesOf(seen, old),
  );
}

function placesOf(seen: Lines, lines: Lines): number {
  let places = 0;
  for (let at = 0; at + seen.length <= lines.length; at++) if (standsAt(at, seen, lines)) places++;
  return places;
}

function standsAt(at: number, seen: Lines, lines: Lines): boolean {
  return seen.every(
    ({ text, ending }, index) => text === lines[at + index]?.text && ending === lines[at + index]?.ending,
  );
}
