// What happens in a page besides what it shows: messages, errors, failed requests, dialogs, tabs. Kept until it is told.
import { type ConsoleMessage, type Dialog, type Page, type Request, type Response } from 'playwright-core';
import { type PageEvent } from '../../core/ports/pages';

export interface PageEvents {
  add(kind: PageEvent['kind'], text: string): void;
  /** Since it was asked last, equal ones as one. */
  take(): { events: PageEvent[]; dropped: number };
  history(): readonly PageEvent[];
  /** Requests that run; those that never end by design do not count. */
  pending(): number;
  /** When a request last began or ended. */
  lastTraffic(): number;
  crashed(): boolean;
  watch(page: Page): void;
}

/** More are counted. */
const maxKept = 200;
const maxText = 1_000;

export function createPageEvents(): PageEvents {
  const kept: PageEvent[] = [];
  let news: PageEvent[] = [];
  let dropped = 0;
  let traffic = Date.now();
  const running = new Set<Request>();
  let crashed = false;

  const add = (kind: PageEvent['kind'], whole: string): void => {
    const text = whole.length > maxText ? `${whole.slice(0, maxText)} …` : whole;
    remember(kept, { kind, text, count: 1 }, () => kept.shift());
    remember(news, { kind, text, count: 1 }, () => {
      news.pop();
      dropped++;
    });
  };

  return {
    add,
    take() {
      const taken = { events: news, dropped };
      news = [];
      dropped = 0;
      return taken;
    },
    history: () => kept,
    pending: () => running.size,
    lastTraffic: () => traffic,
    crashed: () => crashed,
    watch(page) {
      page.on('request', (request) => {
        traffic = Date.now();
        if (!endless.has(request.resourceType())) running.add(request);
      });
      const ended = (request: Request): void => {
        traffic = Date.now();
        running.delete(request);
      };
      page.on('requestfinished', ended);
      page.on('requestfailed', (request) => {
        ended(request);
        const why = request.failure()?.errorText ?? 'failed';
        // Given up by the page itself, or stopped, which is told by itself.
        if (why !== 'net::ERR_ABORTED') add('request', `${request.method()} ${request.url()} failed: ${why}`);
      });
      page.on('response', (response) => {
        const text = responseText(response);
        if (text !== undefined) add('request', text);
      });
      page.on('framenavigated', (frame) => {
        if (frame === page.mainFrame())
          for (const request of running) if (request.isNavigationRequest()) running.delete(request);
      });
      page.on('console', (message) => addMessage(message, add));
      page.on('pageerror', (error) => add('error', errorText(error)));
      page.on('dialog', (dialog) => void answer(dialog, add));
      page.on('crash', () => {
        crashed = true;
        add('crash', 'The page crashed. Open it again.');
      });
      page.on('filechooser', () => add('file', 'It asked for a file to upload; none was given.'));
      page.on('download', (download) => {
        add('file', `A download of ${download.suggestedFilename()} was refused.`);
        download.cancel().catch(() => undefined);
      });
    },
  };
}

/** They stay open while the page is there. */
const endless: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'media', 'ping']);

function remember(list: PageEvent[], event: PageEvent, makeRoom: () => void): void {
  const same = list.find(({ kind, text }) => kind === event.kind && text === event.text);
  if (same !== undefined) {
    same.count++;
    return;
  }
  list.push(event);
  if (list.length > maxKept) makeRoom();
}

function responseText(response: Response): string | undefined {
  const status = response.status();
  if (status < 400) return undefined;
  const url = response.url();
  // Browsers ask for it by themselves.
  if (/^https?:\/\/[^/]+\/favicon\.ico$/.test(url)) return undefined;
  return `${response.request().method()} ${url} answered ${`${status} ${response.statusText()}`.trim()}`;
}

function addMessage(message: ConsoleMessage, add: PageEvents['add']): void {
  const text = message.text();
  // The request is told by itself.
  if (text.startsWith('Failed to load resource:')) return;
  const { url, lineNumber } = message.location();
  const place = url === '' ? '' : ` (${url}:${lineNumber + 1})`;
  const type = message.type();
  const kind = type === 'error' || type === 'assert' ? 'error' : type === 'warning' ? 'warning' : 'log';
  add(kind, `${text}${place}`);
}

/** With the first place in a file of the page. */
function errorText(error: Error): string {
  const stack = error.stack ?? '';
  const place = /\((https?:\/\/[^)]+:\d+:\d+)\)|at (https?:\/\/\S+:\d+:\d+)/.exec(stack);
  const where = place?.[1] ?? place?.[2];
  const what = `${error.name}: ${error.message}`;
  return `Uncaught ${what}${where === undefined ? '' : ` (${where})`}`;
}

async function answer(dialog: Dialog, add: PageEvents['add']): Promise<void> {
  const type = dialog.type();
  const accepted = type === 'alert' || type === 'beforeunload';
  add('dialog', `${type} "${dialog.message()}" was ${accepted ? 'closed' : 'cancelled'}.`);
  await (accepted ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
}
