// What runs alongside the conversation: the panel of side questions, and the goal and the loop in the strip.
import assert from 'node:assert/strict';
import { type NoticeItem } from '../../../src/shared/chat';
import { type Check, focused, posts, axeFindings } from './checks';
import { goalLine, loopLine, sideWork, snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';

const fits: Check[] = (['dark', 'light', 'contrast'] as const).map((theme): Check => ({
  name: `side questions, goal and loop fit into 300 px, send what was pressed and keep the focus, ${theme}`,
  options: { theme, width: 300 },
  run: async (harness) => {
    const { page, send } = harness;
    await send(snapshot(sideWork));
    const panel = page.getByRole('region', { name: 'Side questions' });
    await panel.waitFor();
    await drawn(page);
    const place = await panel.boundingBox();
    assert.ok(place !== null && place.x >= 0 && place.x + place.width <= 300, JSON.stringify(place));
    assert.deepEqual(
      await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => element.scrollLeft > 0).length),
      0,
      'nothing has scrolled sideways',
    );
    assert.deepEqual(await axeFindings(page), []);
    await send({ type: 'events', epoch: 1, from: 0, events: [{ type: 'sideText', text: ' and the **offset**' }] });
    await panel.getByText('offset', { exact: true }).waitFor();
    await panel.getByRole('textbox', { name: 'Another side question' }).fill('And DST?');
    await page.keyboard.press('Enter');
    assert.equal((await posts<{ text: string }>(harness, 'side')).text, 'And DST?');
    await page.getByRole('button', { name: 'Stop the loop' }).click();
    assert.equal((await posts<{ taskId: string }>(harness, 'stopTask')).taskId, 'loop');
    await send({
      type: 'events',
      epoch: 1,
      from: 1,
      events: [
        { type: 'side', side: [] },
        { type: 'line', id: 'goal', line: null },
        { type: 'line', id: 'loop', line: null },
      ],
    });
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Goal' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  },
}));

const all = async ({ posted }: Harness, type: string): Promise<number> =>
  (await posted()).filter((message) => message.type === type).length;

/** What is announced to screen readers. */
const spoken = ({ page }: Harness): Promise<string[]> => page.locator('.app > [role=status] p').allTextContents();

