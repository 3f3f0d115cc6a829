// Commands of the palette and links from outside: what they put into the chat, and what they send.
import assert from 'node:assert/strict';
import { quickInput } from '../rig/workbench';
import { eventually, lastText, openChat, openDeft, type DeftWindow } from './support/deft';
import { activeEditor, openAndFocus } from './support/editor';
import { answers } from './support/replies';

const files = {
  'src/price.js': 'export const price = 1;\nexport const second = 2;\n',
  'broken.json': '{ "a": }\n',
};

describe('commands', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());
  beforeEach(async () => {
    await openChat(deft);
    await deft.newSession();
    await deft.composer().fill('');
  });

  const composed = (text: string) =>
    eventually(
      async () => (await deft.composer().inputValue()) === text,
      `The composer does not hold ${JSON.stringify(text)}.`,
    );

  async function selectSecondLine(): Promise<void> {
    const { page } = deft.window;
    await openAndFocus(page, 'src/price.js');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+ArrowUp');
  }

  it('explains the selection', async () => {
    deft.script(answers('A number.'));
    await selectSecondLine();
    await deft.window.command('Deft: Explain Selection');
    await deft.says('A number.');
    const content = (await deft.request(1)).at(-1)?.content;
    assert.match(
      JSON.stringify(content),
      /<attachment path=[^>]*price\.js[^>]*>\\nexport const second = 2;.*has selected line 2 of .*Explain what the selected code does: src\/price\.js, line 2\./,
    );
  });

  it('adds the selection, and the file', async () => {
    await selectSecondLine();
    await deft.window.command('Deft: Add Selection to Chat');
    await composed('@src/price.js#2-2 ');
    await deft.window.command('Deft: Add File to Chat');
    await composed('@src/price.js#2-2 @src/price.js ');
  });

  it('adds the selection where the explorer hides the chat', async () => {
    await selectSecondLine();
    await deft.window.command('View: Show Explorer');
    await deft.window.page.locator('iframe.webview.ready').first().waitFor({ state: 'detached' });
    await deft.window.command('Deft: Add Selection to Chat');
    await composed('@src/price.js#2-2 ');
  });

  it('fixes the problem at the cursor by a quick fix', async () => {
    const { page } = deft.window;
    deft.script(answers('A value is missing.'));
    await openAndFocus(page, 'broken.json');
    await activeEditor(page).locator('.squiggly-error').first().waitFor({ timeout: 30_000 });
    await deft.window.command('Deft: Fix Problem');
    await deft.says('A value is missing.');
    assert.match(
      lastText(await deft.request(1)),
      /- broken\.json:1:\d+ error: Value expected.*\n<\/attachment>\n\nFix this problem at its cause.*\n- broken\.json:1:\d+$/,
    );
  });

  it('remembers the mode that was picked, Auto too', async () => {
    const { page } = deft.window;
    for (const mode of ['Auto', 'Manual']) {
      await deft.window.command('Deft: Select Permission Mode');
      await page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${mode}$`) }) })
        .click();
      await deft.button(`Mode: ${mode}`).waitFor();
      await deft.newSession();
      await deft.button(`Mode: ${mode}`).waitFor();
    }
  });

  it('moves the conversation into an editor beside the code', async () => {
    const { page } = deft.window;
    deft.script(answers('In the side bar.'));
    await deft.send('Where are you?');
    await deft.says('In the side bar.');
    await deft.idle();
    await deft.window.command('Deft: Open Chat in Editor');
    const tab = page.locator('.part.editor .tab', { hasText: 'Where are you?' });
    await tab.waitFor();
    const moved = deft.window.chat(1);
    await moved.getByRole('log', { name: 'Conversation' }).getByText('In the side bar.').waitFor();
    deft.script(answers('Beside the code.'));
    await moved.getByRole('textbox', { name: 'Message' }).fill('And now?');
    await moved.getByRole('textbox', { name: 'Message' }).press('Enter');
    await moved.getByText('Beside the code.').waitFor();
    assert.match(JSON.stringify(await deft.request(1)), /In the side bar/);
    assert.equal(await deft.window.chat(0).getByText('In the side bar.').count(), 0, 'the side bar has a new session');
    await deft.window.command('View: Close All Editors');
    await tab.waitFor({ state: 'detached' });
  });

  it('fills the composer from a link and sends nothing', async () => {
    const { page } = deft.window;
    deft.script();
    await deft.window.command('Developer: Open URL');
    await quickInput(page).fill('code-oss://deft-agent.deft/open?prompt=Look%20at%20this');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await composed('Look at this');
    assert.equal(deft.requests(), 0);
  });
});
