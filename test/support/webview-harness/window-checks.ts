// The page draws what is near the view: in conversations of any length it stays small, and all of them can be reached.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type ChatItem, type ToolItem } from '../../../src/shared/chat';
import { type Check, focused, axeFindings } from './checks';
import { dateDiff, longConversation, snapshot } from './conversations';
import { drawn, type Harness } from './harness';
import { callEvents } from './long-work';

/** Of the whole page, texts included. */
const MOST_NODES = 4_000;

const log = (page: Page) => page.getByRole('log');
const distanceFromEnd = (page: Page) =>
  log(page).evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));

function nodes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    let count = 1;
    while (walker.nextNode()) count++;
    return count;
  });
}

async function scrollTo(page: Page, top: number): Promise<void> {
  await log(page).evaluate((element, to) => element.scrollTo(0, to), top);
  await drawn(page);
  await drawn(page);
}

/** The first row in the view and where it is. */
function firstRow(page: Page): Promise<{ key: string; top: number }> {
  return log(page).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const row = [...element.querySelectorAll('[data-key]')].find((one) => one.getBoundingClientRect().bottom > top + 1);
    return {
      key: row?.getAttribute('data-key') ?? '',
      top: Math.round((row?.getBoundingClientRect().top ?? 0) - top),
    };
  });
}

/** Nothing in the view is a gap. */
function emptyPixels(page: Page): Promise<number> {
  return log(page).evaluate((element) => {
    const view = element.getBoundingClientRect();
    return [...element.querySelectorAll('.gap')].reduce((sum, gap) => {
      const { top, bottom } = gap.getBoundingClientRect();
      return sum + Math.max(0, Math.min(bottom, view.bottom) - Math.max(top, view.top));
    }, 0);
  });
}

async function work(harness: Harness, from: number, to: number, callsAtOnce: number): Promise<void> {
  for (let call = from; call < to; call += callsAtOnce) {
    const messages = Array.from({ length: callsAtOnce }, (_, index) => callEvents(call + index)).flat();
    await harness.events(...messages.flat());
  }
  await drawn(harness.page);
}

const command = (id: string): ToolItem => ({
  kind: 'tool',
  id,
  name: 'Bash',
  sentence: { now: 'Running make', past: 'Ran make' },
  state: 'done',
  readOnly: false,
  detail: '',
  view: { kind: 'terminal', command: 'make', state: 'exited', exitCode: 0, bytes: 90_000, tail: 'the end\n' },
});

