// Opens the webview in a browser and plays its host.
import { type Browser, type Page } from 'playwright-core';
import { type ChatEvent } from '../../../src/shared/chat';
import { type HostMessage } from '../../../src/shared/host-messages';
import { type RequestAnswer, type RequestType, type WebviewMessage } from '../../../src/shared/protocol';
import { type HarnessServer } from './server';
import { type ThemeName } from './themes';

export interface Harness {
  page: Page;
  /** Errors of the page and of its policy. */
  errors: string[];
  send(message: HostMessage): Promise<void>;
  /** Answers the newest request of this type, once there is one that has no answer yet. */
  answer<Type extends RequestType>(type: Type, answer: RequestAnswer<Type>): Promise<void>;
  /** Answers it as one that failed. */
  refuse(type: RequestType): Promise<void>;
  /** Sends numbered events of the current epoch; `seq` continues from the last snapshot. */
  events(...events: ChatEvent[]): Promise<void>;
  /** The messages that `events` would send, for a page that sends them itself. */
  numbered(messages: readonly ChatEvent[][]): HostMessage[];
  posted(): Promise<WebviewMessage[]>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  theme?: ThemeName;
  width?: number;
  height?: number;
  /** The system's own high contrast: a few colours instead of the page's. */
  forcedColors?: boolean;
  reducedMotion?: boolean;
  /** Pixels of the device for one of the page: more make sharper pictures, and cost time. */
  scale?: number;
  /** For what leaves traces in a page: a clock, permissions, scripts that run before the page's. */
  ownPage?: boolean;
}

/** One page after the other in the same tab, which costs a fifth less than a tab for each. */
export interface SharedTab {
  page?: Page;
}

export async function openHarness(
  browser: Browser,
  server: HarnessServer,
  options: HarnessOptions = {},
  tab?: SharedTab,
): Promise<Harness> {
  const { theme = 'dark' } = options;
  const shared = options.ownPage === true || options.scale !== undefined ? undefined : tab;
  const page = await pageFor(browser, server, options, shared);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(server.page(theme));
  let epoch = 0;
  let seq = 0;
  const send = (message: HostMessage) => {
    if (message.type === 'snapshot') ({ epoch, seq } = message);
    return page.evaluate((data) => window.postMessage(data, '*'), message);
  };
  const settled = new Set<number>();
  const asked = async (type: RequestType): Promise<number> => {
    const number = await page.waitForFunction(
      ({ type, settled }) =>
        (window as unknown as { posted: { type: string; request?: number }[] }).posted.findLast(
          (message) => message.type === type && message.request !== undefined && !settled.includes(message.request),
        )?.request,
      { type, settled: [...settled] },
    );
    const request = (await number.jsonValue()) ?? 0;
    settled.add(request);
    return request;
  };
  const numbered = (events: ChatEvent[]): HostMessage => {
    const from = seq;
    seq += events.length;
    return { type: 'events', epoch, from, events };
  };
  return {
    page,
    errors,
    send,
    answer: async (type, answer) => send({ type: 'answered', request: await asked(type), answer }),
    refuse: async (type) => send({ type: 'failed', request: await asked(type) }),
    events: (...events) => send(numbered(events)),
    numbered: (messages) => messages.map(numbered),
    posted: () => page.evaluate(() => (window as unknown as { posted: WebviewMessage[] }).posted),
    async close() {
      if (shared === undefined || errors.length > 0) {
        delete shared?.page;
        await page.context().close();
      } else page.removeAllListeners();
    },
  };
}

async function pageFor(
  browser: Browser,
  server: HarnessServer,
  options: HarnessOptions,
  tab: SharedTab | undefined,
): Promise<Page> {
  const { theme = 'dark', width = 420, height = 860 } = options;
  const used = tab?.page;
  const context = used?.context() ?? (await browser.newContext({ deviceScaleFactor: options.scale ?? 1 }));
  const page = used ?? (await context.newPage());
  if (tab !== undefined) tab.page = page;
  if (used !== undefined) {
    await page.goto(server.forget);
    await page.mouse.move(0, 0);
  }
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    forcedColors: options.forcedColors ? 'active' : null,
    colorScheme: options.forcedColors ? (theme.startsWith('light') ? 'light' : 'dark') : null,
    reducedMotion: options.reducedMotion ? 'reduce' : null,
  });
  return page;
}

/** The code of every block that is complete has its colours. */
export async function coloured(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.code-block:has(.code-language:not(:empty))')].every(
      (block) =>
        block.querySelector('.code-language')?.textContent === 'text' ||
        block.querySelector('.code [class^="code-"] [class]'),
    ),
  );
}

/** Two frames: what was sent is drawn. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)))),
  );
}
