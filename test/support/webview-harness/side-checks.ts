// What goes on beside the conversation: the panel of side questions, and the goal and the loop in the strip.
import assert from 'node:assert/strict';
import { type Check, posts, seriousFindings } from './checks';
import { beside, snapshot } from './conversations';
import { drawn } from './harness';

export const sideChecks: Check[] = (['dark', 'light', 'contrast'] as const).map((theme): Check => ({
  name: `side questions, goal and loop fit into 300 px, send what was pressed and keep the focus, ${theme}`,
  options: { theme, width: 300 },
  run: async (harness) => {
    const { page, send } = harness;
    await send(snapshot(beside));
    const panel = page.getByRole('region', { name: 'Side questions' });
    await panel.waitFor();
    await drawn(page);
    const place = await panel.boundingBox();
    assert.ok(place !== null && place.x >= 0 && place.x + place.width <= 300, JSON.stringify(place));
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => element.scrollLeft > 0).length), 0, 'nothing has scrolled sideways');
    assert.deepEqual(await seriousFindings(page), []);
    await send({ type: 'events', epoch: 1, from: 0, events: [{ type: 'sideText', text: ' and the **offset**' }] });
    await panel.getByText('offset', { exact: true }).waitFor();
    await panel.getByRole('textbox', { name: 'Another side question' }).fill('And DST?');
    await page.keyboard.press('Enter');
    assert.equal((await posts<{ text: string }>(harness, 'side')).text, 'And DST?');
    await page.getByRole('button', { name: 'Stop the loop' }).click();
    assert.equal((await posts<{ taskId: string }>(harness, 'stopTask')).taskId, 'loop');
    await panel.getByRole('button', { name: 'Close side questions' }).focus();
    await page.keyboard.press('Escape');
    await send({ type: 'events', epoch: 1, from: 1, events: [{ type: 'side', side: [] }, { type: 'goal', goal: '' }, { type: 'loop', loop: null }] });
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Goal' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  },
}));
