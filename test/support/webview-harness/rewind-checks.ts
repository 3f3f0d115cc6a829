// The menu of a message that goes back to it: by keyboard, whole in a narrow view, in every theme.
import assert from 'node:assert/strict';
import { type ChatItem } from '../../../src/shared/chat';
import { type Check, posts, axeFindings } from './checks';
import { cards, snapshot } from './conversations';
import { drawn } from './harness';

const short = (id: string, text: string): ChatItem[] => [
  { kind: 'user', id, text, attachments: [], images: 0, steering: false },
  { kind: 'text', id: `${id}-answer`, text: 'Yes.', streaming: false },
];

export const rewindChecks: Check[] = [
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `the menu of a message is whole at 300 px and sends what was chosen, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot(cards));
      await page
        .getByRole('button', { name: /^Rewind to: / })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      const menu = page.getByRole('menu', { name: 'Rewind' });
      await menu.waitFor();
      await drawn(page);
      const place = await menu.boundingBox();
      assert.ok(
        place !== null && place.x >= 0 && place.x + place.width <= 300 && place.width > 200,
        JSON.stringify(place),
      );
      assert.deepEqual(
        await page.evaluate(
          () => [...document.querySelectorAll('*')].filter((element) => element.scrollLeft > 0).length,
        ),
        0,
        'nothing has scrolled sideways',
      );
      assert.deepEqual(await axeFindings(page), []);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ what: string }>(harness, 'rewind')).what, 'code');
      await menu.waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'the menu of a short turn is whole, its button tells its message and whether it is open',
    options: { height: 500 },
    run: async ({ page, send }) => {
      await send(
        snapshot({
          ...cards,
          items: [...short('u1', 'Is it there?'), ...short('u2', 'And this?'), ...short('u3', 'So what?')],
        }),
      );
      const button = page.getByRole('button', { name: 'Rewind to: Is it there?' });
      assert.deepEqual(
        [await button.getAttribute('aria-haspopup'), await button.getAttribute('aria-expanded')],
        ['menu', 'false'],
      );
      await button.focus();
      await page.keyboard.press('Enter');
      await drawn(page);
      assert.equal(await button.getAttribute('aria-expanded'), 'true');
      const last = await page.getByRole('menuitem').last().boundingBox();
      assert.ok(last !== null);
      const seen = () =>
        page.evaluate(
          ({ x, y, width, height }) =>
            document.elementFromPoint(x + width / 2, y + height - 3)?.closest('[role=menuitem]')?.textContent ??
            'nothing',
          last,
        );
      assert.match(await seen(), /^Edit from here and rewind code/);
    },
  },
];
