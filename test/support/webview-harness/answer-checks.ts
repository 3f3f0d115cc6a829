// What can be done with an answer: copied whole or a block of it, and a block inserted into the editor.
import assert from 'node:assert/strict';
import { type Check, posts } from './checks';
import { finished, snapshot } from './conversations';

const answer = 'Use this:\n\n```ts\nconst a = 1;\nconst b = 2;\n```';

export const answerChecks: readonly Check[] = [
  {
    name: 'answers: a text is copied as it was written, a block of code by itself or into the editor',
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
    name: 'answers: a text that still grows offers nothing to copy',
    run: async ({ send, page }) => {
      await send(snapshot({ status: 'working', items: [{ kind: 'text', id: 't', text: 'Use', streaming: true }] }));
      await page.getByText('Use', { exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Copy this text' }).count(), 0);
    },
  },
];
