// For who zooms in and who has no mouse: in each state nothing is cut or covered at 300 px and 200 %, and Tab reaches all that can be pressed, with a ring around it.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type ChatState } from '../../../src/shared/chat';
import { type Check } from './checks';
import { approvals, cards, changes, finished, planCard, questions, snapshot, todos, working } from './conversations';
import { drawn } from './harness';
import { states as galleryStates } from './states';

const states: Readonly<Record<string, Partial<ChatState>>> = {
  empty: {},
  working: { ...working, queue: [{ id: 'q', text: 'Next' }] },
  edit: { ...working, status: 'waiting', approvals: approvals.slice(0, 1) },
  command: { ...working, status: 'waiting', approvals: approvals.slice(1, 2) },
  plan: { ...working, status: 'waiting', approvals: [planCard] },
  question: { ...working, status: 'waiting', questions, todos },
  answer: { ...finished, changes },
  cards,
};

/** What is wrong with the places of what can be pressed or written into, a line each. */
function misplaced(page: Page, overlaps = true): Promise<string[]> {
  return page.evaluate((overlaps) => {
    const wrong: string[] = [];
    const name = (element: Element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    const controls = [
      ...document.querySelectorAll<HTMLElement>('button, textarea, input, [role="link"], a[href]'),
    ].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden'),
    );
    /** The part of it that is in sight: what scrolls hides the rest. */
    const seen = (element: Element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let around = element.parentElement; around; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
        const box = around.getBoundingClientRect();
        [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
        [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
      return { left, top, right, bottom };
    };
    const scrolls = (element: Element): boolean => {
      for (let around = element.parentElement; around; around = around.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(around).overflowX) && around.scrollWidth > around.clientWidth)
          return true;
      return false;
    };
    if (document.documentElement.scrollWidth > innerWidth)
      wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of controls) {
      const box = element.getBoundingClientRect();
      if (box.width === 0) continue;
      if ((box.left < -0.5 || box.right > innerWidth + 0.5) && !scrolls(element))
        wrong.push(`${name(element)} is cut: ${box.left} to ${box.right}`);
      const style = getComputedStyle(element);
      if (
        element instanceof HTMLButtonElement &&
        element.scrollWidth > element.clientWidth + 1 &&
        style.overflowX !== 'visible'
      )
        wrong.push(`${name(element)} has no room for its words`);
    }
    for (const [index, element] of overlaps ? controls.entries() : []) {
      const a = seen(element);
      for (const other of controls.slice(index + 1)) {
        if (element.contains(other) || other.contains(element)) continue;
        const b = seen(other);
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 1 && height > 1) wrong.push(`${name(element)} and ${name(other)} overlap`);
      }
    }
    return wrong;
  }, overlaps);
}

/** Tab from the page's beginning to its end: what is not reached, and what has no ring, in words. */
async function unreached(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.querySelectorAll('[data-reached]').forEach((element) => element.removeAttribute('data-reached'));
    document.getSelection()?.removeAllRanges();
    // The next Tab goes on from the page's start, wherever the last one was.
    const start = document.createElement('span');
    start.tabIndex = -1;
    start.id = 'start';
    document.body.prepend(start);
    start.focus();
  });
  const ringless: string[] = [];
  // The page itself may move the focus meanwhile, as to a card that comes: then Tab goes round once more.
  let ends = 0;
  for (let steps = 0; steps < 250 && ends < 2; steps++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'end';
      if (element.hasAttribute('data-reached')) return 'again';
      element.setAttribute('data-reached', '');
      const marked = element.closest('.composer-box:has(.message:focus)') ?? element;
      const style = getComputedStyle(marked);
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--vscode-focusBorder)';
      const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
      // What one writes into has its own border in that colour.
      const ring = outlined || style.borderTopColor === getComputedStyle(probe).color;
      probe.remove();
      return { ring, name: element.getAttribute('aria-label') ?? element.textContent ?? '' };
    });
    if (found === 'end') ends++;
    else if (found !== 'again' && !found.ring) ringless.push(`no ring: ${found.name}`);
  }
  await page.evaluate(() => document.getElementById('start')?.remove());
  const left = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, textarea, input, select, a[href], [role="link"], [tabindex="0"]',
      ),
    ]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'))
      // One of a group has the Tab key, and arrows lead to the others.
      .filter((element) => !element.closest('[role="menu"], [role="radiogroup"], [role="tablist"], [role="toolbar"]'))
      .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio'))
      .filter((element) => !element.hasAttribute('data-reached'))
      .map(
        (element) => `not reached: ${element.getAttribute('aria-label') ?? element.textContent ?? element.outerHTML}`,
      ),
  );
  return [...ringless, ...left];
}

export const accessChecks: readonly Check[] = [
  {
    name: 'access: at 300 px and 200 % nothing is cut or covered, in any state',
    options: { width: 300, height: 430, scale: 2 },
    run: async ({ send, page }) => {
      const wrong: string[] = [];
      for (const [index, [name, state]] of Object.entries(states).entries()) {
        await send(snapshot(state, {}, index + 1));
        await drawn(page);
        await drawn(page);
        wrong.push(...(await misplaced(page)).map((line) => `${name}: ${line}`));
        for (const control of ['Message', 'Attach', /^Mode: /, /^Model: /] as const) {
          const element =
            control === 'Message'
              ? page.getByRole('textbox', { name: control, exact: true })
              : page.getByRole(
                  'button',
                  typeof control === 'string' ? { name: control, exact: true } : { name: control },
                );
          const box = await element.boundingBox();
          if (!box || box.y < 0 || box.y + box.height > 430.5 || box.x < 0 || box.x + box.width > 300.5)
            wrong.push(`${name}: ${control} is not in sight: ${JSON.stringify(box)}`);
        }
      }
      assert.deepEqual(wrong, []);
    },
  },
  {
    name: 'access: Tab reaches all that can be pressed, with a ring around it, in any state',
    options: { width: 300, height: 860 },
    run: async ({ send, page }) => {
      const wrong: string[] = [];
      for (const [index, [name, state]] of Object.entries(states).entries()) {
        await send(snapshot(state, {}, index + 1));
        await drawn(page);
        await drawn(page);
        wrong.push(...(await unreached(page)).map((line) => `${name}: ${line}`));
      }
      assert.deepEqual(wrong, []);
    },
  },
  // A menu that is open covers others: only what is cut counts.
  ...galleryStates.map((state): Check => ({
    name: `access: at 300 px nothing is cut in the gallery's state ${state.name}`,
    options: { width: 300, height: state.height },
    run: async (harness) => {
      await state.play(harness);
      await drawn(harness.page);
      await drawn(harness.page);
      assert.deepEqual(await misplaced(harness.page, false), []);
    },
  })),
];
