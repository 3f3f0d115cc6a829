// Large files in VS Code: Reads of 2,000 lines, and edits of a 10 MB file, applied and saved, compared with the edit core.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { replaceText } from '../../../src/core/edits/replace-text';
import { openFile } from '../../rig/workbench';
import { reply, toolUse } from '../../support/messages-api/script';
import { largeReads, type LargeReads } from '../large-reads';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { sourceText } from '../sources';
import { measureBareEdits } from './bare-edits';
import { createHostProbe, type ProbeReading } from './extension-host';
import { openBenchWindow } from './open';
import { requestNumber } from './wait';

const area = 'VS Code';
const megabytes = 10;

export async function measureFiles(report: Report, options: BenchOptions): Promise<void> {
  await measureReads(report, options);
  await measureLargeEdits(report, options, false);
  await measureLargeEdits(report, options, true);
}

async function measureReads(report: Report, options: BenchOptions): Promise<void> {
  let folder = '';
  let made: LargeReads | undefined;
  const reads = (): LargeReads => (made ??= largeReads(folder, options));
  const deft = await openBenchWindow(async (_request, index) => {
    await reads().compare(index);
    return reply(...(reads().calls(index) ?? ['Done.']));
  });
  folder = deft.window.folder;
  try {
    await deft.send('Read every file.');
    await deft.chat().getByRole('log').getByText('Done.').waitFor({ timeout: 60_000 });
    const { requests } = deft.api;
    reads().addRows(
      report,
      area,
      requests.slice(1).map(({ receivedAt }, index) => receivedAt - (requests[index]?.answeredAt ?? Number.NaN)),
    );
  } finally {
    await deft.close();
  }
}

async function measureLargeEdits(report: Report, { quick }: BenchOptions, inTab: boolean): Promise<void> {
  const count = quick ? 3 : 8;
  const name = 'large.txt';
  const part = sourceText(5, 2_000);
  let text = `let state = 0;\n${part.repeat(Math.ceil((megabytes * 1e6) / part.length))}`;
  let file = '';
  const core: number[] = [];
  const raw: number[] = [];
  const probe = createHostProbe();
  const deft = await openBenchWindow(
    (_request, index) => {
      if (index === 0) return reply(toolUse('Read', { file_path: file, offset: 1, limit: 10 }));
      if (index > count) return reply('Done.');
      const [from, to] = [`state = ${index - 1};`, `state = ${index};`];
      const edited = timed(core, () => replaceText(text, from, to, false));
      if (edited.outcome !== 'replaced') throw new Error(`The edit came out as ${edited.outcome}.`);
      // Flat, as a file that was read is.
      const bytes = Buffer.from(edited.text);
      text = bytes.toString('utf8');
      timed(raw, () => writeFileSync(`${file}.beside`, bytes));
      return reply(toolUse('Edit', { file_path: file, old_string: from, new_string: to }));
    },
    { files: { [name]: text }, settings: { 'deft.initialPermissionMode': 'acceptEdits' }, ...probe.options },
  );
  file = path.join(deft.window.folder, name);
  try {
    if (inTab) await openFile(deft.window.page, name);
    await probe.read(deft);
    await deft.send('Edit the file.');
    const { requests } = deft.api;
    await requestNumber(deft.api, count + 2, 120_000);
    const { longest, busiest, blocks } = await probe.read(deft);
    const gaps = requests
      .slice(2)
      .map(({ receivedAt }, index) => receivedAt - (requests[index + 1]?.answeredAt ?? Number.NaN));
    const where = inTab ? 'open in a tab' : 'not open';
    report.add(
      { area, name: `gap after an Edit of ${megabytes} MB applied and saved, ${where}`, unit: 'ms' },
      gaps.slice(0, count),
    );
    report.add({ area, name: 'the pure edit of the same beside it', unit: 'ms' }, core);
    report.add({ area, name: 'the raw write of the same beside it', unit: 'ms' }, raw);
    addBlocks(report, `${count} such edits`, { longest, busiest, blocks });
  } finally {
    await deft.close();
  }
  addBlocks(
    report,
    `${count} such edits by an extension that does nothing else`,
    await measureBareEdits(name, text, count, inTab),
  );
}

function addBlocks(
  report: Report,
  during: string,
  { longest, busiest, blocks }: Pick<ProbeReading, 'longest' | 'busiest' | 'blocks'>,
): void {
  const note = `${blocks.length} of 30 ms and more; the thread worked at most ${busiest.toFixed(0)} ms in one`;
  report.add({ area, name: `longest block of the extension host, ${during}`, unit: 'ms', note }, [longest]);
}

function timed<Result>(times: number[], work: () => Result): Result {
  const started = performance.now();
  const result = work();
  times.push(performance.now() - started);
  return result;
}
