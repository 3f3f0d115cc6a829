// A VS Code in another language: its commands and settings of Deft are in it, and are found by their English names, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { quickInput, quickPickRow } from '../rig/workbench';
import { openDeft, type DeftWindow } from './support/deft';

const texts = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`package.nls.${language}.json`, 'utf8')) as Record<string, string>;

for (const language of ['de', 'ja'])
  describe(`a window in ${language}`, () => {
    let deft: DeftWindow;
    before(async () => (deft = await openDeft({ language, openChat: false })));
    after(() => deft.close());

    it('shows commands in it, which are found by it and by their English titles', async () => {
      const { page } = deft.window;
      await page.locator('.part.activitybar').getByRole('tab', { name: 'Deft', exact: true }).waitFor();
      const title = texts(language)['command.newSession.title'] ?? assert.fail();
      for (const typed of [`>Deft: ${title}`, '>Deft: New Session']) {
        await page.keyboard.press('F1');
        await quickInput(page).fill(typed);
        await quickPickRow(page, `Deft: ${title}`).waitFor({ timeout: 30_000 });
        await page.keyboard.press('Escape');
      }
    });

    it('shows settings in it', async () => {
      const { page } = deft.window;
      await page.keyboard.press('Control+,');
      const search = page.locator('.settings-header .suggest-input-container');
      await search.waitFor({ timeout: 30_000 });
      await search.click();
      await page.keyboard.type('deft.chat.sendWith');
      const [first = ''] = (texts(language)['setting.chat.sendWith.description'] ?? assert.fail()).split('`');
      await page.locator('.settings-editor .setting-item-description', { hasText: first.trim() }).first().waitFor();
    });
  });
