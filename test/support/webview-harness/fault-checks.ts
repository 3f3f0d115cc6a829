// What a page makes of texts that are made to break it: each entry stays an entry, and the rest of the conversation is there.
import assert from 'node:assert/strict';
import { type Locator, type Page } from 'playwright-core';
import { type ChatItem } from '../../../src/shared/chat';
import { type Check } from './checks';
import { finished, snapshot } from './conversations';
import { drawn } from './harness';

const answer = (id: string, text: unknown): ChatItem => ({ kind: 'text', id, text: text as string, streaming: false });

const nested = {
  lists: `${'- '.repeat(400)}the innermost item`,
  quotes: `${'> '.repeat(400)}the innermost quote`,
  emphasis: `${'*'.repeat(400)}the strongest word${'*'.repeat(400)}`,
  indents: Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}- level ${level}`).join('\n'),
};

async function scrollUpTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < 100 && (await target.count()) === 0; steps++) {
    await page.getByRole('log').evaluate((log) => log.scrollBy(0, -400));
    await drawn(page);
  }
  await target.waitFor();
}

export const faultChecks: readonly Check[] = [
  {
    name: 'faults: deeply nested Markdown is shown with its marks, and what stands around it as ever',
    run: async ({ send, page }) => {
      const texts = Object.values(nested);
      await send(
        snapshot({
          ...finished,
          items: [
            answer('a', '**First.**'),
            ...texts.map((text, index) => answer(`n${index}`, text)),
            answer('z', '**Last.**'),
          ],
        }),
      );
      await page.locator('strong', { hasText: 'Last.' }).waitFor();
      // Some are higher than the view: each is drawn when it comes near.
      for (const words of ['level 199', 'the strongest word', 'the innermost quote', 'the innermost item'])
        await scrollUpTo(page, page.locator('.row-text', { hasText: words }));
      await scrollUpTo(page, page.locator('strong', { hasText: 'First.' }));
    },
  },
  {
    name: 'faults: an entry that can not be drawn shows its text, and the others stay',
    run: async ({ send, page, events, posted }) => {
      await send(
        snapshot({ ...finished, items: [answer('a', '**First.**'), answer('bad', 4_711), answer('z', '**Last.**')] }),
      );
      for (const word of ['First.', 'Last.']) await page.locator('strong', { hasText: word }).waitFor();
      const row = page.locator('#row-bad');
      await row.getByText('This message could not be displayed with its formatting.').waitFor();
      await row.getByText('4711', { exact: true }).waitFor();
      const logged = (await posted()).filter(({ type }) => type === 'log');
      assert.equal(logged.length, 1, JSON.stringify(logged));
      await events({ type: 'item', item: answer('bad', '**Better.**') });
      await page.locator('#row-bad strong', { hasText: 'Better.' }).waitFor();
    },
  },
  {
    name: 'faults: a link that shows another address says which it opens, and other schemes are no links',
    run: async ({ send, page, posted }) => {
      const text = [
        '[https://github.com/good](https://evil.test/bad)',
        '[Run](command:deft.newSession) ![shot](vscode://x/y)',
        '[docs](https://docs.test/)',
      ].join('\n\n');
      await send(snapshot({ ...finished, items: [answer('a', text)] }));
      await page.getByRole('link', { name: 'https://github.com/good (evil.test/bad)' }).waitFor();
      assert.deepEqual(await page.locator('.row-text').getByRole('link').allInnerTexts(), [
        'https://github.com/good (evil.test/bad)',
        'docs',
      ]);
      for (const words of ['Run', 'shot']) await page.getByText(words, { exact: true }).click();
      assert.deepEqual(
        (await posted()).filter(({ type }) => type === 'openLink'),
        [],
      );
    },
  },
];
