// Reloads of a window: how long until VS Code is ready, and until a view of an extension shows what it should.
import type { Page } from 'playwright-core';
import { sinceEpoch } from './webview-probe';

const patienceMilliseconds = 90_000;
const stepMilliseconds = 20;

/** Milliseconds from the reload. */
export interface Reload {
  /** VS Code's workbench stands, and its webview waits for content. */
  readonly ready: number;
  /** When each condition held, in their order. */
  readonly shown: readonly number[];
}

/** Reloads and waits for conditions (JavaScript that is run in the documents of the extension's views), one after the other; throws after 90 s. */
export async function reloadUntil(page: Page, extension: string, conditions: readonly string[]): Promise<Reload> {
  await page.reload({ waitUntil: 'commit' });
  const times: number[] = [];
  for (const condition of conditions) times.push(await sinceEpochOf(() => inView(page, extension, condition)));
  const { origin, ready } = await page.evaluate(() => {
    const marks = performance
      .getEntriesByType('mark')
      .filter(({ name }) => /didStartWorkbench$|webview-ready$/.test(name));
    return { origin: performance.timeOrigin, ready: Math.max(...marks.map(({ startTime }) => startTime)) };
  });
  return { ready, shown: times.map((time) => time - origin) };
}

/** Looks in every document inside the extension's webviews: asking for the frame by name would wait in steps of half a second. */
async function inView(page: Page, extension: string, condition: string): Promise<boolean> {
  for (const frame of page.frames()) {
    const own = frame.parentFrame()?.url().includes(`extensionId=${extension}`) === true;
    if (own && (await frame.evaluate(condition).catch(() => false))) return true;
  }
  return false;
}

/** When a condition came true, in milliseconds since the epoch. */
async function sinceEpochOf(condition: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > patienceMilliseconds)
      throw new Error('The reloaded window did not show the view again.');
    await new Promise((resolve) => setTimeout(resolve, stepMilliseconds));
  }
  return sinceEpoch(performance.now());
}
