// A turn of 200 Reads in VS Code: gaps, bytes posted to the webview, memory, and a reload with that session open.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { openBenchWindow, type BenchWindow } from './open';
import { extensionHosts } from '../../rig/memory';
import { reply, toolUse } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { sourceText } from '../sources';
import { addGaps, turnsOf } from '../turn-gaps';
import { requestNumber } from './wait';
import { readProbe, sinceEpoch, startProbe } from './webview-probe';

const area = 'VS Code';
const lastWords = 'Every file was read.';

export async function measureConversation(report: Report, options: BenchOptions): Promise<void> {
  const turns = turnsOf(options);
  const files = Object.fromEntries(Array.from({ length: turns }, (_, index) => [`src/file${index}.ts`, sourceText(index, 80)]));
  let folder = '';
  const deft = await openBenchWindow(
    (_request, index) =>
      index < turns ? reply(toolUse('Read', { file_path: `${folder}/src/file${index}.ts` })) : reply(lastWords),
    { files, api: { keepBodies: false } },
  );
  folder = deft.window.folder;
  try {
    const before = extensionHost(deft);
    await startProbe(deft.chat());
    await deft.send('Read every file.');
    await requestNumber(deft.api, turns + 1, 300_000);
    await deft.chat().getByRole('log').getByText(lastWords).waitFor({ timeout: 60_000 });
    await deft.idle();
    const { requests } = deft.api;
    const gaps = requests.slice(1).map(({ receivedAt }, index) => receivedAt - (requests[index]?.answeredAt ?? Number.NaN));
    addGaps(report, options, { area, tool: 'a Read', target: 15, peer: '190 ms' }, [gaps]);
    const { bytes, messages, longTasks } = await readProbe(deft.chat());
    const note = `${messages} messages, ${longTasks.length} long tasks`;
    report.add({ area, name: `posted to the webview, ${turns} turns`, unit: 'MB', target: 1, peer: '30 MB', note }, [bytes / 1e6]);
    addHost(report, before, extensionHost(deft), turns);
    await measureReload(report, deft, options);
  } finally {
    await deft.close();
  }
}

interface HostReading {
  /** Resident MiB. */
  readonly memory: number;
  /** Milliseconds of processor time since its start. */
  readonly processor: number;
}

/** Undefined without /proc. */
function extensionHost(deft: BenchWindow): HostReading | undefined {
  const [largest] = extensionHosts(deft.window.server.pid);
  if (largest === undefined) return undefined;
  const status = readFileSync(`/proc/${largest.pid}/stat`, 'utf8');
  // User and system time, in hundredths of a second; the name before them may hold blanks.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return { memory: largest.rss, processor: (Number(fields[11]) + Number(fields[12])) * 10 };
}

function addHost(report: Report, before: HostReading | undefined, after: HostReading | undefined, turns: number): void {
  const name = `extension host memory after ${turns} turns`;
  if (!before || !after) return report.skip(area, name, 'there is no /proc');
  const note = `${before.memory.toFixed(0)} MiB before`;
  report.add({ area, name, unit: 'MiB', target: 200, peer: '382 MiB', note }, [after.memory]);
  report.add({ area, name: `extension host processor time, ${turns} turns`, unit: 'ms', peer: '57 s' }, [after.processor - before.processor]);
}

/** Milliseconds from the reload until VS Code's own webview waits for content, and until Deft's parts are in it. */
async function measureReload(report: Report, deft: BenchWindow, { quick }: BenchOptions): Promise<void> {
  const { page } = deft.window;
  const window: number[] = [];
  const composer: number[] = [];
  const behind: number[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    await page.reload({ waitUntil: 'commit' });
    const box = await sinceEpochOf(() => inChat(page, `document.querySelector('textarea[aria-label="Message"]') !== null`));
    const said = JSON.stringify(lastWords);
    const answer = await sinceEpochOf(() => inChat(page, `document.querySelector('[role="log"]')?.textContent.includes(${said}) === true`));
    const { origin, ready } = await page.evaluate(() => {
      const marks = performance.getEntriesByType('mark').filter(({ name }) => /didStartWorkbench$|webview-ready$/.test(name));
      return { origin: performance.timeOrigin, ready: Math.max(...marks.map(({ startTime }) => startTime)) };
    });
    window.push(ready);
    composer.push(box - origin);
    behind.push(answer - origin - ready);
  }
  report.add({ area, name: 'reload: VS Code’s own workbench and empty webview', unit: 'ms' }, window);
  report.add({ area, name: 'reload: Deft’s composer is there', unit: 'ms' }, composer);
  report.add({ area, name: 'reload: last answer shown, after VS Code’s own', unit: 'ms', target: 1_000, peer: '69 s' }, behind);
}

/** Looks in every document inside Deft's webviews: asking for the frame by name would wait in steps of half a second. */
async function inChat(page: Page, condition: string): Promise<boolean> {
  for (const frame of page.frames()) {
    const deftsOwn = frame.parentFrame()?.url().includes('extensionId=deft-agent.deft') === true;
    if (deftsOwn && (await frame.evaluate(condition).catch(() => false))) return true;
  }
  return false;
}

/** When a condition came true, in milliseconds since the epoch; throws after 90 s. */
async function sinceEpochOf(condition: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > 90_000) throw new Error('The reloaded window did not show the session again.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return sinceEpoch(performance.now());
}
