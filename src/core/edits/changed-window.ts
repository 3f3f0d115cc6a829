// The part of two texts that holds all their differences, found natively: large files mostly change in few places.
import { afterEnding, lineEnd, lineStart } from './text-lines';

export interface ChangedWindow {
  start: number;
  beforeEnd: number;
  afterEnd: number;
}

/** Whole lines around all that differs, and `context` more on each side. Both texts are equal before `start` and after their ends. */
export function changedWindow(before: string, after: string, context: number): ChangedWindow {
  const shorter = Math.min(before.length, after.length);
  const prefix = commonPrefix(before, after, shorter);
  const suffix = commonSuffix(before, after, shorter - prefix);
  let start = Math.min(lineStart(before, prefix), lineStart(after, prefix));
  for (let index = 0; index < context && start > 0; index++) start = lineStart(before, start - 1);
  // Where a line ends in the common tail, it ends in both texts.
  let tail = before.length - suffix;
  if (before.charCodeAt(tail) === 10) tail++;
  for (let index = 0; index <= context; index++) tail = afterEnding(before, lineEnd(before, tail));
  return { start, beforeEnd: tail, afterEnd: tail + after.length - before.length };
}

const BLOCK = 65_536;

/** Compares in blocks, natively: one pass over characters is too slow for large files. */
function commonPrefix(before: string, after: string, limit: number): number {
  let length = 0;
  while (length + BLOCK <= limit && before.slice(length, length + BLOCK) === after.slice(length, length + BLOCK)) {
    length += BLOCK;
  }
  while (length < limit && before.charCodeAt(length) === after.charCodeAt(length)) length++;
  return length;
}

function commonSuffix(before: string, after: string, limit: number): number {
  let length = 0;
  const block = (text: string): string => text.slice(text.length - length - BLOCK, text.length - length);
  while (length + BLOCK <= limit && block(before) === block(after)) length += BLOCK;
  const code = (text: string): number => text.charCodeAt(text.length - 1 - length);
  while (length < limit && code(before) === code(after)) length++;
  return length;
}
