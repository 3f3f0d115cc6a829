// A review of many files: from the choice of the point until the first difference is drawn, and what that blocks.
import path from 'node:path';
import { quickPickRow } from '../../rig/workbench';
import { reply, toolUse } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { createHostProbe } from './extension-host';
import { openBenchWindow } from './open';

const area = 'VS Code';
const fileCount = 200;
const hunksEach = 10;
const linesBetween = 8;

/** `changed` writes another text into one line of each hunk. */
function textOf(file: number, changed: boolean): string {
  return Array.from({ length: hunksEach * linesBetween }, (_, line) =>
    line % linesBetween === 3 && changed ? `const changed${line} = ${file};\n` : `const line${line} = ${file};\n`,
  ).join('');
}

export async function measureReview(report: Report, { quick }: BenchOptions): Promise<void> {
  const names = Array.from({ length: fileCount }, (_, index) => `src/file${String(index).padStart(3, '0')}.txt`);
  const probe = createHostProbe();
  let folder = '';
  const writes = (changed: boolean) =>
    names.map((name, index) =>
      toolUse('Write', { file_path: path.join(folder, name), content: textOf(index, changed) }),
    );
  const deft = await openBenchWindow(
    (_request, index) => (index % 2 === 0 ? reply(...writes(index > 0)) : reply(index === 1 ? 'Made.' : 'Changed.')),
    { settings: { 'deft.initialPermissionMode': 'acceptEdits' }, ...probe.options },
  );
  folder = deft.window.folder;
  const { page } = deft.window;
  const times: number[] = [];
  const longest: number[] = [];
  const busiest: number[] = [];
  try {
    for (const answer of ['Made.', 'Changed.']) {
      await deft.send('Go on');
      await deft.chat().getByRole('log').getByText(answer).waitFor({ timeout: 180_000 });
      await deft.idle();
    }
    for (let run = 0; run < (quick ? 2 : 6); run++) {
      await deft.window.command('View: Close All Editors');
      await deft.window.command('Deft: Review Changes…');
      const row = quickPickRow(page, 'Since your last message');
      await row.waitFor({ timeout: 60_000 });
      await probe.read(deft);
      const started = performance.now();
      await row.click();
      await page.locator('.modified-in-monaco-diff-editor .view-line').first().waitFor({ timeout: 60_000 });
      times.push(performance.now() - started);
      const reading = await probe.read(deft);
      longest.push(reading.longest);
      busiest.push(reading.busiest);
    }
  } finally {
    await deft.close();
  }
  const name = `review of ${fileCount} files with ${fileCount * hunksEach} changes`;
  report.add({ area, name: `${name} opens`, unit: 'ms', target: 500 }, times.slice(1));
  const note = `the thread worked at most ${Math.max(...busiest.slice(1)).toFixed(0)} ms in one`;
  report.add(
    { area, name: `longest block of the extension host, ${name}`, unit: 'ms', target: 50, note },
    longest.slice(1),
  );
}
