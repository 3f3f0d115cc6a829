// One turn of 2,000 calls with a sentence before each: what it costs the renderer as it grows, and then scrolling, typing while an answer streams, and rest.
import type { CDPSession, FrameLocator } from 'playwright-core';
import { reply, text, toolUse } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { sourceText } from '../sources';
import { openBenchWindow, type BenchWindow } from './open';
import { requestNumber } from './wait';
import { readProbe, startProbe, typedToPaint } from './webview-probe';

const area = 'VS Code';
const stepCalls = 200;
const restSeconds = 20;
const settleSeconds = 5;
const lastWords = 'Every part was read.';
const frameMs = 1_000 / 60;

export async function measureLongTurn(report: Report, { quick }: BenchOptions): Promise<void> {
  const calls = quick ? 600 : 2_000;
  let folder = '';
  const deft = await openBenchWindow(
    (_request, index) => {
      if (index < calls)
        return reply(
          text(`Next comes part ${index}, which **the parts before it** import.`),
          toolUse('Read', { file_path: `${folder}/src/file${index % 50}.ts`, offset: 1 + Math.floor(index / 50) }),
        );
      return index === calls ? reply(lastWords) : reply(text(...Array.from({ length: 4_000 }, () => 'and so on, ')));
    },
    {
      files: Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`src/file${index}.ts`, sourceText(index, 120)]),
      ),
      api: { keepBodies: false, interDeltaMs: 5 },
    },
  );
  folder = deft.window.folder;
  try {
    const session = await deft.window.page.context().newCDPSession(deft.window.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const blank = await restWithoutChat(deft, session);
    await startProbe(deft.chat());
    const heapBefore = await heapOf(session);
    await measureGrowth(report, deft, session, calls);
    await measureScrolling(report, deft, calls);
    await measureMemory(report, session, calls, heapBefore);
    await measureTyping(report, deft, calls);
    await measureRest(report, session, calls, blank);
  } finally {
    await deft.close();
  }
}

async function measureGrowth(report: Report, deft: BenchWindow, session: CDPSession, calls: number): Promise<void> {
  await deft.send('Read every part.');
  const spent: number[] = [];
  const elements: number[] = [];
  for (let done = 0; done < calls; done += stepCalls) {
    const before = await processorTime(session);
    await requestNumber(deft.api, done + stepCalls + 1, 600_000);
    spent.push((await processorTime(session)) - before);
    elements.push(await nodesOf(deft.chat()));
  }
  await deft.chat().getByRole('log').getByText(lastWords).waitFor({ timeout: 60_000 });
  await deft.idle();
  const { longTasks } = await readProbe(deft.chat());
  const name = `a turn of ${calls} calls`;
  const note = `${spent.map((time) => (time / 1_000).toFixed(1)).join(', ')} s`;
  report.add({ area, name: `${name}: renderer time of ${stepCalls} calls`, unit: 'ms', note }, spent);
  report.add(
    { area, name: `${name}: renderer time of the last ${stepCalls} by that of the first`, unit: '', target: 1.3 },
    [(spent.at(-1) ?? Number.NaN) / (spent[0] ?? Number.NaN)],
  );
  report.add({ area, name: `${name}: nodes of the page, at most`, unit: '', target: 4_000 }, [Math.max(...elements)]);
  report.add({ area, name: `${name}: tasks of the page over 50 ms`, unit: '', target: 0 }, [longTasks.length]);
}

/** To the top and back, a step a frame. */
async function measureScrolling(report: Report, deft: BenchWindow, calls: number): Promise<void> {
  const { gaps, most } = await deft
    .chat()
    .getByRole('log')
    .evaluate(async (log) => {
      const gaps: number[] = [];
      let most = 0;
      let last = performance.now();
      for (const by of [-1, 1])
        for (let step = 0; step < 300; step++) {
          log.scrollBy(0, (by * log.scrollHeight) / 300);
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          gaps.push(now - last);
          last = now;
          most = Math.max(most, log.getElementsByTagName('*').length);
        }
      return { gaps, most };
    });
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / frameMs) - 1), 0);
  const name = `${calls} calls scrolled to the top and back`;
  report.add({ area, name: `${name}: dropped frames, per cent`, unit: '', target: 2 }, [
    (100 * dropped) / (gaps.length + dropped),
  ]);
  report.add({ area, name: `${name}: elements of the conversation, at most`, unit: '', target: 4_000 }, [most]);
}

/** Of the whole window, after everything that is not needed has been collected. */
async function measureMemory(report: Report, session: CDPSession, calls: number, before: number): Promise<void> {
  const after = await heapOf(session);
  const note = `${before.toFixed(0)} MiB before the first call`;
  report.add({ area, name: `${calls} calls, scrolled: heap of the window`, unit: 'MiB', target: 250, note }, [after]);
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 2 ** 20;
}

/** 200 deltas a second come while the user types. */
async function measureTyping(report: Report, deft: BenchWindow, calls: number): Promise<void> {
  await deft.send('Go on.');
  await deft.chat().getByRole('log').getByText('and so on,').first().waitFor({ timeout: 60_000 });
  const paint = await typedToPaint(deft.composer(), 60);
  report.add({ area, name: `${calls} calls, an answer streams: key to paint, p95`, unit: 'ms', target: 50 }, [paint]);
  await deft.composer().fill('');
  await deft.idle();
}

/** What the workbench needs by itself: the chat is out of sight, and VS Code draws nothing of it. */
async function restWithoutChat(deft: BenchWindow, session: CDPSession): Promise<number> {
  await deft.window.command('View: Show Explorer');
  await new Promise((resolve) => setTimeout(resolve, settleSeconds * 1_000));
  const blank = await restOf(session);
  await deft.window.command('Deft: Focus Chat');
  await deft.composer().waitFor();
  return blank;
}

async function measureRest(report: Report, session: CDPSession, calls: number, blank: number): Promise<void> {
  const rest = await restOf(session);
  const note = `${rest.toFixed(1)} for the whole window, ${blank.toFixed(1)} before with the chat out of sight`;
  report.add(
    { area, name: `${calls} calls, at rest: per cent of a core, beyond VS Code's`, unit: '', target: 0.5, note },
    [rest - blank],
  );
}

/** Per cent of a core that the renderer's main thread takes while nobody does anything. */
async function restOf(session: CDPSession): Promise<number> {
  const before = await processorTime(session);
  await new Promise((resolve) => setTimeout(resolve, restSeconds * 1_000));
  return ((await processorTime(session)) - before) / (restSeconds * 10);
}

/** Milliseconds of the renderer's main thread. */
async function processorTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
}

function nodesOf(chat: FrameLocator): Promise<number> {
  return chat.locator('body').evaluate(() => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    let count = 1;
    while (walker.nextNode()) count++;
    return count;
  });
}
