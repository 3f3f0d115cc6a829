// The card of a request that is sent again and again: announced once, and the focus stays on it.
import assert from 'node:assert/strict';
import { type NoticeItem } from '../../../src/shared/chat';
import { type Check, focused } from './checks';
import { snapshot, working } from './conversations';
import { drawn } from './harness';

const kinds: readonly [string, (look: number) => Pick<NoticeItem, 'title' | 'detail'>][] = [
  [
    'looks for a connection',
    () => ({
      title: 'No connection. Deft continues automatically when it is back.',
      detail: 'No connection to api.test.',
    }),
  ],
  [
    'retries',
    (look) => ({ title: 'The model is overloaded.', detail: `Deft is retrying: attempt ${look + 1} of 10.` }),
  ],
];

export const waitChecks: readonly Check[] = kinds.map(([name, words]) => ({
  name: `wait card: four ${name} are announced once, and "Try now" keeps the focus`,
  run: async ({ send, events, page }) => {
    await send(snapshot(working));
    const spoken = () => page.locator('[aria-live] p').allInnerTexts();
    const button = page.getByRole('button', { name: 'Try now' });
    for (let look = 1; look <= 4; look++) {
      const item: NoticeItem = {
        kind: 'notice',
        id: 'retry',
        level: 'warning',
        ...words(look),
        retryAt: Date.now() + 60_000,
        action: { label: 'Try now', command: 'tryNow' },
      };
      await events({ type: 'status', status: 'retrying' }, { type: 'item', item });
      if (look === 1) await button.focus();
      await events({ type: 'item', item: { ...item, retryAt: 0 } });
      await page.getByText('Trying again…').waitFor();
      await drawn(page);
      assert.equal(await focused(page), 'Try now');
    }
    assert.deepEqual(
      (await spoken()).filter((text) => text.startsWith('Warning: ')).length,
      1,
      (await spoken()).join('\n'),
    );
    await events({ type: 'remove', id: 'retry' }, { type: 'status', status: 'working' });
    await button.waitFor({ state: 'detached' });
  },
}));
