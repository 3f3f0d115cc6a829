// The Pages port: a browser for each session, started by its first call and ended with the session.
import { type BrowserContext, type Page } from 'playwright-core';
import { isAbort, messageOf } from '../../core/text/errors';
import {
  type PageFacts,
  type PageOutcome,
  type PageRequest,
  type PageRules,
  type Pages,
  type PageStep,
} from '../../core/ports/pages';
import { guardAddresses } from './address-guard';
import { guardSockets } from './socket-guard';
import { NoBrowser } from './no-browser';
import { type BrowserSearch, openBrowser } from './open-browser';
import { createPageEvents, type PageEvents } from './page-events';
import { type Done, isRefused, takeStep } from './page-steps';
import { settled } from './settle';

export interface NodePagesOptions {
  /** Asked for each new browser. */
  search(): Promise<BrowserSearch>;
}

interface OpenPage {
  page: Page;
  events: PageEvents;
  rules: PageRules;
  /** As the last call found it, and where that was. */
  tree: string | undefined;
  close(): Promise<void>;
}

interface Slot {
  open: OpenPage | undefined;
  /** Its session is over. */
  ended: boolean;
  /** The call before. */
  last: Promise<unknown>;
}

type Refusal = Extract<PageOutcome, { outcome: 'refused' }>;

