// Reads ripgrep's output (--null, --no-heading) piece by piece into lines with their paths.

export type RipgrepLine = { path: string; line: number; text: string; match: boolean } | 'separator';

const newline = 10;
const nul = 0;
const colon = 58;
const carriageReturn = 13;
/** ripgrep's remark on a binary file is where a path would be, and ends its line. */
const binaryRemark = /^(.*?): (?:WARNING: stopped searching )?binary file (?:matches|after match) \(found /s;

/** Feed it chunks; it calls back once per complete line. A path may hold any character but NUL. */
export function createContentReader(onLine: (line: RipgrepLine) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let lastPathBytes: Buffer = rest;
  let lastPath = '';
  const pathOf = (bytes: Buffer): string => {
    if (!bytes.equals(lastPathBytes)) {
      lastPathBytes = Buffer.from(bytes);
      lastPath = bytes.toString('utf8');
    }
    return lastPath;
  };
  return (chunk) => {
    const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      const firstEnd = buffer.indexOf(newline, at);
      if (firstEnd < 0) break;
      // Paths are relative and start with "./", so a line of dashes is a separator.
      if (buffer[at] === 45) {
        onLine('separator');
        at = firstEnd + 1;
        continue;
      }
      const pathEnd = buffer.indexOf(nul, at);
      if (pathEnd < 0 || pathEnd > firstEnd) {
        const remark = buffer.toString('utf8', at, firstEnd);
        const binary = binaryRemark.exec(remark);
        if (binary) {
          onLine({ path: binary[1] ?? '', line: 0, text: 'binary file matches', match: true });
          at = firstEnd + 1;
          continue;
        }
        if (pathEnd < 0) break;
      }
      const end = pathEnd > firstEnd ? buffer.indexOf(newline, pathEnd) : firstEnd;
      if (end < 0) break;
      onLine(numberedLine(pathOf(buffer.subarray(at, pathEnd)), buffer, pathEnd + 1, end));
      at = end + 1;
    }
    rest = at === buffer.length ? Buffer.alloc(0) : Buffer.from(buffer.subarray(at));
  };
}

/** `12:text` for a match, `12-text` for context. */
function numberedLine(path: string, buffer: Buffer, start: number, end: number): RipgrepLine {
  let at = start;
  let line = 0;
  for (let byte = buffer[at] ?? 0; byte >= 48 && byte <= 57; byte = buffer[at] ?? 0) {
    line = line * 10 + (byte - 48);
    at++;
  }
  const textEnd = buffer[end - 1] === carriageReturn && end - 1 > at ? end - 1 : end;
  return { path, line, text: buffer.toString('utf8', at + 1, textEnd), match: buffer[at] === colon };
}

/** Feed it chunks of NUL-terminated paths; it calls back once per path. */
export function createPathReader(onPath: (path: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const last = chunk.lastIndexOf(nul);
    if (last < 0) {
      rest = Buffer.concat([rest, chunk]);
      return;
    }
    const whole = rest.length === 0 ? chunk.subarray(0, last) : Buffer.concat([rest, chunk.subarray(0, last)]);
    rest = Buffer.from(chunk.subarray(last + 1));
    for (const path of whole.toString('utf8').split('\0')) onPath(path);
  };
}
