// What a call is going to write, while it is written; and numbered links to what an answer cites.
import assert from 'node:assert/strict';
import { type ChatEvent, type ChatState, type ToolItem } from '../../../src/shared/chat';
import { countLines } from '../../../src/shared/writing';
import { type Check, posts, axeFindings } from './checks';
import { dateDiff, finished, snapshot } from './conversations';
import { drawn, type Harness } from './harness';

const call = (id: string, sentence: string): ToolItem => ({
  kind: 'tool',
  id,
  name: 'Write',
  sentence: { now: sentence, past: sentence },
  state: 'waiting',
  readOnly: false,
  detail: '',
});

const removed = 'export function parseDate(text: string): Date {\n  return new Date(text);\n}\n';
const added =
  'export function parseDate(text: string): Date {\n  if (text === "") return new Date(Number.NaN);\n  // A date without a zone is local time, which is what people write and what the importer has always assumed.\n  return parseISO(text);\n}\n';
const grown = (id: string, part: 'removed' | 'added', text: string): ChatEvent => ({
  type: 'writing',
  id,
  part,
  text,
  lines: countLines(text),
});

export const writing: Partial<ChatState> = {
  ...finished,
  status: 'working',
  items: [
    ...(finished.items ?? []).slice(0, 2),
    {
      ...call('w1', 'Writing src/date.ts …'),
      name: 'Edit',
      writing: { removed, added, removedLines: 3, addedLines: 5 },
    },
    {
      ...call('w2', 'Writing docs/a-much-longer-name/of-a-file-that-wraps.md …'),
      writing: {
        removed: '',
        added: Array.from({ length: 60 }, (_, line) => `Line ${line + 941} of a long text.\n`).join(''),
        removedLines: 0,
        addedLines: 1_000,
      },
    },
    {
      kind: 'text',
      id: 't9',
      streaming: false,
      text: 'Node 26 is the current line [1](<https://nodejs.org/en/about> "Source 1: Releases – “26 is current”"), and Node 24 gets fixes until 2028 [1](<https://nodejs.org/en/about> "Source 1: Releases") [2](</work/app/docs/node.md#L3> "Source 2: docs/node.md").',
    },
  ],
};

const height = ({ page }: Harness): Promise<number> =>
  page
    .locator('.writing')
    .first()
    .evaluate((element) => Math.round(element.getBoundingClientRect().height));
const fromEnd = ({ page }: Harness): Promise<number> =>
  page
    .locator('.writing')
    .first()
    .evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));
const spoken = ({ page }: Harness): Promise<string[]> => page.locator('.app > [role=status] p').allTextContents();

export const writingChecks: Check[] = [
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `what is being written, and sources, fit into 300 px and hold nothing serious, ${theme}`,
    options: { theme, width: 300 },
    run: async ({ page, send }) => {
      await send(snapshot(writing));
      await drawn(page);
      assert.equal(await page.getByRole('region', { name: /^Writing / }).count(), 2);
      assert.equal(await page.locator('.app').evaluate((element) => element.scrollWidth <= 300), true);
      assert.deepEqual(await axeFindings(page), []);
    },
  })),
  {
    name: 'a text that is written grows to a fixed height, stays at its end, is announced once, and gives way to the diff',
    run: async (harness) => {
      const { page, send, events } = harness;
      await send(snapshot({ ...finished, status: 'working' }));
      await events({ type: 'item', item: call('w', 'Write') });
      assert.equal(await page.locator('.writing').count(), 0);
      await events({
        type: 'tool',
        id: 'w',
        change: {
          sentence: { now: 'Writing src/a.ts …', past: 'Writing src/a.ts …' },
          writing: { removed: '', added: '', removedLines: 0, addedLines: 0 },
        },
      });
      await events(grown('w', 'added', 'one\n'));
      const card = page.getByRole('group', { name: 'Writing src/a.ts …' });
      await card.getByText('1 line', { exact: true }).waitFor();
      for (let line = 2; line <= 300; line += 10)
        await events(grown('w', 'added', Array.from({ length: 10 }, (_, index) => `line ${line + index}\n`).join('')));
      await card.getByText('301 lines', { exact: true }).waitFor();
      await drawn(page);
      const full = await height(harness);
      assert.deepEqual([full, await fromEnd(harness)], [146, 0]);
      await events(grown('w', 'added', 'and\nmore\n'));
      await card.getByText('303 lines', { exact: true }).waitFor();
      await drawn(page);
      assert.deepEqual([await height(harness), await fromEnd(harness)], [full, 0]);
      assert.ok((await page.locator('.writing tr').count()) <= 31);
      assert.equal((await spoken(harness)).filter((text) => text.startsWith('Writing src/a.ts')).length, 1);
      await events({
        type: 'tool',
        id: 'w',
        change: {
          state: 'done',
          view: { ...dateDiff, path: 'src/a.ts' },
          sentence: { now: 'Writing src/a.ts', past: 'Wrote src/a.ts' },
        },
      });
      await page.getByRole('region', { name: 'Changes in src/a.ts' }).waitFor();
      assert.equal(await page.locator('.writing').count(), 0);
    },
  },
  {
    name: '10,000 lines that are written are counted, few of them are held, and the longest task is told',
    run: async ({ page, send, events }) => {
      await send(snapshot({ ...finished, status: 'working' }));
      await events({ type: 'item', item: call('w', 'Writing src/long.ts …') });
      await drawn(page);
      const longest = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let longest = 0;
            new PerformanceObserver((list) =>
              list.getEntries().forEach(({ duration }) => (longest = Math.max(longest, duration))),
            ).observe({ type: 'longtask' });
            let line = 0;
            const step = (): void => {
              if (line >= 10_000) return void setTimeout(() => resolve(longest), 300);
              const text = Array.from(
                { length: 50 },
                () => `  const value${line++} = compute(${line}); // some words about it\n`,
              ).join('');
              window.postMessage(
                {
                  type: 'events',
                  epoch: 1,
                  from: line / 50,
                  events: [{ type: 'writing', id: 'w', part: 'added', text, lines: 50 }],
                },
                '*',
              );
              setTimeout(step, 16);
            };
            step();
          }),
      );
      await page.getByText('10000 lines', { exact: true }).waitFor();
      assert.ok((await page.locator('.writing tr').count()) <= 31);
      console.log(`    longest task while 10,000 lines came: ${Math.round(longest)} ms`);
    },
  },
  {
    name: 'sources are reached with the keyboard, named, and opened by the host',
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot(writing));
      const sources = page.locator('.citation [role=link]');
      await sources.first().waitFor();
      assert.deepEqual(
        await sources.evaluateAll((links) =>
          links.map((link) => `${link.textContent} ${link.getAttribute('aria-label')}`),
        ),
        ['1 Source 1: Releases – “26 is current”', '1 Source 1: Releases', '2 Source 2: docs/node.md'],
      );
      await sources.first().focus();
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ url: string }>(harness, 'openLink')).url, 'https://nodejs.org/en/about');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const { path, line } = await posts<{ path: string; line: number }>(harness, 'openFile');
      assert.deepEqual([path, line], ['/work/app/docs/node.md', 3]);
    },
  },
];