export function createNodePages(options: NodePagesOptions): Pages {
  const slots = new Map<string, Slot>();
  let disposed = false;

  const slotOf = (session: string): Slot => {
    const slot = slots.get(session) ?? { open: undefined, ended: false, last: Promise.resolve() };
    slots.set(session, slot);
    return slot;
  };
  const closeSlot = async (slot: Slot): Promise<void> => {
    const { open } = slot;
    slot.open = undefined;
    await open?.close();
  };

  /** It ended by itself. */
  const closeIfGone = async (slot: Slot): Promise<void> => {
    if (slot.open !== undefined && !isThere(slot.open)) await closeSlot(slot);
  };

  async function run(request: PageRequest, slot: Slot, signal: AbortSignal): Promise<PageOutcome> {
    signal.throwIfAborted();
    const over = (): boolean => disposed || slot.ended;
    if (over()) return refused('no-page', 'The session has ended.');
    const { step, rules } = request;
    await closeIfGone(slot);
    // What a browser does not connect to is said to it when it starts.
    if (slot.open !== undefined && !sameHosts(slot.open.rules, rules) && step.action !== 'close') {
      await closeSlot(slot);
      if (step.action !== 'open')
        return refused('no-page', 'Rules that deny hosts have changed, so the browser was ended. Open the page again.');
    }
    if (slot.open === undefined && step.action !== 'open') return refused('no-page', 'No page is open.');
    // Whatever hangs in it, the browser's end ends it too.
    const stop = (): void => void closeSlot(slot).catch(() => undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      slot.open ??= await openPage(await options.search(), rules, slot);
      if (over() || signal.aborted) {
        await closeSlot(slot);
        signal.throwIfAborted();
        return refused('no-page', 'The session has ended.');
      }
      const { open } = slot;
      open.rules = rules;
      if (step.action === 'close') {
        const { events, dropped } = open.events.take();
        await closeSlot(slot);
        return { outcome: 'done', facts: { address: emptyPage, title: '', tree: '', events, dropped, pending: 0 } };
      }
      const outcome = await inPage(open, step);
      // Nothing can be done in it any more; the next call opens another one.
      if (open.events.crashed()) await closeSlot(slot);
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoBrowser) return refused('no-browser', error.message);
      if (isAbort(error)) throw error;
      // The browser ended in the middle of it.
      await closeIfGone(slot);
      if (slot.open === undefined) return refused('no-page', 'The browser ended. Open the page again.');
      return refused('not-possible', `${firstLine(messageOf(error))}`, slot.open.events.take().events);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  const end = async (session: string): Promise<void> => {
    const slot = slots.get(session);
    slots.delete(session);
    if (slot === undefined) return;
    slot.ended = true;
    await closeSlot(slot);
    await slot.last.catch(() => undefined);
  };

  return {
    address(session) {
      const open = slots.get(session)?.open;
      return open === undefined ? undefined : addressOf(open.page);
    },
    tree: (session) => slots.get(session)?.open?.tree,
    history: (session) => slots.get(session)?.open?.events.history() ?? [],
    run(request, signal) {
      const slot = slotOf(request.session);
      const done = slot.last.then(() => run(request, slot, signal));
      slot.last = done.catch(() => undefined);
      return done;
    },
    end,
    async dispose() {
      disposed = true;
      await Promise.all([...slots.keys()].map(end));
    },
  };
}

const emptyPage = 'about:blank';

function sameHosts(one: PageRules, other: PageRules): boolean {
  return JSON.stringify(one.deniedHosts) === JSON.stringify(other.deniedHosts);
}

function isThere({ page }: OpenPage): boolean {
  return !page.isClosed() && page.context().browser()?.isConnected() === true;
}

/** What a browser shows where nothing was loaded belongs to nobody. */
function addressOf(page: Page): string {
  const url = page.url();
  return /^https?:/i.test(url) ? url : emptyPage;
}

async function openPage(search: BrowserSearch, rules: PageRules, slot: Slot): Promise<OpenPage> {
  const { context, close } = await openBrowser(search, rules.deniedHosts);
  try {
    const browser = context.browser();
    if (browser === null) throw new NoBrowser('The browser cannot be watched, so nothing is opened in it.');
    const page = context.pages()[0] ?? (await context.newPage());
    const events = createPageEvents();
    const open: OpenPage = { page, events, rules, tree: undefined, close };
    const guard = await guardAddresses(browser, () => open.rules);
    guard.onStopped((url) =>
      events.add(
        'stopped',
        `The page wanted to go to ${url}, which no rule allows: it was stopped. Open that address if it matters.`,
      ),
    );
    await guardSockets(
      context,
      () => open.rules,
      (url) => events.add('stopped', `The page wanted to connect to ${url}, which a rule denies: it was stopped.`),
    );
    events.watch(page);
    closeTabs(context, page, events);
    context.on('close', () => {
      if (slot.open === open) slot.open = undefined;
      close().catch(() => undefined);
    });
    return open;
  } catch (error) {
    await close();
    throw error;
  }
}

const tabMs = 3_000;

/** One page a session: another tab is told, and closed. */
function closeTabs(context: BrowserContext, page: Page, events: PageEvents): void {
  context.on('page', (tab) => {
    if (tab === page) return;
    tab
      .waitForLoadState('domcontentloaded', { timeout: tabMs })
      .catch(() => undefined)
      .then(() => {
        if (/^https?:/i.test(tab.url()))
          events.add('tab', `It opened ${tab.url()} in a new tab, which was closed. Open that address to look at it.`);
        return tab.close();
      })
      .catch(() => undefined);
  });
}

async function inPage(open: OpenPage, step: Exclude<PageStep, { action: 'close' }>): Promise<PageOutcome> {
  const { page, events } = open;
  const before = { address: addressOf(page), tree: open.tree };
  const done = await takeStep(page, step);
  if (isRefused(done)) {
    const { events: told } = events.take();
    const stopped = told.some(({ kind }) => kind === 'stopped');
    return refused(stopped ? 'stopped' : done.code, done.message, told);
  }
  await settled(page, events);
  const tree = step.action === 'picture' ? '' : await page.ariaSnapshot({ mode: 'ai' });
  if (step.action !== 'picture') open.tree = tree;
  return { outcome: 'done', facts: await factsOf(open, done, tree, before) };
}

async function factsOf(
  { page, events }: OpenPage,
  { status, picture, navigated = false }: Done,
  tree: string,
  before: { address: string; tree: string | undefined },
): Promise<PageFacts> {
  const address = addressOf(page);
  const same = !navigated && before.tree !== undefined && pathOf(before.address) === pathOf(address);
  return {
    address,
    title: await page.title().catch(() => ''),
    tree,
    ...(status === undefined ? {} : { status }),
    ...(same ? { before: before.tree ?? '' } : {}),
    ...events.take(),
    pending: events.pending(),
    ...(picture === undefined ? {} : { picture }),
  };
}

/** A fragment or a query leads to no other page of an application. */
function pathOf(address: string): string {
  return address.replace(/[?#].*$/, '');
}

function refused(code: Refusal['code'], message: string, events: Refusal['events'] = []): Refusal {
  return { outcome: 'refused', code, message, events };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
