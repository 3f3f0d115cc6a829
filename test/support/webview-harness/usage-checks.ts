// The page of usage: costs and context in tables that a narrow view, a screen reader and a clipboard can take.
import assert from 'node:assert/strict';
import { type ContextReport, type UsageReport, type UsageRow } from '../../../src/shared/usage-view';
import { type Check, focused, posts, axeFindings } from './checks';
import { snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';

const row = (name: string, costUsd: number, more: Partial<UsageRow> = {}): UsageRow => ({
  name,
  replies: 3,
  plain: 12_000,
  cacheRead: 340_000,
  cacheWritten: 22_000,
  output: 9_800,
  costUsd,
  costKnown: true,
  ...more,
});

export const usageReport: UsageReport = {
  total: row('All', 3.4517, { costKnown: false }),
  byModel: [row('Opus 5', 3.21), row('Haiku 4.5', 0.0123), row('local-model', 0, { costKnown: false })],
  background: [
    row('Explore: find where dates are parsed without a zone in the whole of the project', 0.41),
    row('Compaction', 0.2),
  ],
  turns: [
    row('Mend the date parser for leap years, please, and say in a comment why a date without a zone is local', 1.1),
    row('And now the tests', 2.3),
  ],
  olderTurns: 12,
  tools: [
    { name: 'Read', calls: 24, tokens: 88_000, costUsd: 0.61, costKnown: true },
    { name: 'mcp__issues__list_everything', calls: 2, tokens: 4_000, costUsd: 0.03, costKnown: true },
  ],
  apiMs: 380_000,
  searches: 2,
  fastReplies: 1,
};

export const contextReport: ContextReport = {
  model: 'Opus 5',
  window: 200_000,
  parts: [
    { name: 'Instructions', tokens: 2_300 },
    { name: 'Built-in tools', tokens: 9_700 },
    { name: 'Tools of everything', tokens: 4_100 },
    { name: 'Memory files and rules', tokens: 3_000 },
    { name: 'What you wrote, with attachments and reminders', tokens: 8_000 },
    { name: 'Tool results', tokens: 71_000 },
  ],
  used: 98_000,
  compactsAt: 155_000,
  counted: 'estimate',
};

export async function showUsage({ send, answer, page }: Harness, part: 'cost' | 'context'): Promise<void> {
  await send(snapshot({ ...working, status: 'idle' }));
  await send({ type: 'showUsage', part });
  await answer('usage', { usage: usageReport, context: contextReport });
  await page.getByRole('table').first().waitFor();
}

const overflow = ({ page }: Harness): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.usage, .usage *')].some(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 &&
        getComputedStyle(element).overflowX !== 'visible' &&
        !element.classList.contains('usage-name'),
    ),
  );

/** Cells of numbers and headers that take more than one line. */
const broken = ({ page }: Harness): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.usage-table :is(td, thead th)')].flatMap((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size > 1
        ? [cell.textContent ?? '']
        : [];
    }),
  );

/** Names that are cut so short that nobody knows them. */
const narrowest = ({ page }: Harness): Promise<number> =>
  page.evaluate(() =>
    Math.min(
      ...[...document.querySelectorAll('.usage-table tbody th')].map((cell) => cell.getBoundingClientRect().width),
    ),
  );

export const usageChecks: readonly Check[] = [
  ...[300, 480].map((width): Check => ({
    name: `usage: no number and no header breaks at ${width} px, and names keep their room`,
    options: { width },
    run: async (harness) => {
      for (const part of ['cost', 'context'] as const) {
        await showUsage(harness, part);
        await drawn(harness.page);
        assert.deepEqual(await broken(harness), [], part);
        const width = await narrowest(harness);
        assert.ok(width > 70, `${part}: ${width}`);
        assert.equal(await overflow(harness), false, part);
        await harness.page.keyboard.press('Escape');
      }
    },
  })),
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `usage: axe finds nothing and nothing runs over at 300 px, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      for (const part of ['cost', 'context'] as const) {
        await showUsage(harness, part);
        await drawn(harness.page);
        assert.deepEqual(await axeFindings(harness.page), []);
        assert.equal(await overflow(harness), false, part);
        await harness.page.keyboard.press('Escape');
      }
    },
  })),
  ...[false, true].map((forcedColors): Check => ({
    name: `usage: bars of the context are filled, ${forcedColors ? 'with forced colours' : 'whatever the theme names'}`,
    options: { forcedColors },
    run: async (harness) => {
      const { page } = harness;
      await showUsage(harness, 'context');
      if (!forcedColors)
        await page.evaluate(() => document.documentElement.style.removeProperty('--vscode-progressBar-background'));
      const fills = await page
        .locator('.usage-bar span')
        .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundColor));
      const own = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(fills.length, 7);
      assert.deepEqual(
        fills.slice(0, -1).filter((fill) => fill === own || fill === 'rgba(0, 0, 0, 0)'),
        [],
      );
      assert.equal(fills.at(-1), 'rgba(0, 0, 0, 0)', 'what is free is no fill');
    },
  })),
  {
    name: 'usage: tables have names, rows and columns; Esc goes back to the message',
    run: async (harness) => {
      const { page } = harness;
      await showUsage(harness, 'cost');
      assert.equal(await focused(page), 'Cost');
      assert.deepEqual(await page.getByRole('table', { name: 'By model' }).getByRole('rowheader').allInnerTexts(), [
        'Opus 5',
        'Haiku 4.5',
        'local-model',
      ]);
      await page
        .getByRole('table', { name: /^Tool results/ })
        .getByRole('row', { name: /^Read 24 88k \$0\.61/ })
        .waitFor();
      await page.getByText('at least $3.45', { exact: true }).waitFor();
      await page.getByText('12 older turns are counted in the total only.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('main', { name: 'Usage of this session' }).waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
    },
  },
  {
    name: 'usage: the context is counted on request, and compacted from there',
    run: async (harness) => {
      const { page, answer } = harness;
      await showUsage(harness, 'context');
      const table = page.getByRole('table', { name: 'What the next request contains' });
      await table.getByRole('row', { name: 'Free 102,000 51.0%' }).waitFor();
      await page.getByRole('button', { name: 'Count exactly' }).click();
      assert.deepEqual(await posts(harness, 'usage'), { type: 'usage', count: true });
      await page.getByText('The API counts…').waitFor();
      const button = page.getByRole('button', { name: 'Count exactly' });
      assert.equal(await focused(page), 'Count exactly', 'the focus stays');
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      await page.keyboard.press('Enter');
      assert.equal(
        (await harness.posted()).filter((message) => message.type === 'usage' && message.count).length,
        1,
        'one count at a time',
      );
      await answer('usage', {
        usage: usageReport,
        context: { ...contextReport, used: 90_000, counted: 'counted' },
      });
      const line = (text: RegExp) => page.locator('.usage p').filter({ hasText: text });
      await line(/^90,000 of 200,000 tokens of Opus 5\. Counted by the API/).waitFor();
      await page
        .locator('[aria-live]')
        .getByText(/^90,000 of 200,000 tokens of Opus 5\. Counted by the API/)
        .waitFor({ state: 'attached' });
      assert.equal(await focused(page), 'Count exactly');
      await page.keyboard.press('Enter');
      await answer('usage', { usage: usageReport, context: { ...contextReport, counted: 'failed' } });
      await page
        .locator('[aria-live]')
        .getByText(/Estimated: the API did not count\.$/)
        .waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Compact', exact: true }).click();
      await posts(harness, 'compact');
      await page.getByRole('main', { name: 'Usage of this session' }).waitFor({ state: 'detached' });
    },
  },
];
