// Measures inside Deft's webview: bytes that arrive, long tasks, when texts are painted, when the user acted.
import type { FrameLocator, Locator } from 'playwright-core';

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
      if (!(event instanceof KeyboardEvent) || event.key === 'Enter')
        probe.acted = performance.timeOrigin + event.timeStamp;
    };
    window.addEventListener('keydown', acted, true);
    window.addEventListener('click', acted, true);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'self') probe.longTasks.push(entry.duration);
    }).observe({ type: 'longtask' });
    // The conversation's end alone: what is older was seen before, and reading it all would be a task of its own.
    const newestText = (): string => {
      const log = document.querySelector('[role="log"]');
      if (log === null) return '';
      const walker = document.createTreeWalker(log, NodeFilter.SHOW_TEXT);
      while (walker.currentNode.lastChild !== null) walker.currentNode = walker.currentNode.lastChild;
      let text = walker.currentNode.nodeValue ?? '';
      for (let node = walker.previousNode(); node !== null && text.length < 15_000; node = walker.previousNode())
        text = (node.nodeValue ?? '') + text;
      return text;
    };
    let waiting = false;
    const look = (): void => {
      waiting = false;
      const now = performance.timeOrigin + performance.now();
      for (const [marker] of newestText().matchAll(/⟦\w+⟧/g)) probe.painted[marker] ??= now;
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

/** Resolves once the marker was painted. Asks the probe alone: a search through the page would be among what is measured. */
export async function painted(chat: FrameLocator, marker: string, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while ((await readProbe(chat)).painted[marker] === undefined) {
    if (performance.now() > until) throw new Error(`${marker} was not shown within ${milliseconds} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Types so many keys into the box, with pauses; milliseconds from each one to the frame that shows it, p95. */
export async function typedToPaint(box: Locator, keys: number): Promise<number> {
  await box.evaluate((element) => {
    const times: number[] = [];
    Object.assign(window, { deftTyped: times });
    element.addEventListener('keydown', (event) => {
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - event.timeStamp)));
    });
  });
  await box.focus();
  for (let key = 0; key < keys; key++) {
    await box.page().keyboard.press('x');
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  const times = await box.evaluate(() => (window as unknown as { deftTyped: number[] }).deftTyped);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** A time of performance.now() in this process, on the clock that the probe uses. */
export function sinceEpoch(milliseconds: number): number {
  return performance.timeOrigin + milliseconds;
}
