// One session in two windows: the first one writes it, the second one shows it as it continues there, and continues in a copy.
import assert from 'node:assert/strict';
import { type FrameLocator, type Page } from 'playwright-core';
import { quickPickRow, runCommand, webviewFrame, workbenchReady } from '../rig/workbench';
import { openDeft, type DeftWindow } from './support/deft';
import { answers, readAndEdit } from './support/replies';

describe('two windows', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({ files: { 'a.txt': 'alpha\n' } });
  });
  after(() => deft.close());

  /** The same folder in another window, with its chat open. */
  async function inSecondWindow(use: (chat: FrameLocator, second: Page) => Promise<void>): Promise<void> {
    const second: Page = await deft.window.page.context().newPage();
    try {
      await second.goto(deft.window.page.url());
      await workbenchReady(second);
      await runCommand(second, 'Deft: Focus Chat');
      await use(webviewFrame(second), second);
    } finally {
      await second.close();
    }
  }

  it('share a session: the second one is told, reads along, and goes on in a copy', async () => {
    deft.script(
      answers('Here it stands.'),
      answers('Both see it.'),
      answers('Only in the copy.'),
      answers('Only in the first.'),
    );
    await deft.send('Where does it stand?');
    await deft.says('Here it stands.');
    await deft.idle();
    await inSecondWindow(async (chat) => {
      const said = (text: string) => chat.getByRole('log', { name: 'Conversation' }).getByText(text).last();
      await chat.getByText('This is a session of another window, shown read-only.').waitFor({ timeout: 90_000 });
      await said('Here it stands.').waitFor();
      assert.equal(await chat.getByRole('textbox', { name: 'Message' }).count(), 0);

      await deft.send('And then?');
      await deft.says('Both see it.');
      // As it is said, without a hand on the second window.
      await said('And then?').waitFor();
      await said('Both see it.').waitFor();
      await chat.getByRole('button', { name: 'Continue in a copy' }).click();
      const composer = chat.getByRole('textbox', { name: 'Message' });
      await composer.fill('And here?');
      await composer.press('Enter');
      await said('Only in the copy.').waitFor();
      // The copy is this window's own: what the first one says now is not part of it.
      await deft.send('And there?');
      await deft.says('Only in the first.');
      await said('Both see it.').waitFor();
      assert.equal(await said('Only in the first.').count(), 0);
      assert.equal(await deft.conversation().getByText('Only in the copy.').count(), 0);
    });
  });

  it('move a session: taken over, it is closed in the first one, and what waited there is asked in the second', async () => {
    await deft.newSession();
    deft.script(readAndEdit(`${deft.window.folder}/a.txt`, 'alpha', 'beta'), answers('It says beta now.'));
    await deft.send('Change it');
    await deft.approval('Approve: Edit a.txt').waitFor();
    await inSecondWindow(async (chat, second) => {
      await runCommand(second, 'Deft: Switch Session…');
      const row = quickPickRow(second, 'Change it');
      await row.getByText(/^waiting for you/).waitFor();
      await row.getByText('Approve: Edit a.txt').waitFor();
      await second.keyboard.press('Escape');
      await chat.getByRole('button', { name: 'Take over' }).click({ timeout: 90_000 });
      await chat.getByRole('group', { name: 'Approve: Edit a.txt' }).waitFor();
      await deft.conversation().waitFor();
      await deft.chat().getByText('This is a session of another window, shown read-only.').waitFor();
      assert.equal(await deft.approval().count(), 0);
      await chat.getByRole('button', { name: 'Accept', exact: true }).click();
      await chat.getByRole('log', { name: 'Conversation' }).getByText('It says beta now.').waitFor();
      assert.equal(deft.window.read('a.txt'), 'beta\n');
      assert.equal(deft.requests(), 2);
    });
  });
});
