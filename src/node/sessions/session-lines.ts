// The lines of a session file one after the other, without holding the file in memory or the event loop for long.
import { createReadStream } from 'node:fs';

const chunkBytes = 128 * 1024;

/** Longer lines are skipped: they are pictures and whole files. Ends early, without an error, once aborted. */
export async function* sessionLines(
  file: string,
  { maxLine = Infinity, signal }: { maxLine?: number; signal?: AbortSignal } = {},
): AsyncGenerator<string> {
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: chunkBytes });
  let rest = '';
  let tooLong = false;
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      if (signal?.aborted === true) return;
      const lines = chunk.split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) {
        const whole = rest + line;
        if (!tooLong && whole.length <= maxLine) yield whole;
        rest = '';
        tooLong = false;
      }
      rest = tooLong ? '' : rest + last;
      tooLong ||= rest.length > maxLine;
    }
    if (!tooLong && rest !== '') yield rest;
  } finally {
    stream.destroy();
  }
}
