// One step in a page: opens, clicks, types, presses, takes a picture. What does not work is said in a sentence.
import { type Locator, type Page } from 'playwright-core';
import { type PageOutcome, type PagePicture, type PageStep } from '../../core/ports/pages';
import { messageOf } from '../../core/text/errors';

export interface Done {
  status?: number;
  picture?: PagePicture;
  /** It was opened anew. */
  navigated?: boolean;
}

export interface Refused {
  code: Extract<PageOutcome, { outcome: 'refused' }>['code'];
  message: string;
}

const openMs = 20_000;
const actMs = 5_000;

export function isRefused(done: Done | Refused): done is Refused {
  return 'code' in done;
}

export async function takeStep(page: Page, step: Exclude<PageStep, { action: 'close' }>): Promise<Done | Refused> {
  switch (step.action) {
    case 'open':
      return open(page, step.url);
    case 'look':
      return {};
    case 'click':
      return onElement(page, step.ref, (element) => element.click({ timeout: actMs }));
    case 'type':
      return onElement(page, step.ref, async (element) => {
        await typeInto(element, step.text);
        if (step.submit) await element.press('Enter', { timeout: actMs });
      });
    case 'press':
      return step.ref === undefined
        ? acted(() => page.keyboard.press(step.key))
        : onElement(page, step.ref, (element) => element.press(step.key, { timeout: actMs }));
    case 'picture':
      return { picture: await picture(page, step.whole) };
  }
}

async function open(page: Page, url: string): Promise<Done | Refused> {
  try {
    const response = await page.goto(url, { waitUntil: 'load', timeout: openMs });
    return { navigated: true, ...(response === null ? {} : { status: response.status() }) };
  } catch (error) {
    const text = messageOf(error);
    const [, reason] = /net::(ERR_\w+)/.exec(text) ?? [];
    // It is there, and something in it does not end.
    if (reason === undefined && /Timeout/i.test(text) && page.url() !== 'about:blank') return { navigated: true };
    if (reason === 'ERR_CONNECTION_REFUSED')
      return { code: 'unreachable', message: `Nothing answers at ${url}: the connection was refused.` };
    if (reason === 'ERR_ABORTED')
      return { code: 'stopped', message: `${url} was not opened: it leads elsewhere, or is a download.` };
    return {
      code: 'unreachable',
      message:
        reason === undefined
          ? `${url} did not load within ${openMs / 1_000} s.`
          : `${url} could not be opened: ${reason}.`,
    };
  }
}

/** The library tries for as long as `actMs`, then says what was in the way. */
async function onElement(
  page: Page,
  ref: string,
  act: (element: Locator) => Promise<unknown>,
): Promise<Done | Refused> {
  if (!/^(?:f\d+)?e\d+$/.test(ref))
    return { code: 'no-element', message: `${JSON.stringify(ref)} is not a ref: they look like e5. Take a snapshot.` };
  const element = page.getByRef(ref);
  const found = await element.count().catch(() => 0);
  if (found === 0)
    return { code: 'no-element', message: `The page has no element ${ref} now. Take a snapshot for the present refs.` };
  return acted(() => act(element));
}

async function acted(act: () => Promise<unknown>): Promise<Done | Refused> {
  try {
    await act();
    return {};
  } catch (error) {
    return { code: 'not-possible', message: reasonOf(messageOf(error)) };
  }
}

/** A list of options is no field: there, one is chosen. */
async function typeInto(element: Locator, text: string): Promise<void> {
  try {
    await element.fill(text, { timeout: actMs });
  } catch (error) {
    if (!/is not an <input>/.test(messageOf(error))) throw error;
    await element.selectOption(text, { timeout: actMs });
  }
}

/** What the library's log says last before it gave up: "element is not enabled", "<div> intercepts pointer events". */
function reasonOf(message: string): string {
  const lines = message.replace(/\u001b\[\d+m/g, '').split('\n');
  const log = lines.map((line) => line.replace(/^[\s-]*(?:\d+ × )?/, '').trim());
  const telling =
    /intercepts pointer events|is not (?:visible|enabled|editable|stable)|outside of the viewport|did not find some options/;
  const why = log.findLast((line) => telling.test(line));
  const [first = ''] = lines;
  const plain = first.replace(/^[\w.]+: (?:Error: )?/, '');
  if (why === undefined) return `That did not work: ${plain}`;
  return `That did not work within ${actMs / 1_000} s: ${why}.`;
}

/** Pixels: what is higher is not shown whole. */
const maxHeight = 4_000;
/** Bytes; then it is taken once more, less exactly. */
const maxBytes = 400_000;

async function picture(page: Page, whole: boolean): Promise<PagePicture> {
  const view = page.viewportSize() ?? { width: 1_280, height: 800 };
  const full = Number(
    await page.evaluate('Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0)'),
  );
  const height = whole ? Math.min(maxHeight, Math.max(full, view.height)) : view.height;
  if (height !== view.height) await page.setViewportSize({ width: view.width, height });
  const take = (quality: number): Promise<Buffer> => page.screenshot({ type: 'jpeg', quality, timeout: actMs });
  const sharp = await take(80);
  const bytes = sharp.length > maxBytes ? await take(40) : sharp;
  if (height !== view.height) await page.setViewportSize(view);
  return {
    data: bytes.toString('base64'),
    mediaType: 'image/jpeg',
    width: view.width,
    height,
    below: whole ? Math.max(0, full - height) : 0,
  };
}
