// The difference of two texts as unified hunks, cheap where a large file changes in few places.
import { diffArrays } from 'diff';
import { type DiffHunk } from '../../shared/tool-view';
import { changedWindow } from './changed-window';
import { MAX_EDIT_LENGTH } from './diff-limits';
import { lineAt, splitWithEndings, type Line } from './text-lines';

export interface TextDiff {
  hunks: DiffHunk[];
  added: number;
  removed: number;
}

const CONTEXT = 3;
const NO_FINAL_ENDING = '\\ No newline at end of file';

/**
 * Three lines of context around each change. Lines are shown without their endings; a change of a line ending alone is
 * a change, unless `ignoreEndings`. Texts that differ in very many lines are compared line by line, or come out as one
 * block.
 */
export function diffTexts(before: string, after: string, ignoreEndings = false): TextDiff {
  if (before === after) return { hunks: [], added: 0, removed: 0 };
  const window = changedWindow(before, after, CONTEXT);
  const operations = compareLines(
    splitWithEndings(before.slice(window.start, window.beforeEnd)),
    splitWithEndings(after.slice(window.start, window.afterEnd)),
    ignoreEndings,
  );
  const line = lineAt(before, window.start);
  return {
    hunks: groupHunks(operations, line),
    added: operations.filter((operation) => operation.sign === '+').length,
    removed: operations.filter((operation) => operation.sign === '-').length,
  };
}

/** As `diff -u` prints it, with a header. Empty where nothing but line endings differs. */
export function unifiedDiff(before: string, after: string, beforeName: string, afterName: string): string {
  const { hunks } = diffTexts(before, after, true);
  if (hunks.length === 0) return '';
  const body = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return [`--- ${beforeName}`, `+++ ${afterName}`, ...body].join('\n');
}

interface Operation {
  sign: ' ' | '+' | '-';
  line: Line;
}

function compareLines(before: Line[], after: Line[], ignoreEndings: boolean): Operation[] {
  // A line without an ending differs from the same line with one, also where the kinds of endings do not count.
  const key = (line: Line): string =>
    ignoreEndings ? `${line.text}${line.ending === '' ? '' : '\n'}` : line.text + line.ending;
  const changes = diffArrays(before.map(key), after.map(key), { maxEditLength: MAX_EDIT_LENGTH });
  if (!changes) return compareCoarsely(before, after, key);
  const operations: Operation[] = [];
  let beforeIndex = 0;
  let afterIndex = 0;
  for (const change of changes) {
    const sign = change.added ? '+' : change.removed ? '-' : ' ';
    for (let index = 0; index < change.value.length; index++) {
      const line = sign === '-' ? before[beforeIndex] : after[afterIndex];
      if (sign !== '+') beforeIndex++;
      if (sign !== '-') afterIndex++;
      if (line) operations.push({ sign, line });
    }
  }
  return operations;
}

/** Line by line where the number of lines is the same, as after a rename in many places; else as one block. */
function compareCoarsely(before: Line[], after: Line[], key: (line: Line) => string): Operation[] {
  const removed = (line: Line): Operation => ({ sign: '-', line });
  const added = (line: Line): Operation => ({ sign: '+', line });
  if (before.length !== after.length) return [...before.map(removed), ...after.map(added)];
  const operations: Operation[] = [];
  let waiting: Operation[] = [];
  before.forEach((line, index) => {
    const other = after[index];
    if (other === undefined) return;
    if (key(line) !== key(other)) {
      operations.push(removed(line));
      waiting.push(added(other));
      return;
    }
    for (const operation of waiting) operations.push(operation);
    waiting = [];
    operations.push({ sign: ' ', line: other });
  });
  return [...operations, ...waiting];
}

function groupHunks(operations: Operation[], firstLine: number): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let oldLine = firstLine;
  let newLine = firstLine;
  let index = 0;
  while (index < operations.length) {
    const change = nextChange(operations, index);
    if (change < 0) break;
    const start = Math.max(index, change - CONTEXT);
    oldLine += start - index;
    newLine += start - index;
    const end = endOfHunk(operations, change);
    const hunk = makeHunk(operations.slice(start, end), oldLine, newLine);
    hunks.push(hunk);
    oldLine += hunk.oldLines;
    newLine += hunk.newLines;
    index = end;
  }
  return hunks.map(withUnifiedStarts);
}

function nextChange(operations: Operation[], from: number): number {
  for (let index = from; index < operations.length; index++) {
    if (operations[index]?.sign !== ' ') return index;
  }
  return -1;
}

function endOfHunk(operations: Operation[], change: number): number {
  let last = change;
  let next = change;
  while (next >= 0 && next - last <= 2 * CONTEXT + 1) {
    last = next;
    next = nextChange(operations, last + 1);
  }
  return Math.min(operations.length, last + CONTEXT + 1);
}

function makeHunk(operations: Operation[], oldStart: number, newStart: number): DiffHunk {
  const lines: string[] = [];
  for (const { sign, line } of operations) {
    lines.push(sign + line.text);
    if (line.ending === '') lines.push(NO_FINAL_ENDING);
  }
  return {
    oldStart,
    oldLines: operations.filter((operation) => operation.sign !== '+').length,
    newStart,
    newLines: operations.filter((operation) => operation.sign !== '-').length,
    lines,
  };
}

/** A side without lines names the line before it, 0 at the top of the file. */
function withUnifiedStarts(hunk: DiffHunk): DiffHunk {
  return {
    ...hunk,
    oldStart: hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart,
    newStart: hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart,
  };
}
