// An alignment in words: where the nearest text is, and the first difference.
import { type Alignment } from './align-lines';
import { describeDifference, quote } from './line-difference';

/** `wanted`: the lines of the text that was not found. */
export function describeAlignment(wanted: readonly string[], { start, end, steps, file }: Alignment): string {
  if (steps.every(({ wanted: own, found }) => own !== undefined && found !== undefined))
    return describeDifference([...wanted], file.slice(start, end + 1), start + 1);
  const missing = steps.filter(({ found }) => found === undefined);
  // The file ends before the text does.
  if (
    end === file.length - 1 &&
    missing.length > 0 &&
    steps.slice(-missing.length).every(({ found }) => found === undefined)
  ) {
    const paired = steps.slice(0, -missing.length);
    const exact = paired.every(
      ({ wanted: own, found }) => found !== undefined && own !== undefined && wanted[own] === file[found],
    );
    if (exact) return describeDifference([...wanted], file.slice(start, end + 1), start + 1);
  }
  const differing = steps.filter(({ wanted: own, found }) => textAt(wanted, own) !== textAt(file, found));
  const [first] = differing;
  const place = start === end ? `line ${start + 1}` : `lines ${start + 1}\u2013${end + 1}`;
  const count = differing.length === 1 ? 'one line' : `${differing.length} lines`;
  return `The nearest text is at ${place} and differs in ${count}. ${first === undefined ? '' : difference(first, wanted, file)}`.trim();
}

function difference(
  { wanted: own, found }: Alignment['steps'][number],
  wanted: readonly string[],
  file: readonly string[],
): string {
  const ours = textAt(wanted, own);
  const theirs = textAt(file, found);
  if (ours === undefined) return `Line ${(found ?? 0) + 1} of the file, ${quote(theirs ?? '')}, is not in old_string.`;
  if (theirs === undefined) return `Line ${(own ?? 0) + 1} of old_string, ${quote(ours)}, is not there in the file.`;
  return `Line ${(found ?? 0) + 1} of the file is ${quote(theirs)}, old_string has ${quote(ours)}.`;
}

function textAt(lines: readonly string[], at: number | undefined): string | undefined {
  return at === undefined ? undefined : lines[at];
}
