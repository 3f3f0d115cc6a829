// What a user does with a question of the agent, and what is posted for it.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type Check, posts, axeFindings } from './checks';
import { approvals, finished, questions, snapshot, todos } from './conversations';
import { drawn, type Harness } from './harness';

interface Answer {
  questionId: string;
  answer: { behavior: string; answers?: Record<string, string> };
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
  await drawn(page);
};

async function ask(harness: Harness): Promise<void> {
  await harness.send(snapshot({ ...finished, status: 'waiting', questions, todos }));
  await harness.page.getByRole('textbox', { name: 'Message', exact: true }).focus();
}

const budget = {
  id: 'b',
  toolUseId: 'b',
  closeLabel: 'Stop',
  questions: [
    {
      question: 'This session has used $4.00 of $5.00. The next request would probably exceed it. Continue?',
      header: 'Budget',
      options: [
        { label: 'Continue up to $10.00', description: 'Deft asks again before that limit is exceeded.' },
        { label: 'Continue without a limit', description: 'Deft will not ask again in this session.' },
        { label: 'Stop here', description: 'The turn ends here. What was done so far is kept.' },
      ],
      multiSelect: false,
      otherHint: 'An amount, such as 20',
    },
  ],
};

export const questionChecks: Check[] = [
  ...[600, 700].map((height): Check => ({
    name: `question of the budget: its buttons are in sight at 300 x ${height}, and its field and its close button say what they take`,
    options: { width: 300, height },
    run: async (harness) => {
      const { page } = harness;
      await harness.send(snapshot({ ...finished, status: 'waiting', questions: [budget], todos }));
      await page.getByPlaceholder('An amount, such as 20').waitFor({ state: 'attached' });
      const card = page.getByRole('group', { name: /^Question:/ });
      const stop = card.getByRole('button', { name: 'Stop' });
      const [around, button] = [await card.boundingBox(), await stop.boundingBox()];
      assert.ok(
        around && button && button.y + button.height <= around.y + around.height && button.y > around.y,
        JSON.stringify([around, button]),
      );
      assert.deepEqual(await axeFindings(page), []);
      await page.getByRole('textbox', { name: 'Other answer' }).fill('20');
      await page.getByRole('textbox', { name: 'Other answer' }).focus();
      await stop.click();
      assert.deepEqual((await posts<Answer>(harness, 'answer')).answer, { behavior: 'dismissed' });
    },
  })),
  {
    name: 'a question is answered by keys alone, and the focus comes back to the message',
    run: async (harness) => {
      const { page } = harness;
      await ask(harness);
      await press(page, 'ArrowUp');
      assert.equal(await focused(page), 'Side bar (Recommended)');
      await press(page, 'ArrowDown', 'Enter');
      assert.equal(await focused(page), 'CSV');
      await press(page, 'ArrowUp');
      assert.equal(await focused(page), 'Other');
      await press(page, 'ArrowDown', 'Space', 'ArrowDown', 'ArrowDown', 'Space');
      await page.getByRole('checkbox', { name: 'Other' }).focus();
      await page.keyboard.type('XML');
      assert.equal(await focused(page), 'Other answer');
      await press(page, 'Enter');
      const { answer } = await posts<Answer>(harness, 'answer');
      assert.deepEqual(answer, {
        behavior: 'answered',
        answers: {
          'How should the page be laid out?': 'Tabs',
          'Which formats should the export know?': 'CSV, PDF, XML',
        },
      });
      assert.equal(await focused(page), 'Message');
    },
  },
  {
    name: 'Escape in a question dismisses it, once, and does not stop the turn, even pressed twice',
    run: async (harness) => {
      await ask(harness);
      await press(harness.page, 'ArrowUp', 'Escape', 'Escape');
      assert.deepEqual((await posts<Answer>(harness, 'answer')).answer, { behavior: 'dismissed' });
      assert.deepEqual(
        (await harness.posted()).filter(({ type }) => type === 'stop'),
        [],
      );
      assert.equal(await harness.page.getByRole('button', { name: 'Next' }).isDisabled(), true);
    },
  },
  {
    name: 'an approval comes before a question',
    run: async ({ send, page }) => {
      await send(snapshot({ ...finished, status: 'waiting', questions, approvals }));
      await page.getByRole('group', { name: /^Approve: / }).waitFor();
      assert.equal(await page.getByRole('group', { name: /^Question: / }).count(), 0);
    },
  },
  {
    name: 'tasks that are done go with their turn',
    run: async ({ send, page }) => {
      const done = todos.map((todo) => ({ ...todo, status: 'completed' as const }));
      await send(snapshot({ todos: done, status: 'working' }));
      await page.getByRole('button', { name: 'Tasks 3/3' }).click();
      assert.equal(await page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').count(), 3);
      await send(snapshot({ todos: done, status: 'idle' }, {}, 2));
      await page.getByRole('button', { name: /^Tasks/ }).waitFor({ state: 'detached' });
    },
  },
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `axe finds nothing: a question and tasks, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      const { page } = harness;
      await ask(harness);
      await page.getByRole('button', { name: 'Tasks 1/3' }).click();
      assert.deepEqual(await axeFindings(page), []);
      await page.getByRole('radio', { name: 'Tabs' }).click();
      assert.deepEqual(await axeFindings(page), []);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('checkbox', { name: 'CSV' }).click();
      await drawn(page);
      assert.deepEqual(await axeFindings(page), []);
    },
  })),
  {
    name: 'forced colours: a chosen option is told apart, and the focus is outlined',
    options: { forcedColors: true },
    run: async (harness) => {
      const { page } = harness;
      await ask(harness);
      await press(page, 'ArrowUp', 'ArrowDown');
      const dot = await page.getByRole('radio', { name: 'Tabs' }).evaluate((radio) => {
        const drawnDot = getComputedStyle(radio, '::before');
        return {
          border: drawnDot.borderTopColor,
          behind: getComputedStyle(radio).backgroundColor,
          ring: getComputedStyle(radio).outlineStyle,
        };
      });
      assert.notEqual(dot.border, dot.behind);
      assert.equal(dot.ring, 'solid');
    },
  },
];
