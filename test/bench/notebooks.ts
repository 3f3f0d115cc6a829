// Large notebooks: how long all else in the process waits at most while one is parsed and its pictures are decoded.
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeInSlices, parseNotebookInSlices } from '../../src/core/tools/read/notebook-slices';
import { codeCell, display, notebookText, stream } from '../support/notebooks';
import type { Report } from './report';

export async function measureNotebooks(report: Report, area: string, runs: number): Promise<void> {
  const picture = Buffer.alloc(3_750_000, 'picture').toString('base64');
  const line = 'a line of output that is about fifty characters long\n';
  const pictures = notebookText(
    Array.from({ length: 4 }, (_, index) => codeCell(`c${index}`, 'x', [display({ 'image/png': picture })])),
  );
  const lines = notebookText(
    Array.from({ length: 24_000 }, (_, index) => codeCell(`c${index}`, 'x = 1\ny = 2\n', [stream(line.repeat(10))])),
  );
  const slicing = {
    ports: { clock: { now: Date.now, sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }) } },
    signal: new AbortController().signal,
  };
  for (const [name, text] of [
    ['4 pictures', pictures],
    ['24,000 cells', lines],
  ] as const) {
    const waits: number[] = [];
    for (let run = 0; run < Math.min(runs, 5); run++)
      waits.push(await longestWait(async () => void (await parseNotebookInSlices(text, slicing))));
    report.add(
      {
        area,
        name: `longest wait while a notebook of ${(text.length / 1e6).toFixed(0)} MB is parsed (${name})`,
        unit: 'ms',
        target: 50,
      },
      waits,
    );
  }
  const waits: number[] = [];
  for (let run = 0; run < Math.min(runs, 5); run++)
    waits.push(await longestWait(async () => void (await decodeInSlices(picture, slicing))));
  report.add({ area, name: 'longest wait while a picture of 5 MB is decoded', unit: 'ms', target: 50 }, waits);
}

/** Between two turns of the event loop. */
async function longestWait(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const ticking = setInterval(look, 1);
  await work();
  await sleep(2);
  look();
  clearInterval(ticking);
  return longest;
}
