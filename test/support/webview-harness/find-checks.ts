// The find bar: it finds in the whole session, leads to what is folded or not loaded, marks it, and gives the focus back.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type ChatItem } from '../../../src/shared/chat';
import { findItems } from '../../../src/vscode/chat/find/find-items';
import { type Check, inOwnPage, focused, axeFindings } from './checks';
import { cards, finished, longConversation, snapshot } from './conversations';
import { drawn, type Harness } from './harness';

const field = (page: Page) => page.getByRole('textbox', { name: 'Find', exact: true });
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const bar = (page: Page) => page.getByRole('search', { name: 'Find in the conversation' });

/** Answers as the host does, until the harness is closed; `items` are all that it holds. */
async function findHost(harness: Harness, items: readonly ChatItem[]): Promise<void> {
  await harness.page.exposeFunction(
    'hostAnswers',
    async (message: { type: string; request: number; words: string; before: string }) => {
      if (message.type === 'find' && message.words !== '') {
        const found =
          (await findItems(items, message.words, {
            signal: new AbortController().signal,
            counts: new WeakMap(),
            pause: async () => undefined,
            now: () => 0,
          })) ?? [];
        await harness.send({ type: 'answered', request: message.request, answer: found });
      }
      if (message.type === 'loadOlder') {
        const end = items.findIndex(({ id }) => id === message.before);
        const start = Math.max(0, end - 30);
        await harness.send({ type: 'older', epoch: 1, items: items.slice(start, end), olderItems: start });
      }
    },
  );
  await harness.page.evaluate(() => {
    const page = window as unknown as { posted: unknown[]; hostAnswers: (message: unknown) => Promise<void> };
    let answered = page.posted.length;
    setInterval(() => {
      for (; answered < page.posted.length; answered++) void page.hostAnswers(page.posted[answered]);
    }, 10);
  });
}

