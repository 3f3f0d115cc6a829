// What an interpreter has printed since the last call, up to a mark; of much output both ends are kept.
import { headOf, tailOf } from '../../shared/cut-text';

export interface PrintedText {
  add(text: string): void;
  /** Nothing more will come. */
  close(): void;
  /** The text before the mark; all of it where the stream is closed or the mark is late. */
  takeUntil(mark: string, patienceMs: number): Promise<string>;
  /** All that is there. */
  take(): string;
}

/** Characters that are kept of either end. */
const HALF = 100_000;

export function createPrintedText(): PrintedText {
  let head = '';
  let tail = '';
  let omitted = 0;
  let closed = false;
  let changed: () => void = () => undefined;

  const add = (text: string): void => {
    const room = HALF - head.length;
    if (omitted === 0 && tail === '' && room > 0) {
      const first = headOf(text, room);
      head += first;
      tail = text.slice(first.length);
    } else tail += text;
    if (tail.length > HALF * 2) {
      const last = tailOf(tail, HALF);
      omitted += tail.length - last.length;
      tail = last;
    }
    changed();
  };

  const take = (): string => {
    const gap = omitted === 0 ? '' : `\n[... ${omitted} characters left out here ...]\n`;
    const all = head + gap + tail;
    head = '';
    tail = '';
    omitted = 0;
    return all;
  };

  const takeBefore = (mark: string): string => {
    const all = take();
    const end = all.indexOf(mark);
    if (end < 0) return all;
    // Printed after the call, by a timer or a thread: it goes with the next one.
    add(all.slice(end + mark.length));
    return all.slice(0, end);
  };

  return {
    add,
    take,
    close: () => {
      closed = true;
      changed();
    },
    takeUntil: (mark, patienceMs) =>
      new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(timer);
          changed = () => undefined;
          resolve(takeBefore(mark));
        };
        const timer = setTimeout(settle, patienceMs);
        // The mark may lie across the border of the two parts.
        changed = () =>
          void ((closed || (head.slice(-mark.length) + tail).includes(mark) || head.includes(mark)) && settle());
        changed();
      }),
  };
}
