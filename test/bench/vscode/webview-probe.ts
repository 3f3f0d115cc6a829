// Measures inside Deft's webview: bytes that arrive, long tasks, when texts are painted, when the person acted.
import type { FrameLocator } from 'playwright-core';

/** Times are milliseconds since the epoch. */
export interface ProbeReading {
  /** Characters of the messages from the host, as JSON. */
  readonly bytes: number;
  readonly messages: number;
  /** Milliseconds of each task of this frame over 50 ms. */
  readonly longTasks: readonly number[];
  /** When each marker was painted. */
  readonly painted: Readonly<Record<string, number>>;
  /** The last Enter or click, when the browser got it. */
  readonly acted: number;
}

interface ProbedWindow extends Window {
  deftProbe?: { bytes: number; messages: number; longTasks: number[]; painted: Record<string, number>; acted: number };
}

/** Starts counting in a webview that has just been loaded; calling it again starts anew. Markers look like `⟦12⟧`. */
export async function startProbe(chat: FrameLocator): Promise<void> {
  await chat.locator('body').evaluate(() => {
    const probed = window as ProbedWindow;
    const fresh = { bytes: 0, messages: 0, longTasks: [], painted: {}, acted: 0 };
    if (probed.deftProbe) return void Object.assign(probed.deftProbe, fresh);
    const probe: NonNullable<ProbedWindow['deftProbe']> = fresh;
    probed.deftProbe = probe;
    window.addEventListener('message', (event) => {
      probe.messages++;
      probe.bytes += JSON.stringify(event.data).length;
    });
    const acted = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Enter') probe.acted = performance.timeOrigin + event.timeStamp;
    };
    window.addEventListener('keydown', acted, true);
    window.addEventListener('click', acted, true);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'self') probe.longTasks.push(entry.duration);
    }).observe({ type: 'longtask' });
    let waiting = false;
    const look = (): void => {
      waiting = false;
      // The conversation's end is enough: what is older was seen before.
      const text = document.querySelector('[role="log"]')?.textContent.slice(-30_000) ?? '';
      const now = performance.timeOrigin + performance.now();
      for (const [marker] of text.matchAll(/⟦\w+⟧/g)) probe.painted[marker] ??= now;
    };
    // A task after the next frame runs when that frame was painted.
    new MutationObserver(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => setTimeout(look));
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

export async function readProbe(chat: FrameLocator): Promise<ProbeReading> {
  return chat.locator('body').evaluate(() => {
    const { deftProbe } = window as ProbedWindow;
    if (!deftProbe) throw new Error('The webview was loaded anew since its probe was started.');
    return { ...deftProbe };
  });
}

/** A time of performance.now() in this process, on the clock that the probe uses. */
export function sinceEpoch(milliseconds: number): number {
  return performance.timeOrigin + milliseconds;
}
