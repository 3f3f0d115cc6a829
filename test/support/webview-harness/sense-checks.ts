// Cards of the senses: tests as they run and as they ended, a task's problems, where a program stopped, cells, a page's picture.
import assert from 'node:assert/strict';
import { type ApprovalCard, type ToolItem } from '../../../src/shared/chat';
import { type ToolView } from '../../../src/shared/tool-view';
import { type Check, posts, axeFindings } from './checks';
import { finished, snapshot } from './conversations';
import { drawn } from './harness';
import { themeNames } from './themes';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const card = (id: string, now: string, past: string, view: ToolView, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: 'tool',
  id,
  name: id,
  sentence: { now, past },
  state: 'done',
  readOnly: false,
  detail: '',
  durationMs: 2_300,
  view,
  ...more,
});

const stop = [
  'Stopped at src/cart/total.js:4 in total (breakpoint).',
  '  3 |   for (const { price, count, discount } of list) sum += price * count * (1 - discount);',
  '> 4 |   return sum;',
  '  5 | }',
  'Local:',
  "  sum = '24'",
  "  list = [{price: 2, count: 1, discount: 0}, {price: '4', count: 1, discount: 0}]",
  'Called from src/main.js:6, node:internal 7 more.',
].join('\n');

const at = (path: string, line: number) => ({ shown: `${path}:${line}`, path, line });

const senseItems: readonly ToolItem[] = [
  card(
    'tests-running',
    'Running all tests',
    'Ran all tests',
    {
      kind: 'tests',
      passed: 14,
      failed: 1,
      skipped: 0,
      state: 'running',
      items: [
        {
          name: 'cart > adds prices that are texts',
          path: 'test/cart.test.mjs',
          line: 7,
          text: 'expected 6, actual 24',
        },
      ],
    },
    { state: 'running', detail: '14 passed, 1 failed', startedAt: 0 },
  ),
  card(
    'tests',
    'Running the tests in test/cart.test.mjs',
    'Ran the tests in test/cart.test.mjs',
    {
      kind: 'tests',
      passed: 41,
      failed: 2,
      skipped: 3,
      state: 'ran',
      items: [
        {
          name: 'cart > adds prices that are texts',
          path: 'test/cart.test.mjs',
          line: 7,
          text: 'expected 6, actual 24',
        },
        {
          name: 'orders > reminds of orders that are due since a week and are not paid',
          path: 'test/server/orders/reminders.test.mjs',
          line: 112,
          text: 'TypeError: Cannot read properties of undefined',
        },
      ],
    },
    { detail: '2 failed, 41 passed, 3 skipped' },
  ),
  card(
    'task',
    'Running the task lint',
    'Ran the task lint',
    {
      kind: 'report',
      about: 'task',
      text: 'The task "lint" ended with exit code 1. 2 problems since it began:\nsrc/cart/total.js:4 error The sum may be a text. (lint sum-type)\nsrc/a-very-long-folder-name/with-more/inside/of-it/main.js:12 warning Unused. (lint)',
      places: [at('src/cart/total.js', 4), at('src/a-very-long-folder-name/with-more/inside/of-it/main.js', 12)],
    },
    { detail: 'exit code 1, 2 problems' },
  ),
  card(
    'debugger',
    'Debugging src/main.js',
    'Debugged src/main.js',
    {
      kind: 'report',
      about: 'debugger',
      text: stop,
      places: [at('src/cart/total.js', 4), at('src/main.js', 6)],
    },
    { detail: 'at src/cart/total.js:4' },
  ),
  card(
    'cells',
    'Running the cells of prices.ipynb',
    'Ran the cells of prices.ipynb',
    { kind: 'report', about: 'notebook', text: 'load ran, with no output.\nsum ran:\n24', places: [] },
    { detail: '2 cells' },
  ),
  card('page', 'Opening localhost:3000/cart', 'Opened localhost:3000/cart', {
    kind: 'markdown',
    text: '```\n- heading "Your cart" [level=1] [ref=e2]\n- button "Pay for all that is in the cart of this shop" [ref=e9]\n```',
    about: 'web',
  }),
  card('picture', 'Taking a picture of the page', 'Took a picture of the page', {
    kind: 'picture',
    data: png,
    mediaType: 'image/png',
    width: 320,
    height: 200,
    words: 'Cart',
  }),
];

