// The "/" menu of the composer: by keyboard, for a screen reader, whole in a narrow view, in every theme.
import assert from 'node:assert/strict';
import { type SlashCommand } from '../../../src/shared/answers';
import { type Check, posts, axeFindings } from './checks';
import { finished, snapshot } from './conversations';
import { drawn, type Harness } from './harness';

export const slashItems: SlashCommand[] = [
  { name: 'clear', description: 'Start a new session', group: 'Deft' },
  {
    name: 'compact',
    description: 'Replace the conversation so far with a summary',
    argumentHint: '[what to keep]',
    group: 'Deft',
  },
  { name: 'cost', description: 'Show what this session has used', group: 'Deft' },
  {
    name: 'deploy',
    description:
      'Deploys the app to one of the environments, once all of its tests have passed and somebody has said so',
    argumentHint: '[environment] [region]',
    group: 'Project',
  },
  { name: 'apps/web:a-name-that-is-longer-than-most-others', description: 'Checks the pages', group: 'Project' },
  { name: 'notes', description: 'Writes release notes', group: 'Personal' },
];

export async function openMenu(
  harness: Harness,
  items: readonly SlashCommand[] = slashItems,
  typed = '/',
): Promise<void> {
  const { page, send, answer } = harness;
  await send(snapshot(finished));
  await page.getByRole('textbox', { name: 'Message', exact: true }).pressSequentially(typed);
  await page.waitForFunction(
    (query) =>
      (window as unknown as { posted: { type: string; query?: string }[] }).posted.some(
        (message) => message.type === 'slash' && message.query === query,
      ),
    typed.slice(1),
  );
  await answer('slash', [...items]);
  await page.getByRole('listbox', { name: 'Commands' }).waitFor();
}

export const slashChecks: Check[] = [
  ...(['dark', 'light', 'contrast'] as const).map((theme): Check => ({
    name: `the slash menu is whole at 300 px and steered by the textbox, ${theme}`,
    options: { theme, width: 300 },
    run: async (harness) => {
      const { page } = harness;
      await openMenu(harness, [
        ...slashItems,
        ...Array.from({ length: 20 }, (_, index): SlashCommand => ({
          name: `more-${index}`,
          description: 'So that the list scrolls',
          group: 'Personal',
        })),
      ]);
      await drawn(page);
      const menu = page.getByRole('listbox', { name: 'Commands' });
      const place = await menu.boundingBox();
      assert.ok(place !== null && place.x >= 0 && place.x + place.width <= 300 && place.y >= 0, JSON.stringify(place));
      assert.deepEqual(await axeFindings(page), []);
      const textbox = page.getByRole('textbox', { name: 'Message', exact: true });
      assert.equal(await textbox.getAttribute('aria-activedescendant'), 'slash-0');
      await page.keyboard.press('ArrowUp');
      assert.equal(await textbox.getAttribute('aria-activedescendant'), 'slash-25');
      await menu
        .getByRole('option', { name: /^\/more-19 So that the list scrolls ?, Personal$/, selected: true })
        .waitFor();
      assert.equal(await menu.getByRole('option').count(), slashItems.length + 20);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      assert.equal(await textbox.inputValue(), '/');
    },
  })),
  {
    name: 'the slash menu completes what takes arguments and runs what takes none',
    run: async (harness) => {
      const { page } = harness;
      const textbox = page.getByRole('textbox', { name: 'Message', exact: true });
      await openMenu(harness, slashItems.slice(3), '/de');
      await page.keyboard.press('Enter');
      assert.equal(await textbox.inputValue(), '/deploy ');
      await page.keyboard.type('prod');
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ text: string }>(harness, 'send')).text, '/deploy prod');
      await openMenu(harness, slashItems.slice(0, 1), '/cl');
      await page.keyboard.press('Tab');
      assert.equal(await textbox.inputValue(), '/clear ');
      await textbox.fill('');
      await openMenu(harness, slashItems.slice(0, 1), '/cle');
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ text: string }>(harness, 'send')).text, '/clear');
      assert.equal(await textbox.inputValue(), '');
    },
  },
  {
    name: 'a key chooses nothing from a slash menu that is for less than what stands there',
    run: async (harness) => {
      const { page } = harness;
      await openMenu(harness, slashItems, '/c');
      await page.keyboard.type('o');
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ text: string }>(harness, 'send')).text, '/co');
    },
  },
];
