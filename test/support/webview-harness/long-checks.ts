// Long answers and long conversations: all of it is shown, the reader's place is kept, and the cost is printed.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type ChatEvent, type ChatItem } from '../../../src/shared/chat';
import { type Check, posts } from './checks';
import { longConversation, markdown, snapshot } from './conversations';
import { drawn } from './harness';

const log = (page: Page) => page.getByRole('log');
const distanceFromEnd = (page: Page) =>
  log(page).evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));

/** Resolves when the conversation has kept its height and its place for some frames. */
function settled(page: Page): Promise<void> {
  return log(page).evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        let last = '';
        let same = 0;
        const look = () => {
          const now = `${element.scrollTop} ${element.scrollHeight}`;
          same = now === last ? same + 1 : 0;
          last = now;
          if (same < 12) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
  );
}

/** Frames of the page until `done`: the longest task between two of them, in milliseconds. */
async function longTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    (window as unknown as { longTasks: number[] }).longTasks = tasks;
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: 'longtask',
    });
  });
  return () => page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
}

function answer(bytes: number): string {
  let text = '';
  for (let part = 0; text.length < bytes; part++)
    text += `${markdown}\nPart ${part}. ${'Some more words about it. '.repeat(part % 9)}\n\n`;
  return text.slice(0, bytes);
}

/** The moment in which the end of an answer is seen: after how long, and how much of the answer is there by then. */
interface Shown {
  ms: number;
  characters: number;
}

async function stream(page: Page, text: string, perFrame: number): Promise<Shown> {
  return page.evaluate(
    ([all, size]) =>
      new Promise<Shown>((resolve) => {
        const events = (list: ChatEvent[], from: number) =>
          window.postMessage({ type: 'events', epoch: 1, from, events: list }, '*');
        events([{ type: 'item', item: { kind: 'text', id: 'live', text: '', streaming: true } }], 0);
        let at = 0;
        let from = 1;
        const step = () => {
          if (at < all.length) {
            events([{ type: 'delta', id: 'live', text: all.slice(at, at + size) }], from++);
            at += size;
            setTimeout(step, 16);
            return;
          }
          const end = performance.now();
          events(
            [
              { type: 'delta', id: 'live', text: '\n\nThe very end.' },
              { type: 'block_end', id: 'live' },
            ],
            from,
          );
          // Told of each change at once: a look a frame later sees what was drawn after the end too.
          const observer = new MutationObserver(() => {
            if (![...document.querySelectorAll('.row-text')].at(-1)?.textContent?.includes('The very end.')) return;
            observer.disconnect();
            const characters = document.querySelector('#row-live')?.textContent?.length ?? 0;
            requestAnimationFrame(() => resolve({ ms: performance.now() - end, characters }));
          });
          observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        };
        step();
      }),
    [text, perFrame] as const,
  );
}