const approval = (id: string, title: string, view: ApprovalCard['view']): ApprovalCard => ({
  id,
  toolUseId: id,
  toolName: id,
  title,
  view,
  reason: 'No rule allows it.',
  hasDiff: false,
  suggestions: [],
});

export const senseApprovals: readonly ApprovalCard[] = [
  approval('RunTask', 'Run the task "lint"?', {
    kind: 'terminal',
    command: 'node lint.js',
    state: 'not-started',
    tail: '',
    bytes: 0,
  }),
  approval('RunCells', 'Run 2 cells of prices.ipynb', {
    kind: 'markdown',
    text: "load:\n\n```javascript\nconst prices = [2, '4'];\n```\n\nsum:\n\n```javascript\nprices.reduce((sum, price) => sum + price, 0);\n```",
  }),
];

const senseSnapshot = snapshot({ ...finished, items: [...senseItems] });

/** All of them unfolded. */
export async function showSenses({ send, page }: Parameters<Check['run']>[0]): Promise<void> {
  await send(senseSnapshot);
  for (const name of ['Debugged src/main.js', 'Ran the cells of prices.ipynb', 'Opened localhost:3000/cart'])
    await page.getByRole('button', { name: `Details of ${name}` }).click();
  await drawn(page);
}

export const senseChecks: readonly Check[] = [
  ...themeNames.map((theme): Check => ({
    name: `axe finds nothing: cards of the senses, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      await showSenses(harness);
      assert.deepEqual(await axeFindings(harness.page), []);
    },
  })),
  {
    name: 'senses: places in a report open their files by click and by key, and nothing scrolls sideways at 300 px',
    options: { width: 300 },
    run: async (harness) => {
      const { page } = harness;
      await showSenses(harness);
      const task = page.getByRole('group', { name: 'Ran the task lint' });
      // What a task has found is there without a click.
      await task.getByRole('link', { name: 'src/cart/total.js:4' }).click();
      assert.deepEqual(await posts(harness, 'openFile'), { type: 'openFile', path: 'src/cart/total.js', line: 4 });
      const stopped = page.getByRole('group', { name: 'Debugged src/main.js' });
      await stopped.getByRole('link', { name: 'src/main.js:6' }).press('Enter');
      assert.deepEqual(await posts(harness, 'openFile'), { type: 'openFile', path: 'src/main.js', line: 6 });
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.report, .found, .found-list, .code')].flatMap((element) =>
          element.scrollWidth > element.clientWidth + 1 ? [element.textContent.slice(0, 40)] : [],
        ),
      );
      assert.deepEqual(wide, []);
    },
  },
  {
    name: 'senses: rows of tests that still run open their files too',
    run: async (harness) => {
      await showSenses(harness);
      const running = harness.page.getByRole('group', { name: 'Running all tests' });
      await running.getByRole('link', { name: 'cart > adds prices that are texts' }).press('Enter');
      assert.deepEqual(await posts(harness, 'openFile'), { type: 'openFile', path: 'test/cart.test.mjs', line: 7 });
    },
  },
  {
    name: 'senses: an approval says what it runs by name, and offers no code to insert',
    run: async ({ send, page }) => {
      await send(snapshot({ ...finished, status: 'waiting', approvals: [...senseApprovals] }));
      await page.getByRole('heading', { name: 'Run the task "lint"?' }).waitFor();
      await send(snapshot({ ...finished, status: 'waiting', approvals: senseApprovals.slice(1) }));
      await page.getByText('prices.reduce').waitFor();
      const inApproval = page.getByRole('group', { name: /^Approve/ });
      assert.equal(await inApproval.getByRole('button', { name: 'Insert at cursor' }).count(), 0);
    },
  },
];