export const sideChecks: Check[] = [
  ...fits,
  {
    name: 'side questions: Esc closes them before it stops the agent, and empties their field first',
    run: async (harness) => {
      const { page, send, events } = harness;
      await send(snapshot({ ...sideWork, status: 'working' }));
      const panel = page.getByRole('region', { name: 'Side questions' });
      await page.getByRole('textbox', { name: 'Message', exact: true }).press('Escape');
      await panel.waitFor({ state: 'detached' });
      assert.deepEqual([(await posts<{ text: string }>(harness, 'side')).text, await all(harness, 'stop')], ['', 0]);
      await page.keyboard.press('Escape');
      await posts(harness, 'stop');
      assert.deepEqual([await all(harness, 'side'), await all(harness, 'stop')], [1, 1]);
      await events({ type: 'side', side: sideWork.side ?? [] });
      const field = panel.getByRole('textbox', { name: 'Another side question' });
      await field.fill('And DST?');
      await field.press('Escape');
      assert.equal(await field.inputValue(), '');
      assert.equal(await all(harness, 'side'), 1, 'the first Esc only empties the field');
      await field.press('Escape');
      await panel.waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
      assert.deepEqual([await all(harness, 'side'), await all(harness, 'stop')], [2, 1]);
    },
  },
  {
    name: 'side questions: answers are spoken in whole blocks, once, and a second question is shown at once',
    run: async (harness) => {
      const { page, send, events } = harness;
      await send(snapshot({ ...working, side: [{ question: 'First?', answer: 'An old answer.', state: 'done' }] }));
      const list = page.getByRole('log', { name: 'Answers to side questions' });
      assert.equal(await list.getAttribute('aria-live'), 'off');
      const asked = [
        { question: 'First?', answer: 'An old answer.', state: 'done' as const },
        { question: 'Second?', answer: '', state: 'asking' as const },
        { question: 'Third?', answer: '', state: 'asking' as const },
      ];
      await events({ type: 'side', side: asked });
      await list.getByText('Third?').waitFor();
      await events({ type: 'sideText', text: 'One whole' });
      await events({ type: 'sideText', text: ' block.\n\nAnd' });
      await events({ type: 'sideText', text: ' the end.' });
      await list.getByText('And the end.').waitFor();
      await events({
        type: 'side',
        side: asked.map((one) =>
          one.question === 'Second?'
            ? { ...one, answer: 'One whole block.\n\nAnd the end.', state: 'done' as const }
            : one,
        ),
      });
      await page.locator('.app > [role=status]').getByText('And the end.').waitFor({ state: 'attached' });
      assert.deepEqual(await spoken(harness), ['One whole block.', 'And the end.']);
      await events({
        type: 'side',
        side: [...asked.slice(0, 2), { question: 'Third?', answer: 'The model did not answer.', state: 'failed' }],
      });
      await page.locator('.app > [role=status]').getByText('The model did not answer.').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'side questions: the reader keeps their place while an answer grows, and follows at the end',
    options: { height: 600 },
    run: async ({ page, send, events }) => {
      await send(
        snapshot({
          ...working,
          side: [
            { question: 'First?', answer: 'A line.\n\n'.repeat(30), state: 'done' },
            { question: 'Second?', answer: '', state: 'asking' },
          ],
        }),
      );
      const list = page.getByRole('log', { name: 'Answers to side questions' });
      const left = () => list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
      await drawn(page);
      assert.ok((await left()) <= 1, 'it begins at its end');
      for (let count = 0; count < 10; count++) await events({ type: 'sideText', text: `Part ${count} of it.\n\n` });
      await list.getByText('Part 9 of it.').waitFor();
      await drawn(page);
      assert.ok((await left()) <= 1, 'it follows what is written');
      await list.evaluate((element) => element.scrollTo(0, 40));
      await drawn(page);
      for (let count = 10; count < 20; count++) await events({ type: 'sideText', text: `Part ${count} of it.\n\n` });
      await list.getByText('Part 19 of it.').waitFor();
      await drawn(page);
      assert.equal(await list.evaluate((element) => element.scrollTop), 40);
      await events({
        type: 'side',
        side: [
          { question: 'First?', answer: 'A line.\n\n'.repeat(30), state: 'done' },
          { question: 'Second?', answer: 'Yes.', state: 'done' },
          { question: 'Third?', answer: '', state: 'asking' },
        ],
      });
      await list.getByText('Third?').waitFor();
      await drawn(page);
      assert.ok((await left()) <= 1, 'a question that was asked is gone to');
    },
  },
  {
    name: 'goal and loop: what ends is spoken, the focus goes to the composer, and the loop says how far it is',
    options: { width: 300 },
    run: async (harness) => {
      const { page, send, events } = harness;
      const loop = { ...loopLine, progress: 'every 5m, starts after this turn' };
      await send(snapshot({ ...working, lines: [goalLine, loop] }));
      const region = page.getByRole('region', { name: 'Loop', exact: true });
      await region.getByText('every 5m, starts after this turn', { exact: true }).waitFor();
      await events({ type: 'line', id: 'loop', line: { ...loopLine, nextAt: Date.now() + 120_000 } });
      await region.getByText(/^round 3, every 5m, next in /).waitFor();
      const goal = page.getByRole('region', { name: 'Goal' });
      const words = goal.getByText(goalLine.text, { exact: true });
      assert.ok(
        await words.evaluate((element) => element.scrollHeight > element.clientHeight + 1),
        'it is too long for two lines',
      );
      await goal.getByRole('button', { name: 'Goal', exact: true }).press('Enter');
      assert.ok(
        await words.evaluate((element) => element.scrollHeight <= element.clientHeight + 1),
        'all of it can be read',
      );
      await goal.getByRole('button', { name: 'Clear the goal' }).press('Enter');
      await events({ type: 'line', id: 'goal', line: null });
      await goal.waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
      await page.getByRole('button', { name: 'Stop the loop' }).press('Enter');
      await events({ type: 'line', id: 'loop', line: null });
      await region.waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
      assert.deepEqual((await spoken(harness)).slice(-2), ['Goal cleared', 'Loop stopped']);
    },
  },
  {
    name: 'notices are spoken as they come, and not those that were there',
    run: async (harness) => {
      const { page, send, events } = harness;
      const notice = (id: string, title: string): NoticeItem => ({
        kind: 'notice',
        id,
        level: 'info',
        title,
        detail: 'From the next request on.',
      });
      await send(snapshot({ ...working, items: [...(working.items ?? []), notice('n1', 'Effort: low')] }));
      await events({ type: 'item', item: notice('n2', 'Effort: high') });
      await page.locator('.app > [role=status]').getByText('Effort: high').waitFor({ state: 'attached' });
      assert.deepEqual(
        (await spoken(harness)).filter((text) => text.includes('Effort')),
        ['Note: Effort: high. From the next request on.'],
      );
    },
  },
  {
    name: 'the strip has a frame of its own over side questions',
    options: { width: 300 },
    run: async ({ page, send }) => {
      await send(snapshot(sideWork));
      const [strip, side] = [await page.locator('.strip').boundingBox(), await page.locator('.side').boundingBox()];
      assert.ok(
        strip !== null &&
          side !== null &&
          side.y - strip.y - strip.height >= 7 &&
          strip.x === side.x &&
          strip.width === side.width,
        JSON.stringify([strip, side]),
      );
      assert.equal(
        await page.locator('.strip').evaluate((element) => getComputedStyle(element).borderBottomWidth),
        '1px',
      );
    },
  },
];
