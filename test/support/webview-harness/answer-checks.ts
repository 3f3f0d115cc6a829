// What can be done with an answer: copied whole or a block of it, and a block inserted into the editor.
import assert from 'node:assert/strict';
import { type Check, posts } from './checks';
import { finished, snapshot } from './conversations';

const answer = 'Use this:\n\n```ts\nconst a = 1;\nconst b = 2;\n```';

export const answerChecks: readonly Check[] = [
  {
    name: 'answers: a text is copied as it was written, a block of code by itself or into the editor',
    options: { ownPage: true },
    run: async (harness) => {
      const { send, page } = harness;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await send(snapshot({ ...finished, items: [{ kind: 'text', id: 't', text: answer, streaming: false }] }));
      await page.getByText('Use this:').hover();
      await page.getByRole('button', { name: 'Copy this text' }).click();
      assert.equal(await copied(), answer);
      await page.getByRole('button', { name: 'Copy code' }).click();
      assert.equal(await copied(), 'const a = 1;\nconst b = 2;');
      await page.getByRole('button', { name: 'Insert at cursor' }).click();
      assert.deepEqual(await posts(harness, 'insertCode'), {
        type: 'insertCode',
        text: 'const a = 1;\nconst b = 2;',
      });
    },
  },
  {
    name: 'answers: what is said in several parts is copied as one, without the turns around it',
    options: { ownPage: true },
    run: async ({ send, page }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const said = (id: string, text: string) => ({ kind: 'text' as const, id, text, streaming: false });
      const asked = (id: string) => ({
        kind: 'user' as const,
        id,
        text: 'Why?',
        attachments: [],
        images: 0,
        steering: false,
      });
      await send(
        snapshot({
          ...finished,
          items: [
            asked('u1'),
            said('t1', 'Of another turn.'),
            asked('u2'),
            said('t2', 'I look.\n'),
            ...(finished.items ?? []).filter(({ id }) => id === 'edit'),
            said('t3', '**Done.**'),
          ],
        }),
      );
      await page.getByText('Done.').hover();
      const whole = page.getByRole('button', { name: 'Copy the whole answer' });
      assert.equal(await whole.count(), 1, 'only where an answer has several parts');
      await whole.click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'I look.\n\n**Done.**');
    },
  },
  {
    name: 'answers: a text that still grows offers nothing to copy',
    run: async ({ send, page }) => {
      await send(snapshot({ status: 'working', items: [{ kind: 'text', id: 't', text: 'Use', streaming: true }] }));
      await page.getByText('Use', { exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Copy this text' }).count(), 0);
    },
  },
];
