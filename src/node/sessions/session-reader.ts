// Reads a session's file: bytes in, records out, a part at a time, so that the host can do other things in between.
import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as nextTask } from 'node:timers/promises';
import { logFormat, migrated, namedFormat } from '../../core/sessions/log-format';
import { type SessionRecord } from '../../core/ports/record';
import { parseLine, recordOf } from '../../core/sessions/session-codec';

export interface ReadRecords {
  records: SessionRecord[];
  /** The length of what is kept: a torn last line is not part of it. */
  size: number;
  /** The last line that is kept lacks its newline. */
  unterminated: boolean;
  /** Lines that hold no record. */
  unreadable: number;
  /** The newest format that a line names. */
  format: number;
}

interface SessionReader {
  /** The next bytes of the file. */
  add(bytes: Buffer): void;
  end(): ReadRecords;
}

const newline = 10;
/** Decoded in a few milliseconds. */
const partBytes = 256 * 1024;

/** The records of a session file's bytes, in order. A whole last line that only lost its newline is kept. */
export function readRecords(bytes: Buffer): ReadRecords {
  const reader = createSessionReader();
  reader.add(bytes);
  return reader.end();
}

/** The same of a file, from `from` to `to`; `format` is what the lines before have named. */
export async function readSessionFile(
  file: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
  format = 1,
): Promise<ReadRecords> {
  const reader = createSessionReader(format);
  const handle = await open(file, 'r');
  try {
    for await (const part of partsOf(handle, from, to)) {
      reader.add(part);
      await nextTask();
    }
  } finally {
    await handle.close();
  }
  return reader.end();
}

async function* partsOf(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const length = Math.min(partBytes, to - at);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function createSessionReader(formatBefore = 1): SessionReader {
  const records: SessionRecord[] = [];
  let unreadable = 0;
  let format = formatBefore;
  /** The beginning of a line whose end has not come yet, in parts: lines may be longer than any of them. */
  let begun: Buffer[] = [];
  let size = 0;

  const read = (line: string): boolean => {
    const found = readLine(line, format);
    if (found === undefined) return false;
    format = found.format;
    records.push(found.record);
    return true;
  };
  /** One record for all lines of a hole. */
  const lose = (): void => {
    unreadable++;
    const last = records.at(-1);
    if (last !== undefined && isHole(last)) last.lines++;
    else records.push(holeRecord(`unreadable-${unreadable}`, records));
  };
  return {
    add(bytes) {
      let at = 0;
      for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, at)) {
        const line =
          begun.length === 0
            ? bytes.toString('utf8', at, end)
            : Buffer.concat([...begun, bytes.subarray(at, end)]).toString('utf8');
        size += begun.reduce((sum, part) => sum + part.length, end - at + 1);
        begun = [];
        if (!read(line) && line.trim() !== '') lose();
        at = end + 1;
      }
      if (at < bytes.length) begun.push(bytes.subarray(at));
    },
    end() {
      const last = Buffer.concat(begun);
      const unterminated = last.length > 0 && read(last.toString('utf8'));
      return { records, size: size + (unterminated ? last.length : 0), unterminated, unreadable, format };
    },
  };
}

/** The record of a line, and the format from there on; `format`: what the lines before have named. Undefined for a line without one. */
export function readLine(line: string, format: number): { record: SessionRecord; format: number } | undefined {
  const fields = parseLine(line);
  if (fields === undefined) return undefined;
  const named = namedFormat(fields);
  const now = Math.max(format, named ?? 1);
  const own = migrated(fields, Math.min(now, logFormat));
  return { record: recordOf(own, now === logFormat && named === undefined ? line : undefined), format: now };
}

type Hole = Extract<SessionRecord, { subtype: 'unreadable_lines' }>;

function isHole(record: SessionRecord): record is Hole {
  return record.type === 'system' && record.subtype === 'unreadable_lines';
}

/** With the envelope of what stands before it. */
function holeRecord(uuid: string, before: readonly SessionRecord[]): Hole {
  const last = before.findLast((record) => 'uuid' in record);
  const { timestamp = '', sessionId = '', cwd = '', version = '' } = last ?? {};
  const parentUuid = last?.uuid ?? null;
  return {
    type: 'system',
    subtype: 'unreadable_lines',
    lines: 1,
    uuid,
    parentUuid,
    timestamp,
    sessionId,
    cwd,
    version,
  };
}
