// Commands of the palette where there is something for them, a link to a session, and the quick fix that is clicked.
import assert from 'node:assert/strict';
import path from 'node:path';
import { quickInput, quickPickRow } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openChat, openDeft, type DeftWindow } from './support/deft';
import { activeEditor, openAndFocus } from './support/editor';
import { answers, readAndEdit } from './support/replies';

const files = {
  '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash'] } }),
  'broken.json': '{ "a": }\n',
  ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.txt`, 'before\n'])),
};

describe('commands where there is something for them', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());
  beforeEach(async () => {
    await deft.window.command('Notifications: Clear All Notifications');
    await openChat(deft);
    await deft.newSession();
  });

  const file = (name: string): string => path.posix.join(deft.window.folder, name);
  const hold = (names: string[], text: string) =>
    eventually(
      () => names.every((name) => deft.window.read(name) === text),
      `${names.join(' and ')} do not hold ${JSON.stringify(text)}.`,
    );
  const openUrl = async (url: string): Promise<void> => {
    const { page } = deft.window;
    await deft.window.command('Developer: Open URL');
    await quickInput(page).fill(url);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  };
  /** VS Code asks for a file in its palette here: it takes a path once it has listed its folder. */
  const giveFile = async (target: string): Promise<void> => {
    const { page } = deft.window;
    const input = quickInput(page);
    await input.waitFor();
    // The dialog writes the name that it suggests a moment after it has opened.
    await eventually(async () => (await input.inputValue()).endsWith('.md'), 'The dialog suggests no name.');
    await input.fill(target);
    await eventually(async () => {
      if (!(await input.isVisible())) return true;
      await page.keyboard.press('Enter');
      return false;
    }, 'The path is not taken.');
  };

  it('review what the project allows, which holds then', async () => {
    const { page } = deft.window;
    await deft.window.command('Deft: Review Project Settings');
    const dialog = page.getByRole('dialog').filter({ hasText: "Agree to what this project's settings allow?" });
    await dialog.getByText(/Bash/).first().waitFor();
    await dialog.getByRole('button', { name: 'Agree', exact: true }).click();
    deft.script(reply(toolUse('Bash', { command: 'echo agreed', description: 'Say it' })), answers('Ran unasked.'));
    await deft.send('Run it');
    await deft.says('Ran unasked.');
    assert.equal(lastText(await deft.request(2)).trim(), 'agreed');
    await deft.idle();
  });

  it('show what runs in the background', async () => {
    deft.script(
      reply(toolUse('Bash', { command: `until [ -e ${file('go')} ]; do sleep 0.05; done`, run_in_background: true })),
      answers('It runs.'),
    );
    await deft.send('Start it');
    await deft.says('It runs.');
    await deft.idle();
    const row = quickPickRow(deft.window.page, /until \[ -e/);
    await deft.window.command('Deft: Show Background Work');
    await row.waitFor();
    deft.script(answers('It is over.'));
    deft.window.write('go', '');
    await row.waitFor({ state: 'hidden' });
  });

  it('undo all changes, in every file', async () => {
    await deft.button('Mode: Manual').click();
    await deft.chat().getByRole('menuitemradio', { name: 'Edit automatically' }).click();
    deft.script(
      readAndEdit(file('e.txt'), 'before', 'after'),
      readAndEdit(file('f.txt'), 'before', 'after'),
      answers('Both changed.'),
    );
    await deft.send('Change both');
    await deft.says('Both changed.');
    await deft.idle();
    await hold(['e.txt', 'f.txt'], 'after\n');
    await deft.window.command('Deft: Undo All Changes');
    await hold(['e.txt', 'f.txt'], 'before\n');
    await deft.button('Mode: Edit automatically').click();
    await deft.chat().getByRole('menuitemradio', { name: 'Manual' }).click();
    await deft.button('Mode: Manual').waitFor();
  });

  it('export the conversation to a file', async () => {
    deft.script(answers('A remarkable answer.'));
    await deft.send('What is it?');
    await deft.says('A remarkable answer.');
    await deft.idle();
    await deft.window.command('Deft: Export Session');
    await giveFile(file('exported.md'));
    // In the list of all: a toast may be gone before a busy machine has closed the dialog.
    await deft.window.command('Notifications: Show Notifications');
    await deft.window.page
      .locator('.notifications-center .notification-list-item', { hasText: 'the session was exported to exported.md' })
      .first()
      .waitFor();
    await deft.window.command('Notifications: Hide Notifications');
    assert.match(deft.window.read('exported.md'), /What is it\?[\s\S]*A remarkable answer\./);
  });

  it('open the log, and the walkthrough', async () => {
    const { page } = deft.window;
    await deft.window.command('Deft: Show Log');
    const channels = () =>
      page
        .locator('.part.panel select')
        .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).selectedOptions[0]?.textContent));
    await eventually(
      async () => (await channels()).includes('Deft'),
      'The output of Deft is not the one that is shown.',
    );
    await deft.window.command('Deft: Open Walkthrough');
    await page.locator('.gettingStartedContainer', { hasText: 'Get started with Deft' }).waitFor({ timeout: 20_000 });
    await deft.window.command('View: Close All Editors');
  });

  it('are followed by a link that opens a session and fills the composer', async () => {
    deft.script(answers('This is the one.'));
    await deft.send('Remember me');
    await deft.says('This is the one.');
    await deft.idle();
    const id = await deft.conversation().getAttribute('data-session');
    await deft.newSession();
    assert.equal(await deft.conversation().getByText('This is the one.').count(), 0);
    deft.script();
    await openUrl(`code-oss://deft-agent.deft/open?session=${id ?? ''}&prompt=Go%20on`);
    await deft.says('This is the one.');
    assert.equal(await deft.conversation().getAttribute('data-session'), id);
    await eventually(
      async () => (await deft.composer().inputValue()) === 'Go on',
      'The composer does not hold the prompt.',
    );
    assert.equal(deft.requests(), 0);
    await deft.composer().fill('');
  });

  it('and the quick fix at a problem asks for it when it is clicked', async () => {
    const { page } = deft.window;
    deft.script(answers('A value is missing.'));
    await openAndFocus(page, 'broken.json');
    await activeEditor(page).locator('.squiggly-error').first().waitFor({ timeout: 30_000 });
    await deft.window.command('Go to Next Problem (Error, Warning, Info)');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Fix with Deft' }).click();
    await deft.says('A value is missing.');
    assert.match(lastText(await deft.request(1)), /- broken\.json:1:\d+ error: Value expected/);
    await deft.idle();
    await deft.window.command('View: Close All Editors');
  });

  describe('with an edit of each of two chats waiting', () => {
    const proposed = async (first: string, second: string): Promise<void> => {
      deft.script(
        readAndEdit(file(first), 'before', 'after'),
        readAndEdit(file(second), 'before', 'after'),
        answers('Done.'),
        answers('Done.'),
      );
      await deft.send('Change it');
      await deft.approval(`Approve: Edit ${first}`).waitFor();
      await deft.window.page.keyboard.press('Control+Shift+Escape');
      const other = deft.window.chat(1);
      const composer = other.getByRole('textbox', { name: 'Message' });
      await composer.waitFor({ timeout: 30_000 });
      await composer.fill('Change it');
      await composer.press('Enter');
      await other.getByRole('group', { name: `Approve: Edit ${second}`, exact: true }).waitFor();
    };
    const decided = async (): Promise<void> => {
      for (const chat of [deft.window.chat(0), deft.window.chat(1)]) {
        await chat.getByRole('group', { name: /^Approve: / }).waitFor({ state: 'detached' });
        await chat.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
      }
    };
    afterEach(() => deft.window.command('View: Close All Editors'));

    it('accept both', async () => {
      await proposed('a.txt', 'b.txt');
      await deft.window.command('Deft: Accept All Proposed Edits');
      await decided();
      await hold(['a.txt', 'b.txt'], 'after\n');
    });

    it('reject both', async () => {
      await proposed('c.txt', 'd.txt');
      await deft.window.command('Deft: Reject All Proposed Edits');
      await decided();
      assert.equal(deft.requests(), 2, 'both turns end');
      await hold(['c.txt', 'd.txt'], 'before\n');
    });
  });
});
