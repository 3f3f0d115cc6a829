// Reads a command's output file: its last lines while it grows, and all or both ends of it afterwards.
import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

/** Output up to this size is returned whole; of more, this much in two halves. */
export const OUTPUT_IN_MEMORY_BYTES = 2 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export interface OutputText {
  /** With `omittedBytes` > 0 only the first and the last part, whole lines where lines are not huge. */
  head: string;
  tail: string;
  omittedBytes: number;
  totalBytes: number;
}

/** 0 where there is no file. */
export async function outputSize(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The last characters of the output, without a part of a character at its start or a terminal's end mark. */
export async function readTail(file: string, maxBytes: number): Promise<{ text: string; bytes: number }> {
  return withFile(file, { text: '', bytes: 0 }, async (handle) => {
    const { size } = await handle.stat();
    const bytes = await readRange(handle, Math.max(0, size - maxBytes), size);
    return { text: decodeRange(bytes, size > maxBytes, true), bytes: size };
  });
}

/** The offset of the last `mark` in the file, searched from its end. */
export async function findEndMark(file: string, mark: string): Promise<number | undefined> {
  const wanted = Buffer.from(mark);
  return withFile(file, undefined, async (handle) => {
    let end = (await handle.stat()).size;
    while (end > 0) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const found = (await readRange(handle, start, end)).lastIndexOf(wanted);
      if (found >= 0) return start + found;
      // The next chunk overlaps, since the mark may lie across the border.
      end = start === 0 ? 0 : start + wanted.length - 1;
    }
    return undefined;
  });
}

/** The output up to `end`; throws nothing, an absent file is empty output. */
export async function readOutput(file: string, end: number): Promise<OutputText> {
  const nothing = { head: '', tail: '', omittedBytes: 0, totalBytes: 0 };
  return withFile(file, nothing, async (handle) => {
    if (end <= OUTPUT_IN_MEMORY_BYTES) {
      const head = decodeRange(await readRange(handle, 0, end), false, false);
      return { head, tail: '', omittedBytes: 0, totalBytes: end };
    }
    const half = OUTPUT_IN_MEMORY_BYTES / 2;
    const head = decodeRange(await readRange(handle, 0, half), false, true);
    const tail = decodeRange(await readRange(handle, end - half, end), true, false);
    return { head, tail, omittedBytes: end - 2 * half, totalBytes: end };
  });
}

/** Output from `offset` on, for those who follow it; `next` is where the next call continues. */
export async function readFrom(
  file: string,
  offset: number,
  maxBytes: number,
): Promise<{ bytes: Buffer; next: number }> {
  return withFile(file, { bytes: Buffer.alloc(0), next: offset }, async (handle) => {
    const { size } = await handle.stat();
    const bytes = await readRange(handle, offset, Math.min(size, offset + maxBytes));
    return { bytes, next: offset + bytes.length };
  });
}

/**
 * Cuts the end mark off where the file ends with it. In one go, without a turn of the loop in between: what a process left behind
 * writes meanwhile would be cut off too.
 */
export function cutOutput(file: string, end: number, markBytes: number): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r+');
    if (fstatSync(descriptor).size === end + markBytes) ftruncateSync(descriptor, end);
  } catch {
    // A file that is gone, or cannot be written, keeps its mark: readers take it out.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

async function withFile<T>(file: string, otherwise: T, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch {
    return otherwise;
  }
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** UTF-8 without the halves of characters that a cut left at either end. */
function decodeRange(bytes: Buffer, cutAtStart: boolean, cutAtEnd: boolean): string {
  let start = 0;
  if (cutAtStart) while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++;
  let end = bytes.length;
  if (cutAtEnd) end = wholeCharacters(bytes);
  return bytes.toString('utf8', start, Math.max(start, end));
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
