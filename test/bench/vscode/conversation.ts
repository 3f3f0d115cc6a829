// A turn of 200 Reads in VS Code: gaps, bytes posted to the webview, memory, and a reload with that session open.
import { defined } from '../../../src/shared/defined';
import { measureBlankWindow } from './blank-view';
import {
  createHostProbe,
  readExtensionHost,
  type HostProbe,
  type HostReading,
  type ProbeReading,
} from './extension-host';
import { openBenchWindow, type BenchWindow } from './open';
import { reply, toolUse } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { median } from '../samples';
import { sourceText } from '../sources';
import { addGaps, turnsOf } from '../turn-gaps';
import { reloadUntil } from './reload';
import { requestNumber } from './wait';
import { readProbe, startProbe } from './webview-probe';

const area = 'VS Code';
/** Longer than V8 waits before it tidies up an idle process. */
const restSeconds = 15;
const lastWords = 'Every file was read.';

export async function measureConversation(report: Report, options: BenchOptions): Promise<void> {
  const turns = turnsOf(options);
  const rounds = options.quick ? 1 : 5;
  const blank = await measureBlankWindow(rounds);
  report.add(
    { area, name: 'reload: a view of one line, of an extension that does nothing else', unit: 'ms' },
    blank.reloads,
  );
  const files = Object.fromEntries(
    Array.from({ length: turns }, (_, index) => [`src/file${index}.ts`, sourceText(index, 80)]),
  );
  let folder = '';
  const probe = createHostProbe();
  const deft = await openBenchWindow(
    (_request, index) =>
      index < turns ? reply(toolUse('Read', { file_path: `${folder}/src/file${index}.ts` })) : reply(lastWords),
    { files, api: { keepBodies: false }, ...probe.options },
  );
  folder = deft.window.folder;
  try {
    const opening = await probe.read(deft);
    const before = readExtensionHost(deft);
    await startProbe(deft.chat());
    await deft.send('Read every file.');
    await requestNumber(deft.api, turns + 1, 300_000);
    await deft.chat().getByRole('log').getByText(lastWords).waitFor({ timeout: 60_000 });
    await deft.idle();
    const { requests } = deft.api;
    const gaps = requests
      .slice(1)
      .map(({ receivedAt }, index) => receivedAt - (requests[index]?.answeredAt ?? Number.NaN));
    addGaps(report, options, { area, tool: 'a Read', target: 15, peer: '190 ms' }, [gaps]);
    const { bytes, messages, longTasks } = await readProbe(deft.chat());
    const note = `${messages} messages, ${longTasks.length} long tasks`;
    report.add({ area, name: `posted to the webview, ${turns} turns`, unit: 'MB', target: 1, peer: '30 MB', note }, [
      bytes / 1e6,
    ]);
    if (blank.host)
      report.add(
        { area, name: 'extension host memory without Deft’s chat', unit: 'MiB', note: inHeap(blank.opening.memory) },
        [blank.host.memory],
      );
    const after = readExtensionHost(deft);
    const session = await probe.read(deft);
    await new Promise((resolve) => setTimeout(resolve, restSeconds * 1000));
    addHost(report, { host: before, memory: opening.memory }, after, session, turns);
    addRest(report, readExtensionHost(deft), await probe.read(deft), turns);
    addBlocks(report, 'a window opens without Deft’s chat', blank.opening);
    addBlocks(report, 'the window opens with its chat', opening);
    addBlocks(report, `${turns} turns`, session, 50);
    await measureReload(report, deft, probe, rounds, median(blank.reloads));
  } finally {
    await deft.close();
  }
}

interface HostBefore {
  readonly host: HostReading | undefined;
  readonly memory: ProbeReading['memory'];
}

function addHost(
  report: Report,
  { host: before, memory: opening }: HostBefore,
  after: HostReading | undefined,
  { memory }: ProbeReading,
  turns: number,
): void {
  const name = `extension host memory right after ${turns} turns`;
  if (!before || !after) return report.skip(area, name, 'there is no /proc');
  const note = `resident, garbage and all; ${inHeap(memory)}; before ${before.memory.toFixed(0)} MiB, ${inHeap(opening)}`;
  report.add({ area, name, unit: 'MiB', target: 200, peer: '382 MiB', note }, [after.memory]);
  report.add({ area, name: `extension host processor time, ${turns} turns`, unit: 'ms', peer: '57 s' }, [
    after.processor - before.processor,
  ]);
}

/** V8 collects by itself once nothing has happened for some seconds: what is left then is what the session holds. */
function addRest(report: Report, host: HostReading | undefined, { memory }: ProbeReading, turns: number): void {
  if (!host) return;
  const name = `extension host memory after ${turns} turns, at rest for ${restSeconds} s`;
  report.add({ area, name, unit: 'MiB', target: 200, note: inHeap(memory) }, [host.memory]);
}

function inHeap({ heapUsed, heapTotal, external, young }: ProbeReading['memory']): string {
  return `heap ${heapUsed.toFixed(0)} of ${heapTotal.toFixed(0)} MiB (young ${young.toFixed(0)}), external ${external.toFixed(0)} MiB`;
}

function addBlocks(report: Report, during: string, { longest, busiest, blocks }: ProbeReading, target?: number): void {
  const note = `${blocks.length} of 30 ms and more; the thread worked at most ${busiest.toFixed(0)} ms in one`;
  report.add(
    {
      area,
      name: `longest block of the extension host, ${during}`,
      unit: 'ms',
      ...defined({ target }),
      note,
    },
    [longest],
  );
}

async function measureReload(
  report: Report,
  deft: BenchWindow,
  probe: HostProbe,
  rounds: number,
  blank: number,
): Promise<void> {
  const ready: number[] = [];
  const composer: number[] = [];
  const answer: number[] = [];
  const conditions = [
    `document.querySelector('textarea[aria-label="Message"]') !== null`,
    `document.querySelector('[role="log"]')?.textContent.includes(${JSON.stringify(lastWords)}) === true`,
  ];
  for (let round = 0; round < rounds; round++) {
    const reload = await reloadUntil(deft.window.page, 'deft-agent.deft', conditions);
    ready.push(reload.ready);
    composer.push(reload.shown[0] ?? Number.NaN);
    answer.push(reload.shown[1] ?? Number.NaN);
  }
  addBlocks(report, 'reload with that session', await probe.read(deft));
  report.add({ area, name: 'reload: VS Code’s own workbench and empty webview', unit: 'ms' }, ready);
  report.add({ area, name: 'reload: Deft’s composer is there', unit: 'ms' }, composer);
  report.add(
    {
      area,
      name: 'reload: last answer shown, after VS Code’s own view of one line',
      unit: 'ms',
      target: 1_000,
      peer: '69 s',
    },
    answer.map((time) => time - blank),
  );
  report.add(
    { area, name: 'reload: last answer shown, after VS Code’s empty webview', unit: 'ms' },
    answer.map((time, round) => time - (ready[round] ?? Number.NaN)),
  );
}
