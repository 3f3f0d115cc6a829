// Waits until a page has probably done what an action made it do.
import { type Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PageEvents } from './page-events';

/** Without a request for so long, it is done. */
const quietMs = 250;
const stepMs = 50;
/** Then it is looked at as it is, and what still runs is told. */
const longestMs = 4_000;

export async function settled(page: Page, events: Pick<PageEvents, 'pending' | 'lastTraffic'>): Promise<void> {
  const began = Date.now();
  await page.waitForLoadState('load', { timeout: longestMs }).catch(() => undefined);
  while (Date.now() - began < longestMs) {
    const since = Date.now() - Math.max(began, events.lastTraffic());
    if (events.pending() === 0 && since >= quietMs) return;
    if (page.isClosed()) return;
    await sleep(stepMs);
  }
}