export const windowChecks: Check[] = [
  {
    name: 'window: a turn of 1,000 calls stays small while it grows, at its end and scrolled away from it',
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot({ status: 'working', items: longConversation(1) }));
      await drawn(page);
      for (let call = 0; call < 600; call += 100) {
        await work(harness, call, call + 100, 10);
        assert.ok((await nodes(page)) <= MOST_NODES, `${await nodes(page)} nodes after ${call + 100} calls`);
        assert.ok((await distanceFromEnd(page)) <= 12, 'left the end');
        assert.equal(await emptyPixels(page), 0);
      }
      await page.getByText('Read src/part-599.ts').waitFor();
      await log(page).hover();
      await page.mouse.wheel(0, -4_000);
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      await drawn(page);
      const before = await firstRow(page);
      await work(harness, 600, 1_000, 20);
      assert.deepEqual(await firstRow(page), before, 'the view moved');
      assert.ok((await nodes(page)) <= MOST_NODES, `${await nodes(page)} nodes`);
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await page.getByText('Read src/part-999.ts').waitFor();
      await drawn(page);
      assert.ok((await distanceFromEnd(page)) <= 12);
      await scrollTo(page, 0);
      await page.getByText('Question 0: what does part 0 do?', { exact: true }).waitFor();
      assert.equal(await emptyPixels(page), 0);
    },
  },
  {
    name: 'window: a view that grows, and one that gets its size late, have no gap',
    run: async ({ send, page }) => {
      const size = page.viewportSize();
      assert.ok(size);
      await send(snapshot({ items: longConversation(300) }));
      await drawn(page);
      await scrollTo(page, 4_000);
      // Nothing scrolls meanwhile.
      await page.setViewportSize({ width: size.width, height: 3_000 });
      await drawn(page);
      await drawn(page);
      assert.equal(await emptyPixels(page), 0, 'rows are missing below');
      await page.setViewportSize({ width: size.width, height: 0 });
      await send(snapshot({ items: longConversation(200) }));
      await drawn(page);
      await page.setViewportSize({ width: size.width, height: 3_000 });
      await drawn(page);
      await drawn(page);
      assert.equal(await emptyPixels(page), 0, 'rows are missing where there was no view');
      await page.setViewportSize(size);
    },
  },
  {
    name: 'window: 10,000 items are scrolled to the top and back with few nodes, no gap in sight and no jump',
    run: async ({ send, page }) => {
      await send(snapshot({ items: longConversation(3_334).slice(0, 10_000) }));
      await page.locator('.user', { hasText: 'Question 3333: what' }).waitFor();
      assert.ok((await distanceFromEnd(page)) <= 12);
      const { most, jumps, frames } = await log(page).evaluate(async (element) => {
        const result = { most: 0, jumps: 0, frames: 0 };
        const step = async (by: number): Promise<void> => {
          const view = element.getBoundingClientRect();
          const row = [...element.querySelectorAll('[data-key]')].find(
            (one) => one.getBoundingClientRect().bottom > view.top + view.height / 2,
          );
          const before = row?.getBoundingClientRect().top ?? 0;
          const place = element.scrollTop;
          element.scrollTop += by;
          const moved = element.scrollTop - place;
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
          // What was in the middle of the view has moved by what was scrolled, whatever came above it.
          if (row?.isConnected === true && Math.abs(row.getBoundingClientRect().top - before + moved) > 2)
            result.jumps++;
          result.most = Math.max(result.most, element.getElementsByTagName('*').length);
          result.frames++;
        };
        for (let count = 0; count < 40; count++) await step(-300);
        element.scrollTop = element.scrollHeight / 2;
        for (let count = 0; count < 40; count++) await step(-300);
        element.scrollTop = 0;
        await new Promise(requestAnimationFrame);
        for (let count = 0; count < 20; count++) await step(300);
        return result;
      });
      assert.equal(jumps, 0, `${jumps} jumps in ${frames} steps`);
      assert.ok(most <= 2_000, `${most} elements`);
      await scrollTo(page, 0);
      await page.getByText('Question 0: what does part 0 do?', { exact: true }).waitFor();
      assert.ok((await nodes(page)) <= MOST_NODES);
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await page.locator('.user', { hasText: 'Question 3333: what' }).waitFor();
    },
  },
  {
    name: 'window: what was unfolded, asked and scrolled is as it was when it comes back',
    run: async (harness) => {
      const { page, send, answer } = harness;
      const thinking: ChatItem = { kind: 'thinking', id: 'deep', text: 'A thought about wombats.', streaming: false };
      const items = [thinking, command('make'), ...longConversation(80)];
      await send(snapshot({ items }));
      await drawn(page);
      await scrollTo(page, 0);
      await page.getByRole('button', { name: /^Thought/ }).click();
      const card = page.getByRole('group', { name: 'Ran make' });
      await card.getByRole('button', { name: /^Details of/ }).click();
      await card.getByText('Show all output').click();
      await answer('loadOutput', { text: 'a line of output\n'.repeat(400), truncated: false });
      const output = card.getByRole('region', { name: 'Whole output' });
      await output.evaluate((element) => element.scrollTo(0, 1_234));
      await drawn(page);
      await page.locator('textarea').focus();
      await scrollTo(page, 1_000_000);
      assert.equal(await card.count(), 0, 'it is not mounted');
      await scrollTo(page, 0);
      await page.getByText('A thought about wombats.').waitFor();
      assert.equal(await output.evaluate((element) => element.scrollTop), 1_234);
    },
  },
  {
    name: 'window: a copy of all holds what is not mounted, and half of a message where it begins',
    run: async ({ send, page }) => {
      await send(snapshot({ items: [...longConversation(150), command('make')] }));
      await drawn(page);
      const copied = (from: string | undefined) =>
        page.evaluate((start) => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('.transcript') ?? document.body);
          const row = start === undefined ? null : document.getElementById(start)?.querySelector('.user-text');
          if (row?.firstChild) range.setStart(row.firstChild, 'Question '.length);
          document.getSelection()?.removeAllRanges();
          document.getSelection()?.addRange(range);
          const data = new DataTransfer();
          const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
          document.activeElement?.dispatchEvent(event);
          return event.defaultPrevented ? data.getData('text/plain') : undefined;
        }, from);
      const all = (await copied(undefined)) ?? '';
      for (let question = 0; question < 150; question++)
        assert.equal(all.split(`Question ${question}: what does part ${question} do?`).length, 2, `${question}`);
      assert.match(all, /Read src\/part-7\.ts/);
      assert.match(all, /it reads one thing/, 'as it reads, without marks');
      await scrollTo(page, 0);
      const half = (await copied('row-u0')) ?? '';
      assert.ok(half.startsWith('0: what does part 0 do?'), half.slice(0, 60));
      assert.match(half, /Question 149/);
    },
  },
  {
    name: 'window: the Tab key reaches what is not mounted, and what has the focus stays',
    run: async ({ send, page }) => {
      await send(snapshot({ items: longConversation(100) }));
      await drawn(page);
      await log(page).focus();
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => document.activeElement?.closest('[data-key]') !== null);
      assert.equal(await focused(page), 'Rewind to: Question 0: what does part 0 do?', 'from the first one on');
      await drawn(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Copy this text');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Rewind to: Question 1: what does part 1 do?');
      await scrollTo(page, 1_000_000);
      assert.equal(await focused(page), 'Rewind to: Question 1: what does part 1 do?', 'it keeps the focus');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'src/part-1.ts', 'and leads to its neighbour');
      await scrollTo(page, 1_000_000);
      await page.locator('textarea').focus();
      await drawn(page);
      await page.keyboard.press('Shift+Tab');
      for (let steps = 0; steps < 30 && !/part-9\d/.test(String(await focused(page))); steps++)
        await page.keyboard.press('Shift+Tab');
      assert.match(String(await focused(page)), /part-9\d/, 'backwards, to the nearest one');
    },
  },
  {
    name: 'window: turns say which of how many they are once the first is loaded, and axe finds nothing',
    run: async ({ send, page }) => {
      await send(snapshot({ items: longConversation(100) }));
      await drawn(page);
      const last = page.getByRole('article', { name: 'You: Question 99: what does part 99 do?' });
      assert.deepEqual(
        [await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')],
        ['100', '100'],
      );
      await page
        .getByRole('button', { name: /^Go to \d+ entries that are out of view$/ })
        .waitFor({ state: 'attached' });
      assert.deepEqual(await axeFindings(page), []);
      await send(snapshot({ items: longConversation(100), olderItems: 20 }, {}, 2));
      await drawn(page);
      assert.equal(await last.getAttribute('aria-setsize'), null);
    },
  },
  {
    name: 'window: a panel that becomes narrow or wide keeps the place of the reader, and the end for who is there',
    run: async ({ send, page }) => {
      const items = longConversation(200);
      await send(snapshot({ items }));
      await drawn(page);
      await page.setViewportSize({ width: 300, height: 700 });
      await drawn(page);
      await drawn(page);
      assert.ok((await distanceFromEnd(page)) <= 12);
      await scrollTo(page, 3_000);
      const before = await firstRow(page);
      await page.setViewportSize({ width: 900, height: 700 });
      await drawn(page);
      await drawn(page);
      const rows = items.map(({ id }) => id);
      const moved = rows.indexOf((await firstRow(page)).key) - rows.indexOf(before.key);
      // Its text has other lines: the place is kept within one message.
      assert.ok(Math.abs(moved) <= 1, `${moved} rows`);
      assert.equal(await emptyPixels(page), 0);
      await page.evaluate(() => document.documentElement.style.setProperty('--vscode-font-size', '20px'));
      await drawn(page);
      assert.equal(await emptyPixels(page), 0);
    },
  },
  {
    name: 'window: a reload leads to the row that was looked at, far from all that is drawn first',
    run: async ({ send, page, events }) => {
      const items = longConversation(200);
      await send(snapshot({ items }));
      await drawn(page);
      await scrollTo(page, 3_000);
      const before = await firstRow(page);
      const anchor = `row-${before.key}`;
      await page.waitForFunction((id) => sessionStorage.getItem('state')?.includes(`"${id}"`), anchor);
      await page.reload();
      await send(snapshot({ items }));
      await page.locator(`[id="${anchor}"]`).waitFor();
      await drawn(page);
      assert.deepEqual(await firstRow(page), before);
      assert.equal(await emptyPixels(page), 0);
      await events({ type: 'item', item: { kind: 'text', id: 'new', text: 'Something new.', streaming: false } });
      await drawn(page);
      assert.deepEqual(await firstRow(page), before, 'and stays there');
    },
  },
  {
    name: 'window: cards that unfold themselves far away leave the view where it is, and open where they are',
    run: async ({ send, page, events }) => {
      const diff: ToolItem = {
        kind: 'tool',
        id: 'edit',
        name: 'Edit',
        sentence: { now: 'Editing src/date.ts', past: 'Edited src/date.ts' },
        state: 'running',
        readOnly: false,
        detail: '',
      };
      await send(snapshot({ status: 'working', items: [...longConversation(100), diff] }));
      await drawn(page);
      await scrollTo(page, 2_000);
      const before = await firstRow(page);
      await events({ type: 'tool', id: 'edit', change: { state: 'done', view: dateDiff } });
      await drawn(page);
      assert.deepEqual(await firstRow(page), before);
      await page.getByRole('status').getByText('Edited src/date.ts').waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await page.getByRole('region', { name: 'Changes in src/date.ts' }).waitFor();
    },
  },
];
