// The view of background work: by keyboard, whole in a narrow view, in every theme; and the facts of tasks that several share.
import assert from 'node:assert/strict';
import { type BackgroundItem } from '../../../src/shared/chat';
import { type TodoItem } from '../../../src/shared/tool-view';
import { type Check, focused, posts, axeFindings } from './checks';
import { finished, snapshot } from './conversations';
import { drawn, type Harness } from './harness';

const startedAt = Date.now() - 83_000;
export const background: BackgroundItem[] = [
  {
    id: 'bash_1',
    kind: 'command',
    title: 'npm run watch -- --project packages/server/tsconfig.json --pretty',
    startedAt,
    output: '/tmp/out/bash_1.out',
  },
  {
    id: 'a1',
    kind: 'agent',
    title: 'Explore: Find all callers of parseDate',
    now: 'Searching "parseDate" in packages/server/src/orders',
    startedAt: startedAt + 40_000,
    output: '/s/subagents/agent-a1.jsonl',
  },
  {
    id: 'a2',
    kind: 'teammate',
    title: 'finder: Finds the failing tests',
    now: 'Reading test/date.test.ts',
    startedAt: startedAt + 60_000,
    output: '/s/subagents/agent-a2.jsonl',
  },
  {
    id: 'a3',
    kind: 'teammate',
    title: 'writer: Writes the fix',
    idle: true,
    startedAt: startedAt + 61_000,
    output: '/s/subagents/agent-a3.jsonl',
  },
];
export const sharedTasks: TodoItem[] = [
  {
    content: '#1 Find the failing tests',
    activeForm: '#1 Finding the failing tests',
    status: 'completed',
    owner: 'finder',
  },
  { content: '#2 Write the fix', activeForm: '#2 Writing the fix', status: 'in_progress', owner: 'writer' },
  {
    content: '#3 Describe the fix in the changelog and in the documentation',
    activeForm: '#3 Describing it',
    status: 'pending',
    waitsFor: ['#2'],
  },
];

export async function showBackground({ send, answer, page }: Harness): Promise<void> {
  await send(snapshot({ ...finished, background, todos: sharedTasks, status: 'working' }));
  await page.getByRole('button', { name: /^Tasks/ }).click();
  await send({ type: 'showBackground' });
  await answer('backgroundLines', { bash_1: '10:02:11 - Found 0 errors. Watching for file changes.' });
  await page.getByText('Found 0 errors').waitFor();
}

export const backgroundChecks: Check[] = [
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `background work is whole at 300 px, and stopped by keyboard, ${theme}`,
    options: { theme, width: 300, height: 800 },
    run: async (harness) => {
      const { page } = harness;
      await showBackground(harness);
      await drawn(page);
      const list = page.getByRole('list', { name: 'Background work' });
      assert.equal(await list.getByRole('listitem').count(), 4);
      const wide = await page.evaluate(
        () =>
          [...document.querySelectorAll('.strip *')].filter((element) => element.getBoundingClientRect().right > 300.5)
            .length,
      );
      assert.equal(wide, 0, 'nothing reaches out of the view');
      assert.deepEqual(await axeFindings(page), []);
      assert.equal(
        await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
        'Open the output of npm run watch -- --project packages/server/tsconfig.json --pretty',
      );
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ path: string }>(harness, 'openFile')).path, '/tmp/out/bash_1.out');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ taskId: string }>(harness, 'stopTask')).taskId, 'bash_1');
      await page.getByText('Waits for messages').waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Background 4');
    },
  })),
  {
    name: 'background work is stopped all at once, and tasks say whose they are and what they wait for',
    options: { width: 300, height: 800 },
    run: async (harness) => {
      const { page } = harness;
      await showBackground(harness);
      const tasks = page.getByRole('list', { name: 'Tasks' });
      await tasks.getByText('writer', { exact: true }).waitFor();
      await tasks.getByText('waits for #2', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stop all' }).click();
      const stopped = (await harness.posted()).flatMap((message) =>
        message.type === 'stopTask' ? [message.taskId] : [],
      );
      assert.deepEqual(stopped, ['bash_1', 'a1', 'a2', 'a3']);
    },
  },
  {
    name: 'background work: the focus goes on to the next row, the twistie and the composer as rows end',
    options: { width: 300, height: 800 },
    run: async (harness) => {
      const { page, events } = harness;
      await showBackground(harness);
      const [command, agent, finder, writer] = background;
      const left = async (...items: (BackgroundItem | undefined)[]): Promise<string | null | undefined> => {
        await events({ type: 'background', background: items.filter((item) => item !== undefined) });
        await page
          .getByRole('button', { name: `Background ${items.length}` })
          .waitFor(items.length === 0 ? { state: 'detached' } : {});
        await drawn(page);
        return focused(page);
      };
      await page.getByRole('button', { name: `Stop ${agent?.title}` }).press('Enter');
      assert.equal(await left(command, finder, writer), `Stop ${finder?.title}`);
      assert.equal(await left(finder, writer), `Stop ${finder?.title}`, 'another row that ends takes nothing');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), `Stop ${writer?.title}`);
      assert.equal(await left(finder), 'Background 1', 'the last row');
      await left(finder, writer);
      await page.getByRole('button', { name: 'Stop all' }).press('Enter');
      assert.equal(await left(finder), 'Background 1', 'no more than one is stopped at once');
      assert.equal(await left(), 'Message');
    },
  },
];
