// Terminals and source control: what a command wrote goes into the message, and a model writes the message of a commit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { notification, quickPickRow, shownLines } from '../rig/workbench';
import { gate, reply, text } from '../support/messages-api/script';
import { eventually, lastText, openChat, openDeft, type DeftWindow } from './support/deft';
import { answers, opened, runs } from './support/replies';

describe('terminals and source control', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'src/price.js': 'export const price = 1;\n' } })));
  after(() => deft.close());

  const composed = () => deft.composer().inputValue();

  describe('the output of a terminal', () => {
    it('is offered once there is some', async () => {
      await deft.window.command('Deft: Add Terminal Output to Chat');
      await deft.window.page
        .getByText(/no command has run since Deft started in this window/)
        .first()
        .waitFor();
    });

    it("comes from the user's own shell", async () => {
      const { page } = deft.window;
      await deft.window.command('Terminal: Create New Terminal');
      const rows = page.locator('.terminal-wrapper.active .xterm-rows');
      await eventually(async () => /[$#]/.test(await rows.innerText()), 'The shell shows no prompt.');
      await page.keyboard.type('sleep 0.3; echo "price $((40 + 2))"; false');
      await page.keyboard.press('Enter');
      await eventually(
        async () => (await rows.innerText()).replaceAll('\u00a0', ' ').includes('price 42'),
        'The command did not run.',
      );
      await deft.composer().fill('What does this say?');
      await deft.window.command('Deft: Add Terminal Output to Chat');
      await quickPickRow(page, 'sleep 0.3; echo "price $((40 + 2))"; false').click();
      await eventually(async () => (await composed()).includes('price 42'), 'The output is not in the composer.');
      assert.match(
        await composed(),
        /^What does this say\?\nTerminal output, exit code 1:\n```\n\$ sleep 0\.3; echo "price \$\(\(40 \+ 2\)\)"; false\nprice 42\n```\n$/,
      );
      deft.script(answers('A price.'));
      await deft.composer().press('Enter');
      await deft.says('A price.');
      assert.match(lastText(await deft.request(1)), /price 42/);
      await deft.idle();
    });

    it("comes from Deft's own runs", async () => {
      deft.script(runs('seq 1 400'), answers('Counted.'));
      await deft.send('Count');
      await deft.says('Counted.');
      await deft.idle();
      await deft.window.command('Deft: Add Terminal Output to Chat');
      await quickPickRow(deft.window.page, 'seq 1 400').click();
      await eventually(async () => (await composed()).includes('400'), 'The output is not in the composer.');
      assert.match(
        await composed(),
        /^Terminal output, exit code 0:\n```\n\$ seq 1 400\n\[the beginning of the output is omitted\]\n101\n102\n/,
      );
      await deft.composer().fill('');
    });
  });

  describe('a commit message', () => {
    before(async () => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
          cwd: deft.window.folder,
        });
      git('init', '--quiet');
      git('add', '.');
      git('commit', '--quiet', '-m', 'Add the price');
      deft.window.write('src/price.js', 'export const price = 2;\n');
      await deft.window.reload();
      await openChat(deft);
    });

    const box = () => deft.window.page.locator('.scm-view .scm-editor .monaco-editor').first();
    const message = async () => (await shownLines(box())).join('\n').trim();
    /** The buttons of a view show when the mouse is over it. */
    async function pressButton(): Promise<void> {
      await box().hover();
      await deft.window.page
        .locator('.part.sidebar')
        .getByRole('button', { name: 'Generate Commit Message' })
        .first()
        .click();
    }

    it('can be cancelled', async () => {
      const { page } = deft.window;
      await deft.window.command('Source Control: Focus on Changes View');
      await box().waitFor({ timeout: 60_000 });
      const held = opened();
      deft.script(reply(text('Never', gate(held.promise), ' seen')));
      await pressButton();
      await deft.request(1);
      const progress = notification(page, 'Deft writes a commit message');
      await progress.getByRole('button', { name: 'Cancel' }).click();
      // The notification is sent at once; the answer must not come before the extension host has received it.
      assert.equal(await deft.api.requests.at(-1)?.ended, 'client-closed');
      held.open();
      await progress.waitFor({ state: 'detached' });
      assert.equal(await message(), '');
    });

    it('is written by the button of source control, above what was typed', async () => {
      const { page } = deft.window;
      await box().click();
      await page.keyboard.type('see issue 7');
      deft.script(answers('Raise the price\n\nIt was too low.'));
      await pressButton();
      await eventually(
        async () => (await message()) === 'Raise the price\n\nIt was too low.\n\nsee issue 7',
        'The message is not in the box.',
      );
      const request = lastText(await deft.request(1));
      assert.match(request, /-export const price = 1;\n\+export const price = 2;/);
      assert.match(request, /Add the price/);
      await deft.window.picture('e2e-commit-message');
    });

    it('is written from the palette, and again in the place of the one before', async () => {
      const { page } = deft.window;
      await deft.window.command('Source Control: Focus on Changes View');
      await box().click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('see issue 7');
      deft.script(answers('Raise it'));
      await deft.window.command('Deft: Generate Commit Message');
      await eventually(async () => (await message()) === 'Raise it\n\nsee issue 7', 'The message is not in the box.');
      deft.script(answers('Double the price'));
      await deft.window.command('Deft: Generate Commit Message');
      await eventually(
        async () => (await message()) === 'Double the price\n\nsee issue 7',
        'The message is not in the box.',
      );
    });
  });
});
