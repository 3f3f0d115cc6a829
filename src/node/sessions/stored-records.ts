// Reads again what a session's file holds: line by line for whoever looks where its records are, and one record at a time.
import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle } from 'node:fs/promises';
import { type SessionRecord } from '../../core/ports/record';
import { type LogPosition, type RecordPlace, type StoredRecords } from '../../core/ports/session-store';
import { DeftError } from '../../core/text/errors';
import { fileErrorSentence } from '../files/file-error';
import { readLine } from './session-reader';

const newline = 10;
/** Decoded in a few milliseconds. */
const partBytes = 256 * 1024;
/** Who reads one record often reads its neighbours next. */
const pageBytes = 64 * 1024;
/** Fields of one record are asked for one after the other, a call and its result in turn. */
const keptRecords = 8;

export interface StoredFile {
  path: string;
  handle(): FileHandle;
  /** How much of it is written. */
  size(): number;
}

interface ScannedPart {
  found: { record: SessionRecord; place: RecordPlace }[];
  end: LogPosition;
}

export function storedRecords(file: StoredFile): StoredRecords {
  let page: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };
  /** By where they begin, the oldest first. */
  const recent = new Map<number, SessionRecord>();
  const bytesOf = ({ at, length }: RecordPlace): Buffer => {
    if (length > pageBytes) return readNow(file, at, length);
    if (at < page.at || at + length > page.at + page.bytes.length)
      page = { at, bytes: readNow(file, at, Math.max(length, Math.min(pageBytes, file.size() - at))) };
    return page.bytes.subarray(at - page.at, at - page.at + length);
  };
  return {
    scan: (from) => scanned(file, from),
    read(place) {
      const known = recent.get(place.at);
      if (known !== undefined) return known;
      let bytes: Buffer;
      try {
        bytes = bytesOf(place);
      } catch (error) {
        throw unreadable(fileErrorSentence(error, file.path, 'read'), error);
      }
      const isSame = bytes.length === place.length && checkOf(bytes) === place.check;
      const record = isSame ? readLine(bytes.toString('utf8'), place.format)?.record : undefined;
      if (record === undefined) throw unreadable(`Another program has changed ${file.path}.`);
      if (place.length > partBytes) recent.clear();
      if (recent.size === keptRecords) recent.delete(recent.keys().next().value ?? 0);
      recent.set(place.at, record);
      return record;
    },
  };
}

async function* scanned(file: StoredFile, from: LogPosition): AsyncGenerator<ScannedPart> {
  let { at, format } = from;
  /** What was read of a line whose end has not come yet. */
  let begun: Buffer[] = [];
  for (let next = at; next < file.size();) {
    const wanted = Math.min(partBytes, file.size() - next);
    const { buffer, bytesRead } = await file.handle().read(Buffer.allocUnsafe(wanted), 0, wanted, next);
    if (bytesRead === 0) return;
    next += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    const found: ScannedPart['found'] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const line = Buffer.concat([...begun, bytes.subarray(start, end)]);
      begun = [];
      start = end + 1;
      const read = readLine(line.toString('utf8'), format);
      const place = { at, length: line.length, check: checkOf(line), format };
      at += line.length + 1;
      if (read === undefined) continue;
      format = read.format;
      found.push({ record: read.record, place });
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
    yield { found, end: { at, format } };
  }
}

/** At once: readers of records do not wait. By the open file where there is one, so that its removal does no harm. */
function readNow(file: StoredFile, at: number, length: number): Buffer {
  const { fd } = file.handle();
  const opened = fd < 0 ? openSync(file.path, 'r') : undefined;
  try {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    for (let read = -1; done < length && read !== 0; done += read)
      read = readSync(opened ?? fd, bytes, done, length - done, at + done);
    return bytes.subarray(0, done);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** FNV-1a, without the bit that would not fit a small integer. */
function checkOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 2) & 0x3fffffff;
}

function unreadable(why: string, cause?: unknown): DeftError {
  return new DeftError('session-changed', `What comes before the compaction cannot be read again. ${why}`, {
    audience: 'user',
    ...(cause === undefined ? {} : { cause }),
  });
}