/** The count as it is read aloud. */
async function counts(page: Page, text: string): Promise<void> {
  await bar(page)
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${text}$`) })
    .waitFor();
}

/** What is marked, and the hit that the bar stands at. */
function marks(page: Page): Promise<{ all: number; current: string; inSight: boolean }> {
  return page.evaluate(() => {
    const ranges = [...(CSS.highlights.get('deft-find') ?? [])] as Range[];
    const [current] = [...(CSS.highlights.get('deft-find-current') ?? [])] as Range[];
    const view = document.querySelector('.transcript')?.getBoundingClientRect();
    const box = current?.getBoundingClientRect();
    return {
      all: ranges.length,
      current: current?.toString() ?? '',
      inSight: !!view && !!box && box.top >= view.top && box.bottom <= view.bottom,
    };
  });
}

async function settledMarks(
  page: Page,
  isRight: (now: Awaited<ReturnType<typeof marks>>) => boolean,
  what: string,
): Promise<void> {
  for (let look = 0; look < 60; look++) {
    const now = await marks(page);
    if (isRight(now)) return;
    await drawn(page);
  }
  assert.fail(`${what}: ${JSON.stringify(await marks(page))}`);
}

async function openFind(harness: Harness, words: string, items: readonly ChatItem[]): Promise<void> {
  await findHost(harness, items);
  await composer(harness.page).focus();
  await harness.page.keyboard.press('Control+f');
  await field(harness.page).fill(words);
}

/** For a picture: several hits, at one of them. */
export async function showFind(harness: Harness): Promise<void> {
  const items = [...longConversation(3), ...(finished.items ?? [])];
  await harness.send(snapshot({ ...finished, items }));
  await drawn(harness.page);
  await openFind(harness, 'date', items);
  await counts(harness.page, '.* of .*');
  await drawn(harness.page);
}

/** The message of the user's that has the focus. */
const focusedMessage = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.closest('.row-user')?.querySelector('.user-text')?.textContent);

const all: Check[] = [
  {
    name: 'messages: keys lead from one of the own messages to the next, and the host to one that is not loaded',
    options: { width: 300 },
    run: async (harness) => {
      const { page, send } = harness;
      const items = longConversation(60);
      const own = items.flatMap((item) => (item.kind === 'user' ? [item] : []));
      const start = items.findIndex(({ id }) => id === own[40]?.id);
      await findHost(harness, items);
      await send(snapshot({ items: items.slice(start), olderItems: start }));
      await drawn(page);
      await composer(page).focus();
      const press = async (key: string, index: number): Promise<void> => {
        await page.keyboard.press(key);
        await page.waitForFunction(
          (wanted) => document.activeElement?.closest('.row-user')?.querySelector('.user-text')?.textContent === wanted,
          own[index]?.text,
        );
      };
      await press('Alt+PageUp', 59);
      await press('Alt+PageUp', 58);
      await press('Alt+PageUp', 57);
      await press('Alt+PageDown', 58);
      await send({ type: 'goToItem', id: own[3]?.id ?? '' });
      await page.waitForFunction(
        (wanted) => document.activeElement?.closest('.row-user')?.querySelector('.user-text')?.textContent === wanted,
        own[3]?.text,
      );
      assert.equal(await focusedMessage(page), own[3]?.text);
      const box = await page.locator('.row-user:focus').boundingBox();
      const view = await page.getByRole('log').boundingBox();
      assert.ok(box && view && box.y >= view.y && box.y + box.height <= view.y + view.height, 'it is in sight');
    },
  },
  {
    name: 'find: the keys open, step and close, the count follows, the focus comes back',
    options: { width: 300 },
    run: async (harness) => {
      const { page, send, posted } = harness;
      const items = longConversation(12);
      await send(snapshot({ items, status: 'working' }));
      await drawn(page);
      const before = await page.getByRole('log').boundingBox();
      await openFind(harness, 'WHAT does part', items);
      assert.deepEqual(await page.getByRole('log').boundingBox(), before, 'the conversation keeps its place');
      await counts(page, '\\d+ of 12');
      await field(page).fill('question 11: what');
      await counts(page, '1 of 1');
      await field(page).fill('what does part');
      await counts(page, '12 of 12');
      await page.keyboard.press('Enter');
      await counts(page, '1 of 12');
      await settledMarks(page, (now) => now.current === 'what does part' && now.inSight, 'around the end');
      await page.keyboard.press('F3');
      await counts(page, '2 of 12');
      await page.keyboard.press('Shift+F3');
      await page.keyboard.press('Shift+Enter');
      await counts(page, '12 of 12');
      await field(page).fill('nowhere to be found');
      await counts(page, 'No results');
      assert.ok(await page.getByRole('button', { name: 'Next match' }).isDisabled());
      await page.keyboard.press('Escape');
      await bar(page).waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
      assert.equal(
        (await posted()).filter(({ type }) => type === 'stop').length,
        0,
        'Escape closes the bar and stops nothing',
      );
      assert.equal((await marks(page)).all, 0);
    },
  },
  {
    name: 'find: a hit of an older page is loaded, shown and marked',
    run: async (harness) => {
      const { page, send } = harness;
      const items = longConversation(120);
      await send(snapshot({ items: items.slice(-60), olderItems: 300 }));
      await drawn(page);
      await openFind(harness, 'Question 7: what', items);
      await counts(page, '1 of 1');
      await settledMarks(page, (now) => now.current === 'Question 7: what' && now.inSight, 'in the view');
      await field(page).fill('one thing');
      await counts(page, '\\d+ of 120');
      await settledMarks(page, (now) => now.all >= 2 && now.current === 'one thing', 'across bold words');
    },
  },
  {
    name: 'find: what is folded opens for its words',
    run: async (harness) => {
      const { page, send } = harness;
      const items = [
        ...longConversation(2),
        ...(cards.items ?? []),
        { kind: 'thinking', id: 'deep', text: 'A thought about wombats.', streaming: false } as const,
        ...Array.from({ length: 4 }, (_, index): ChatItem => ({
          kind: 'tool',
          id: `look${index}`,
          name: 'Grep',
          sentence: { now: 'Searching', past: `Searched part ${index}` },
          state: 'done',
          readOnly: true,
          detail: '',
          view: {
            kind: 'matches',
            pattern: 'x',
            matches: 1,
            files: 1,
            truncated: false,
            items: [{ path: `src/${index}.ts`, line: 1, text: `a quokka number ${index}` }],
          },
        })),
      ];
      await send(snapshot({ items }));
      await drawn(page);
      await openFind(harness, 'wombats', items);
      await settledMarks(page, (now) => now.current === 'wombats' && now.inSight, 'in thinking');
      await field(page).fill('quokka number 2');
      await counts(page, '1 of 1');
      await settledMarks(
        page,
        (now) => now.current === 'quokka number 2' && now.inSight,
        'in a search within folded looks',
      );
    },
  },
  {
    name: 'find: while an answer grows it is searched again, at most a few times a second, and the view stays',
    run: async (harness) => {
      const { page, send, events, posted } = harness;
      const items: ChatItem[] = [...longConversation(20), { kind: 'text', id: 'live', text: '', streaming: true }];
      await send(snapshot({ items, status: 'working' }));
      await drawn(page);
      const live = items.at(-1) as Extract<ChatItem, { kind: 'text' }>;
      await openFind(harness, 'question 3:', items);
      await counts(page, '1 of 1');
      const place = () => page.getByRole('log').evaluate((element) => element.scrollTop);
      await settledMarks(page, (now) => now.inSight, 'in the view');
      const before = (await posted()).filter(({ type }) => type === 'find').length;
      const at = await place();
      const start = Date.now();
      for (let part = 0; part < 40; part++) {
        live.text += 'Again question 3: it is. ';
        await events({ type: 'delta', id: 'live', text: 'Again question 3: it is. ' });
      }
      await counts(page, '1 of 41');
      const again = (await posted()).filter(({ type }) => type === 'find').length - before;
      assert.ok(again <= (Date.now() - start) / 500 + 1, `${again} searches in ${Date.now() - start} ms`);
      assert.ok(Math.abs((await place()) - at) <= 1, 'the view moved');
    },
  },
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `find: whole at 300 px and axe finds nothing, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      const items = longConversation(12);
      await harness.send(snapshot({ items }));
      await openFind(harness, 'part', items);
      await counts(harness.page, '\\d+ of \\d+');
      for (const part of [
        bar(harness.page),
        field(harness.page),
        harness.page.getByRole('button', { name: 'Close' }),
      ]) {
        const box = await part.boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= 300 && box.width >= 20, JSON.stringify(box));
      }
      assert.ok(((await field(harness.page).boundingBox())?.width ?? 0) >= 90, 'words can be read');
      assert.deepEqual(await axeFindings(harness.page), []);
    },
  })),
  {
    name: 'find: where the browser cannot mark texts, the items get an outline',
    run: async (harness) => {
      const { page, send } = harness;
      await page.addInitScript(() => Reflect.deleteProperty(window, 'Highlight'));
      await page.reload();
      const items = longConversation(12);
      await send(snapshot({ items }));
      await drawn(page);
      await openFind(harness, 'question 11', items);
      await page.locator('[data-found=current]', { hasText: 'Question 11' }).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('[data-found]').count(), 0);
    },
  },
];

export const findChecks: readonly Check[] = all.map(inOwnPage);
