// The menu of a message that goes back to it: by keyboard, whole in a narrow view, in every theme.
import assert from 'node:assert/strict';
import { type Check, posts, seriousFindings } from './checks';
import { cards, snapshot } from './conversations';
import { drawn } from './harness';

export const rewindChecks: Check[] = (['dark', 'light', 'contrast'] as const).map((theme): Check => ({
  name: `the menu of a message is whole at 300 px and sends what was chosen, ${theme}`,
  options: { theme, width: 300 },
  run: async (harness) => {
    const { page, send } = harness;
    await send(snapshot(cards));
    await page.getByRole('button', { name: 'Rewind…' }).first().focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu', { name: 'Rewind' });
    await menu.waitFor();
    await drawn(page);
    const place = await menu.boundingBox();
    assert.ok(place !== null && place.x >= 0 && place.x + place.width <= 300 && place.width > 200, JSON.stringify(place));
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => element.scrollLeft > 0).length), 0, 'nothing has scrolled sideways');
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal((await posts<{ what: string }>(harness, 'rewind')).what, 'code');
    await menu.waitFor({ state: 'detached' });
  },
}));
