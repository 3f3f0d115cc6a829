// A page in a browser from the chat: the card shows its picture, a page elsewhere is asked about; and what @changes and @terminal attach.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type FaultyApp, refOf, startFaultyApp } from '../support/faulty-app';
import { reply, toolUse } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { eventually, lastText, mentionOptions, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';
import { lookedAt } from './support/window';

describe('Page in the chat', () => {
  let app: FaultyApp;
  before(async () => (app = await startFaultyApp()));
  after(() => app.close());

  for (const theme of lookedAt(['light'], ['dark'])) {
    it(`opens, clicks and shows a picture in its card (${theme})`, async () => {
      const deft = await openDeft({ theme });
      try {
        deft.script(
          reply(toolUse('Page', { action: 'open', url: `${app.url}/mosaic` }, 'toolu_open')),
          answers('It has a button.'),
        );
        await deft.send('What is on the page?');
        await deft.says('It has a button.');
        await deft.idle();
        const tree = lastText(await deft.request(2));
        deft.script(
          reply(toolUse('Page', { action: 'click', ref: refOf(tree, /button "Plus/) }, 'toolu_click')),
          reply(toolUse('Page', { action: 'screenshot' }, 'toolu_picture')),
          answers('It counts by two.'),
        );
        await deft.send('Does the counter work?');
        await deft.says('It counts by two.');
        await deft.idle();
        assert.match(lastText(await deft.request(2)), /Changed:\n- .*Count 0\n\+ .*Count 2/);
        await deft.card(/^Opened 127\.0\.0\.1:\d+\/mosaic$/).waitFor();
        const card = deft.card('Took a picture of the page');
        const picture = card.getByRole('img', { name: 'Picture of Shop' });
        await picture.waitFor();
        await eventually(
          async () => (await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)) === 1_280,
          'The picture is not drawn.',
        );
        await deft.window.picture(`e2e-page-${theme}`);
        assert.deepEqual(await seriousProblems(deft.chat()), []);
        await card.getByRole('button', { name: /^Picture of Shop/ }).click();
        await deft.window.picture(`e2e-page-whole-${theme}`);
        if (theme === 'dark') return;
        deft.script(
          reply(toolUse('Page', { action: 'open', url: 'https://elsewhere.invalid/' }, 'toolu_out')),
          answers('Not then.'),
        );
        await deft.send('And elsewhere?');
        await deft.approval(/^Approve: Page/).waitFor();
        await deft.button('Reject').click();
      } finally {
        await deft.close();
      }
    });
  }
});

describe('what is mentioned by a name of its own', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      files: {
        'a.txt': 'one\n',
        'secret.env': 'KEY=1\n',
        '.claude/settings.json': '{"permissions":{"deny":["Read(*.env)"]}}',
      },
    });
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args], { cwd: deft.window.folder });
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'First');
    deft.window.write('a.txt', 'one\ntwo\n');
    deft.window.write('secret.env', 'KEY=2\n');
    deft.window.write('b.txt', 'new\n');
  });
  after(() => deft.close());

  it('@changes is offered, and attaches the uncommitted changes without what rules hide', async () => {
    deft.script(answers('Two of them.'));
    await deft.composer().pressSequentially('What is in @cha');
    const options = mentionOptions(deft);
    await options.filter({ hasText: 'what is not committed' }).waitFor();
    await deft.window.picture('e2e-mention-changes');
    await deft.composer().press('Enter');
    await eventually(
      async () => (await deft.composer().inputValue()) === 'What is in @changes ',
      'The mention is not written out.',
    );
    await deft.composer().press('Enter');
    await deft.says('Two of them.');
    await deft.idle();
    const sent = lastText(await deft.request(1));
    assert.match(sent, /<attachment shows="changes">\nUncommitted in .*:\n M a\.txt\n\?\? b\.txt\n/);
    assert.match(sent, /rules hide them: 1 file\.[^]*diff --git a\/a\.txt b\/a\.txt[^]*\n\+two/);
    assert.doesNotMatch(sent, /secret|KEY/);
  });

  it('@terminal attaches the last command of the terminal in front, or says that there is none', async () => {
    deft.script(answers('No command.'));
    await deft.send('What is in @terminal?');
    await deft.says('No command.');
    await deft.idle();
    assert.match(lastText(await deft.request(1)), /<attachment shows="terminal">\nNo terminal is open: /);
    const { page } = deft.window;
    await deft.window.command('Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper.active .xterm-screen').waitFor({ timeout: 30_000 });
    await page.locator('.terminal-wrapper.active textarea').focus();
    await page.keyboard.type('sleep 1; echo price $((40 + 2)); false\n');
    await eventually(async () => {
      deft.script(answers('I see it.'));
      await deft.send('And in @terminal?');
      await deft.says('I see it.');
      await deft.idle();
      return /\$ sleep 1; echo price .*\nprice 42\nExit code 1\./.test(lastText(await deft.request(1)));
    }, 'The command is not attached.');
  });
});