export const longChecks: Check[] = [
  {
    name: 'long conversations: the end is followed on after the view has grown, as when an approval goes',
    options: { height: 440 },
    run: async ({ send, events, page }) => {
      await send(snapshot({ items: longConversation(2), status: 'working' }));
      await settled(page);
      assert.equal(await distanceFromEnd(page), 0);
      // All of it is in sight now.
      await page.setViewportSize({ width: 420, height: 900 });
      await settled(page);
      const text = 'One more paragraph.\n\n'.repeat(24);
      await events({ type: 'item', item: { kind: 'text', id: 'more', text, streaming: false } });
      await settled(page);
      assert.equal(await distanceFromEnd(page), 0);
      await log(page).evaluate((element) => element.scrollBy(0, -100));
      await settled(page);
      await events({ type: 'item', item: { kind: 'text', id: 'most', text, streaming: false } });
      await settled(page);
      assert.ok((await distanceFromEnd(page)) > 100, 'who has scrolled up stays there');
    },
  },
  {
    name: 'a streamed answer of 100 KB is shown, and the reader stays at its end',
    run: async ({ send, page }) => {
      await send(snapshot({ status: 'working', items: longConversation(3) }));
      await drawn(page);
      const tasks = await longTasks(page);
      const { ms: shownAfter } = await stream(page, answer(100_000), 700);
      const long = (await tasks()).filter((duration) => duration > 50);
      console.log(
        `        shown ${Math.round(shownAfter)} ms after the last delta; tasks over 50 ms: ${long.map(Math.round).join(', ') || 'none'}`,
      );
      await drawn(page);
      assert.ok((await distanceFromEnd(page)) <= 12);
    },
  },
  {
    name: 'an answer of 100 KB that comes at once shows its end first, and all of it in the end',
    run: async ({ send, page }) => {
      const text = answer(100_000);
      await send(snapshot({ status: 'working', items: longConversation(3) }));
      await drawn(page);
      const tasks = await longTasks(page);
      const { ms: shownAfter, characters: early } = await stream(page, text, text.length);
      const shown = (): Promise<string> => page.evaluate(() => document.querySelector('#row-live')?.textContent ?? '');
      await page.waitForFunction(() =>
        [...document.querySelectorAll('#row-live .markdown-part')].every((part) => part.firstChild),
      );
      await settled(page);
      const long = (await tasks()).filter((duration) => duration > 50);
      console.log(
        `        its end shown ${Math.round(shownAfter)} ms after the last delta; tasks over 50 ms: ${long.map(Math.round).join(', ') || 'none'}`,
      );
      const distance = await distanceFromEnd(page);
      assert.ok(distance <= 12, `${distance} px from the end`);
      const all = await shown();
      // How much more there is by then depends on the machine.
      assert.ok(early < all.length, `${early} of ${all.length} characters were there with the end`);
      const slowly = `${text}\n\nThe very end.`;
      await send(snapshot({ items: [{ kind: 'text', id: 'live', text: slowly, streaming: false }] }));
      await page.waitForFunction(
        (length) => document.querySelector('#row-live')?.textContent?.length === length,
        all.length,
      );
      assert.equal(await shown(), all);
    },
  },
  {
    name: 'a streamed list and a streamed code block of 60 KB are shown',
    run: async ({ send, page }) => {
      await send(snapshot({ status: 'working', items: longConversation(1) }));
      await drawn(page);
      const tasks = await longTasks(page);
      const list = Array.from({ length: 700 }, (_, index) => `- point ${index} with **bold** and \`code\`\n\n`).join(
        '',
      );
      const code = `\n\`\`\`ts\n${'const value = compute(1, "two", three); // comment\n'.repeat(600)}\`\`\`\n`;
      const { ms: shownAfter } = await stream(page, list + code, 700);
      const long = (await tasks()).filter((duration) => duration > 50);
      console.log(
        `        shown ${Math.round(shownAfter)} ms after the last delta; tasks over 50 ms: ${long.map(Math.round).join(', ') || 'none'}`,
      );
      assert.equal(await page.locator('.markdown').last().locator('li').count(), 700);
    },
  },
  {
    name: 'a reload shows the same place of a long answer, also before all of it is drawn',
    run: async ({ send, page }) => {
      const items: ChatItem[] = [
        ...longConversation(2),
        { kind: 'text', id: 'long', text: answer(60_000), streaming: false },
      ];
      const place = () =>
        page.evaluate(() => Math.round(document.getElementById('row-long')?.getBoundingClientRect().top ?? 0));
      await send(snapshot({ items }));
      await drawn(page);
      await settled(page);
      const length = await page.evaluate(() => document.getElementById('row-long')?.textContent?.length ?? 0);
      await log(page).hover();
      await page.mouse.wheel(0, -1_500);
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      await settled(page);
      const before = await place();
      await page.waitForFunction((top) => {
        const { anchor } =
          (JSON.parse(sessionStorage.getItem('state') ?? '{}') as { anchor?: { offset: number } | null }) ?? {};
        return anchor && Math.abs(anchor.offset - top) < 100;
      }, before);
      await page.reload();
      await send(snapshot({ items }));
      await page.waitForFunction(
        (length) => document.getElementById('row-long')?.textContent?.length === length,
        length,
      );
      await settled(page);
      assert.ok(Math.abs((await place()) - before) <= 2, `moved from ${before} to ${await place()}`);
    },
  },
  {
    name: 'a reader who scrolled up stays where they are, and can jump to the end',
    run: async ({ send, page, events }) => {
      await send(snapshot({ status: 'working', items: longConversation(40) }));
      await drawn(page);
      assert.ok((await distanceFromEnd(page)) <= 12);
      await log(page).hover();
      await page.mouse.wheel(0, -600);
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      await settled(page);
      const place = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('[data-row]')]
            .map((row) => row.getBoundingClientRect().top)
            .find((top) => top > 50),
        );
      const before = await place();
      for (let part = 0; part < 10; part++) {
        await events({
          type: 'item',
          item: { kind: 'text', id: `new${part}`, text: 'A new paragraph.\n\n'.repeat(5), streaming: false },
        });
      }
      await drawn(page);
      assert.ok(Math.abs(((await place()) ?? 0) - (before ?? 0)) <= 1, 'the place moved');
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await drawn(page);
      assert.ok((await distanceFromEnd(page)) <= 12);
    },
  },
  {
    name: 'older items load when the reader nears the beginning, and keep the place',
    run: async (harness) => {
      const { send, page } = harness;
      const all = longConversation(60);
      await send(snapshot({ items: all.slice(91), olderItems: 91 }));
      await drawn(page);
      await log(page).evaluate((element) => element.scrollTo(0, 0));
      const request = await posts<{ before: string }>(harness, 'loadOlder');
      assert.equal(request.before, all[91]?.id);
      await settled(page);
      const place = () =>
        page.evaluate((id) => document.getElementById(`row-${id}`)?.getBoundingClientRect().top, all[93]?.id);
      const before = await place();
      await send({ type: 'older', epoch: 1, items: all.slice(0, 91), olderItems: 0 });
      await page.getByText('91 older entries').waitFor({ state: 'detached' });
      await drawn(page);
      const after = await place();
      assert.ok(Math.abs((after ?? 0) - (before ?? 0)) <= 2, `moved from ${before} to ${after}`);
    },
  },
];
