// Errors for people: a sentence, what the agent is told behind "Details", and one button that helps.
import assert from 'node:assert/strict';
import { type Check } from './checks';
import { cards, snapshot } from './conversations';

const notice = cards.items?.find(({ id }) => id === 'n2');
if (notice?.kind !== 'notice') throw new Error('No error to show.');

export const errorChecks: readonly Check[] = [
  {
    name: 'errors: a failed call says in a sentence what happened, and what the agent is told on demand',
    run: async ({ send, page }) => {
      await send(snapshot(cards));
      const card = page.getByRole('group', { name: 'Read src/gone.ts', exact: true });
      await card.getByText('src/gone.ts does not exist.').waitFor();
      assert.equal(await card.getByText('Did you mean').count(), 0);
      const details = card.getByRole('button', { name: 'Details', exact: true });
      assert.equal(await details.getAttribute('aria-expanded'), 'false');
      await details.click();
      await card.getByText('Did you mean').waitFor();
    },
  },
  {
    name: 'errors: the last card has one primary button, and earlier ones have none',
    run: async ({ send, page, events }) => {
      await send(snapshot({ ...cards, items: [notice] }));
      const primary = page.getByRole('group', { name: notice.title }).locator('.button-primary');
      await primary.waitFor();
      assert.deepEqual(await primary.allInnerTexts(), ['Change key']);
      await events({ type: 'item', item: { kind: 'text', id: 'after', text: 'It went on.', streaming: false } });
      await page.getByText('It went on.').waitFor();
      await primary.waitFor({ state: 'detached' });
    },
  },
];
