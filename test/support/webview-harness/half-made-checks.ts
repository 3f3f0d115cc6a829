// What is half made is neither sent unseen nor lost: approvals on other pages, typed reasons, and everything that a hidden view takes along.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type WebviewMessage } from '../../../src/shared/protocol';
import { type Check, focused, posts, axeFindings } from './checks';
import { approvals, finished, planCard, questions, snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';

const textbox = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const why = (page: Page) => page.getByRole('textbox', { name: 'Tell the agent why' });
const decisions = async ({ posted }: Harness) => (await posted()).filter(({ type }) => type === 'decide');
const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => sessionStorage.getItem('state')?.includes(part), text);

export const halfMadeChecks: Check[] = [
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `an approval is answered by keys only where it is seen, and the other pages lead to it, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({ ...working, approvals }));
      for (const show of ['showHistory', 'showMcp'] as const) {
        await send({ type: show });
        await page.getByRole('button', { name: 'Deft asks for your approval' }).waitFor();
        await page.keyboard.press('Alt+Enter');
        await page.keyboard.press('Alt+Backspace');
        assert.deepEqual(await decisions(harness), []);
      }
      await send({ type: 'showUsage', part: 'cost' });
      await page.getByRole('button', { name: 'Copy as text' }).or(page.getByText('Loading…')).waitFor();
      await page.keyboard.press('Alt+Enter');
      assert.deepEqual(await decisions(harness), []);
      assert.deepEqual(await axeFindings(page), []);
      await page.getByRole('button', { name: 'Deft asks for your approval' }).click();
      await page.getByRole('group', { name: /^Approve/ }).waitFor();
      await drawn(page);
      assert.equal(await focused(page), 'Message');
      await page.keyboard.press('Alt+Enter');
      assert.equal((await decisions(harness)).length, 1);
    },
  })),
  ...[approvals[0], planCard].flatMap((card) =>
    card === undefined
      ? []
      : [
          {
            name: `a typed reason goes along with Alt+Backspace: ${card.title}`,
            run: async (harness: Harness) => {
              const { send, page } = harness;
              await send(snapshot({ ...working, approvals: [card] }));
              await why(page).fill('use another way');
              await textbox(page).focus();
              await page.keyboard.press('Alt+Backspace');
              assert.deepEqual(await posts(harness, 'decide'), {
                type: 'decide',
                approvalId: card.id,
                decision: { behavior: 'reject', feedback: 'use another way' },
              });
              await harness.events({ type: 'approvals', approvals: [] });
              await drawn(page);
              assert.equal(await textbox(page).inputValue(), '', 'They are sent.');
            },
          },
          {
            name: `words typed into a card that is accepted go along: ${card.title}`,
            run: async (harness: Harness) => {
              const { send, page } = harness;
              await send(snapshot({ ...working, approvals: [card] }));
              await textbox(page).fill('And then');
              await why(page).fill('name it parseDay');
              await page.keyboard.press('Alt+Enter');
              assert.deepEqual(await posts(harness, 'decide'), {
                type: 'decide',
                approvalId: card.id,
                decision: { behavior: 'accept', words: 'name it parseDay' },
              });
              await harness.events({ type: 'approvals', approvals: [] });
              await drawn(page);
              assert.equal(await textbox(page).inputValue(), 'And then', 'They are sent.');
            },
          },
        ],
  ),
  {
    name: 'words typed into a card that is settled elsewhere stay in the message, with the focus',
    run: async ({ send, page, events }) => {
      await send(snapshot({ ...working, approvals }));
      await why(page).fill('not this file');
      await events({ type: 'approvals', approvals: [] });
      await why(page).waitFor({ state: 'detached' });
      await drawn(page);
      assert.equal(await textbox(page).inputValue(), 'not this file');
      assert.equal(await focused(page), 'Message');
    },
  },
  {
    name: 'a hidden view comes back with words, images and the choice of what is not sent',
    run: async (harness) => {
      const { send, page, answer } = harness;
      await send(snapshot({ ...working, approvals }));
      await page.getByRole('button', { name: 'Do not send src/date.ts:12-30' }).click();
      await page.evaluate(async () => {
        const canvas = document.createElement('canvas');
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
        const data = new DataTransfer();
        data.items.add(new File(blob ? [blob] : [], 'shot.png', { type: 'image/png' }));
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
      await page.getByRole('img', { name: 'shot.png' }).waitFor();
      await why(page).fill('half a reason');
      await kept(page, 'half a reason');
      const { id, image } = await posts<Extract<WebviewMessage, { type: 'keepImage' }>>(harness, 'keepImage');
      await page.reload();
      await answer('keptImages', [{ id, image }]);
      await send(snapshot({ ...working, approvals }));
      await page.getByRole('img', { name: 'shot.png' }).waitFor();
      assert.equal(await why(page).inputValue(), 'half a reason');
      assert.equal(await page.getByRole('button', { name: 'Do not send src/date.ts:12-30' }).count(), 0);
      await textbox(page).focus();
      await page.keyboard.press('Enter');
      const sent = await posts<{ withSelection: boolean; images: unknown[] }>(harness, 'send');
      assert.deepEqual([sent.withSelection, sent.images.length], [false, 1]);
      await page.reload();
      await send(snapshot({ ...working, approvals: [] }));
      await textbox(page).waitFor();
      assert.equal(await page.getByRole('img', { name: 'shot.png' }).count(), 0, 'What was sent is not kept.');
      await drawn(page);
      assert.equal(
        await textbox(page).inputValue(),
        'half a reason',
        'The words of a card that is gone stay in the message.',
      );
      const other = { label: 'src/other.ts', path: '/work/app/src/other.ts' };
      await send(snapshot({}, { selection: other }, 2));
      await page.getByRole('button', { name: 'Do not send src/other.ts' }).waitFor();
    },
  },
  {
    name: 'a hidden view comes back with what was chosen in a question',
    run: async ({ send, page }) => {
      await send(snapshot({ ...finished, status: 'waiting', questions }));
      await page.getByRole('radio', { name: 'Tabs' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('checkbox', { name: 'JSON' }).click();
      await page.getByRole('textbox', { name: 'Other answer' }).fill('Markdown');
      await kept(page, 'Markdown');
      await page.reload();
      await send(snapshot({ ...finished, status: 'waiting', questions }));
      await page.getByText('2 of 2').waitFor();
      assert.equal(await page.getByRole('checkbox', { name: 'JSON' }).isChecked(), true);
      assert.equal(await page.getByRole('textbox', { name: 'Other answer' }).inputValue(), 'Markdown');
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      assert.equal(await page.getByRole('radio', { name: 'Tabs' }).isChecked(), true);
      await send(snapshot({ ...finished, questions: [] }, {}, 2));
      await page.waitForFunction(() => !sessionStorage.getItem('state')?.includes('Markdown'));
    },
  },
  {
    name: 'an answer that the host refuses can be given again',
    run: async (harness) => {
      const { send, page, refuse } = harness;
      await send(
        snapshot({
          ...finished,
          status: 'waiting',
          questions: questions.map((one) => ({ ...one, questions: one.questions.slice(1) })),
        }),
      );
      await page.getByRole('textbox', { name: 'Other answer' }).fill('A very long answer');
      await page.keyboard.press('Enter');
      await posts(harness, 'answer');
      const answer = page.getByRole('button', { name: 'Answer', exact: true });
      assert.equal(await answer.isDisabled(), true);
      await refuse('answer');
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLButtonElement>('.question .button-primary')].some(
          ({ disabled }) => !disabled,
        ),
      );
      assert.equal(await page.getByRole('textbox', { name: 'Other answer' }).inputValue(), 'A very long answer');
      await answer.click();
      assert.equal((await harness.posted()).filter(({ type }) => type === 'answer').length, 2);
    },
  },
];
