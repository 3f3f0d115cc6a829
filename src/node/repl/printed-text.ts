// What an interpreter has printed since the last call, up to a mark; of much output both ends are kept.

export interface PrintedText {
  add(text: string): void;
  /** Nothing more will come. */
  close(): void;
  /** The text before the mark; all of it where the stream is closed or the mark is late. */
  takeUntil(mark: string, patienceMs: number): Promise<string>;
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
      head += text.slice(0, room);
      tail = text.slice(room);
    } else tail += text;
    if (tail.length > HALF * 2) {
      omitted += tail.length - HALF;
      tail = tail.slice(-HALF);
    }
    changed();
  };

  const take = (mark: string): string => {
    const gap = omitted === 0 ? '' : `\n[... ${omitted} characters left out here ...]\n`;
    const all = head + gap + tail;
    const end = all.indexOf(mark);
    head = '';
    tail = '';
    omitted = 0;
    if (end < 0) return all;
    // Printed after the call, by a timer or a thread: it goes with the next one.
    add(all.slice(end + mark.length));
    return all.slice(0, end);
  };

  return {
    add,
    close: () => {
      closed = true;
      changed();
    },
    takeUntil: (mark, patienceMs) =>
      new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(timer);
          changed = () => undefined;
          resolve(take(mark));
        };
        const timer = setTimeout(settle, patienceMs);
        // The mark may lie across the border of the two parts.
        changed = () => void ((closed || (head.slice(-mark.length) + tail).includes(mark) || head.includes(mark)) && settle());
        changed();
      }),
  };
}
