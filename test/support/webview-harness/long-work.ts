// Measures what a turn of very many calls costs the page: processor time for every 200 calls, elements, long tasks.
import path from 'node:path';
import { type CDPSession, type Page } from 'playwright-core';
import { startBrowser } from '../../rig/browser';
import { type ChatEvent, type ToolItem } from '../../../src/shared/chat';
import { longConversation, snapshot } from './conversations';
import { drawn, openHarness, type Harness } from './harness';
import { startHarnessServer } from './server';

const stepCalls = 200;

/** A sentence and a Read, as a model at work sends them. */
export function callEvents(number: number): ChatEvent[][] {
  const file = `src/part-${number}.ts`;
  const tool: ToolItem = {
    kind: 'tool',
    id: `call${number}`,
    name: 'Read',
    sentence: { now: `Reading ${file}`, past: `Read ${file}` },
    state: 'running',
    readOnly: true,
    detail: '',
  };
  return [
    [
      { type: 'item', item: { kind: 'text', id: `said${number}`, text: '', streaming: true } },
      { type: 'delta', id: `said${number}`, text: `Next comes \`${file}\`, which **the parts before it** import.` },
      { type: 'block_end', id: `said${number}` },
      { type: 'item', item: tool },
    ],
    [
      {
        type: 'tool',
        id: tool.id,
        change: {
          state: 'done',
          durationMs: 12,
          detail: '1–80',
          view: { kind: 'files', items: [{ path: file, startLine: 1, endLine: 80 }], total: 1, truncated: false },
        },
      },
    ],
  ];
}

/** Sends the events of calls, a message a frame. */
export async function work(harness: Harness, from: number, to: number): Promise<void> {
  const messages = Array.from({ length: to - from }, (_, index) => callEvents(from + index)).flat();
  const sent = harness.numbered(messages);
  await harness.page.evaluate(async (all) => {
    for (const message of all) {
      window.postMessage(message, '*');
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, sent);
}

export function elements(page: Page): Promise<number> {
  return page.evaluate(() => document.getElementsByTagName('*').length);
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

export async function main(args: string[]): Promise<number> {
  const calls = Number(args[0] ?? 2_000);
  const server = await startHarnessServer(path.resolve('dist'));
  const browser = await startBrowser();
  try {
    const harness = await openHarness(browser, server);
    const { page, send } = harness;
    await send(snapshot({ status: 'working', items: longConversation(1) }));
    await drawn(page);
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { longTasks: tasks });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
        type: 'longtask',
      });
    });
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (let done = 0; done < calls; done += stepCalls) {
      const before = await metric(session, 'TaskDuration');
      await work(harness, done, done + stepCalls);
      const spent = (await metric(session, 'TaskDuration')) - before;
      const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0) ?? []);
      console.log(
        `${done + stepCalls} calls: ${spent.toFixed(2)} s for the last ${stepCalls}, ${await elements(page)} elements, ` +
          `${await metric(session, 'Nodes')} nodes, tasks over 50 ms: ${tasks.map(Math.round).join(', ') || 'none'}`,
      );
    }
    console.log(harness.errors.join('\n'));
  } finally {
    await browser.close();
    await server.close();
  }
  return 0;
}
