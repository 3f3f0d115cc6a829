// A review of many files: from the choice of the point until the first difference is drawn, beside the same diff opened by an extension that does
// nothing else; what that blocks, and steps from change to change.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
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
  const runs: Run[] = [];
  const bare: number[] = [];
  const steps: Steps = { times: [], longest: 0, busiest: 0 };
  try {
    for (const answer of ['Made.', 'Changed.']) {
      await deft.send('Go on');
      await deft.chat().getByRole('log').getByText(answer).waitFor({ timeout: 180_000 });
      await deft.idle();
    }
    for (let run = 0; run < (quick ? 2 : 6); run++) {
      await deft.window.command('View: Close All Editors');
      await deft.window.command('Blank: Compare Files');
      await isDrawn(page);
      bare.push(Date.now() - Number(readFileSync(path.join(probe.folder, 'compares'), 'utf8')));
      await deft.window.command('View: Close All Editors');
      await deft.window.command('Deft: Review Changes…');
      const row = quickPickRow(page, 'Since your last message');
      await row.waitFor({ timeout: 60_000 });
      await probe.read(deft);
      const started = Date.now();
      await row.click();
      await isDrawn(page);
      const time = Date.now() - started;
      const { longest, busiest } = await probe.read(deft);
      runs.push({ time, longest, busiest });
    }
    await deft.idle();
    await probe.read(deft);
    for (let step = 0; step < (quick ? 5 : 30); step++) steps.times.push(await stepTime(page));
    Object.assign(steps, await probe.read(deft));
  } finally {
    await deft.close();
  }
  addRows(report, runs.slice(1), bare.slice(1), steps);
}

interface Run {
  readonly time: number;
  readonly longest: number;
  readonly busiest: number;
}

interface Steps {
  readonly times: number[];
  longest: number;
  busiest: number;
}

function addRows(report: Report, runs: readonly Run[], bare: readonly number[], steps: Steps): void {
  const name = `review of ${fileCount} files with ${fileCount * hunksEach} changes`;
  const times = runs.map(({ time }) => time);
  report.add(
    { area, name: `${name} opens`, unit: 'ms', target: 500, note: 'most of it is VS Code’s own: the next row' },
    times,
  );
  report.add({ area, name: 'the same diff opened by a bare extension', unit: 'ms' }, bare);
  report.add(
    { area, name: `${name}, beside the bare extension`, unit: '', target: 1.25 },
    times.map((time, index) => time / (bare[index] ?? Number.NaN)),
  );
  report.add(
    { area, name: `the extension host's thread works in one, ${name}`, unit: 'ms', target: 50, note: blockNote(runs) },
    runs.map(({ busiest }) => busiest),
  );
  report.add({ area, name: `a step to the next change of ${fileCount * hunksEach}`, unit: 'ms' }, steps.times);
  report.add(
    {
      area,
      name: "the extension host's thread works in one, steps from change to change",
      unit: 'ms',
      target: 50,
      note: blockNote([steps]),
    },
    [steps.busiest],
  );
}

/** On a busy machine a block is longer than the work in it. */
function blockNote(runs: readonly { readonly longest: number }[]): string {
  return `blocked for at most ${Math.max(...runs.map(({ longest }) => longest)).toFixed(0)} ms`;
}

function isDrawn(page: Page): Promise<void> {
  return page.locator('.modified-in-monaco-diff-editor .view-line').first().waitFor({ timeout: 60_000 });
}

/** Milliseconds from the key until the status bar has the next line. */
async function stepTime(page: Page): Promise<number> {
  const place = page.locator('.statusbar-item', { hasText: /Ln \d+, Col/ });
  const before = await place.textContent();
  const started = performance.now();
  await page.keyboard.press('Alt+F5');
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll('.statusbar-item')].some(
        ({ textContent }) => /Ln \d+, Col/.test(textContent ?? '') && textContent !== text,
      ),
    before,
    { polling: 'raf', timeout: 20_000 },
  );
  return performance.now() - started;
}
