// How many clicks and keys everyday goals take, as docs/ux.md has them. The first answer without a key is counted in first-run.test.ts.
import assert from 'node:assert/strict';
import { gate, reply, text, toolUse } from '../support/messages-api/script';
import { eventually, lastText, mentionOptions, openDeft, type DeftWindow } from './support/deft';
import { openAndFocus } from './support/editor';
import { takesAsSaid } from './support/goals';
import { answers, opened, readAndEdit, runs } from './support/replies';

const names = ['one', 'two', 'three', 'four'];
const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
const files = Object.fromEntries(names.map((name) => [`src/${name}.txt`, `${lines}\n`]));

describe('everyday goals', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files, viewport: { width: 1400, height: 900 } })));
  after(() => deft.close());

  const at = (name: string): string => `${deft.window.folder}/src/${name}.txt`;

  it('accept one edit, then four of one reply', async () => {
    const { page } = deft.window;
    deft.script(readAndEdit(at('one'), 'line 3\n', 'Line 3\n'), answers('One is done.'));
    await deft.send('One');
    await deft.approval(/^Approve: Edit/).waitFor();
    await takesAsSaid('Accept an edit', (hand) => hand.press(page, 'Alt+Enter'));
    await deft.says('One is done.');
    await deft.idle();

    deft.script(
      reply(...names.map((name) => toolUse('Read', { file_path: at(name) }))),
      reply(
        ...names.map((name) =>
          toolUse('Edit', { file_path: at(name), old_string: 'line 5\n', new_string: 'Line 5\n' }),
        ),
      ),
      answers('All four are done.'),
    );
    await deft.send('All four');
    await deft.button('Accept all 4').waitFor();
    await takesAsSaid('Accept four edits of one reply', (hand) => hand.click(deft.button('Accept all 4')));
    await deft.says('All four are done.');
    await deft.idle();
    for (const name of names) assert.match(deft.window.read(`src/${name}.txt`), /^Line 5$/m);
  });

  it('review all changes, and comment on one of their lines', async () => {
    const { page } = deft.window;
    const review = deft
      .chat()
      .getByRole('region', { name: 'Edited files' })
      .getByRole('button', { name: 'Review all' });
    await takesAsSaid('Review all changes of a session', (hand) => hand.click(review));
    await page.locator('.tab.active', { hasText: 'Deft: changes since this session began' }).waitFor();
    const line = page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: /Line\s5/ }).first();
    await line.waitFor();
    await line.click();
    await takesAsSaid('Comment on a changed line', async (hand) => {
      await hand.press(page, 'Shift+Alt+K');
      await page.locator('.review-widget .monaco-editor.focused').waitFor();
      await page.keyboard.type('Why?');
      await page.locator('.review-widget .monaco-text-button:not(.disabled)', { hasText: 'Add Comment' }).waitFor();
      await hand.press(page, 'Control+Enter');
    });
    await page.locator('.review-widget .comment-body', { hasText: 'Why?' }).waitFor();
    await deft.window.command('Deft: Discard Comments');
    await deft.window.command('View: Close All Editors');
  });

  it('reject one change of an edit and say why', async () => {
    const before = deft.window.read('src/two.txt');
    const after = before.replace('line 2\n', 'Line 2\n').replace('line 19\n', 'Line 19\n');
    deft.script(
      reply(toolUse('Read', { file_path: at('two') }), toolUse('Write', { file_path: at('two'), content: after })),
      answers('Two is done.'),
    );
    await deft.send('Two');
    const card = deft.approval(/^Approve: Write/);
    await card.waitFor();
    await takesAsSaid('Reject one change of an edit and say why', async (hand) => {
      await hand.click(card.getByRole('button', { name: 'Take back' }).last());
      await card.getByText('Changed by you').waitFor();
      await card.getByRole('textbox').fill('Line 19 stays.');
      await hand.click(card.getByRole('button', { name: 'Accept', exact: true }));
    });
    assert.match(lastText(await deft.request(2)), /Line 19 stays\./);
    await deft.says('Two is done.');
    await deft.idle();
    assert.equal(deft.window.read('src/two.txt'), before.replace('line 2\n', 'Line 2\n'));
  });

  it('allow a command for ever', async () => {
    deft.script(runs('node -p 6*7'), answers('It is 42.'));
    await deft.send('Run it');
    const always = deft.button(/^Always allow .* in this project$/);
    await always.waitFor();
    await takesAsSaid('Allow a command for ever', (hand) => hand.click(always));
    await deft.says('It is 42.');
    await deft.idle();
    assert.match(deft.window.read('.claude/settings.local.json'), /Bash\(node/);
  });

  it('send while the agent works, and stop it', async () => {
    const held = opened();
    deft.script(reply(text('A moment', gate(held.promise), ', and done.')), answers('That, too.'));
    await deft.send('Take your time');
    await deft.says('A moment');
    await deft.composer().fill('And that');
    await takesAsSaid('Send while the agent works', (hand) => hand.press(deft.composer(), 'Enter'));
    await deft.chat().getByText('And that').first().waitFor();
    held.open();
    await deft.says('That, too.');
    await deft.idle();

    const never = opened();
    deft.script(reply(text('For ever', gate(never.promise))));
    await deft.send('Once more');
    await deft.says('For ever');
    await takesAsSaid('Stop the agent', (hand) => hand.press(deft.composer(), 'Escape'));
    await deft.idle();
    never.open();
  });

  it('mention a file, switch the model, and see the cost', async () => {
    const { page } = deft.window;
    await deft.composer().pressSequentially('@thr');
    await mentionOptions(deft).filter({ hasText: 'three.txt' }).waitFor();
    await takesAsSaid('Mention a file', (hand) => hand.press(deft.composer(), 'Enter'));
    await eventually(async () => (await deft.composer().inputValue()) === '@src/three.txt ', 'Nothing is mentioned.');
    await deft.composer().fill('');

    await takesAsSaid('See what a session costs', async () => {
      await deft.chat().getByText(/^\$\d/).first().waitFor();
    });

    const picker = page.locator('.quick-input-widget');
    await takesAsSaid('Switch the model', async (hand) => {
      await hand.click(deft.button(/^Model: /));
      const row = picker.locator('.monaco-list-row', { hasText: 'claude-haiku' }).first();
      await row.waitFor();
      await hand.click(row);
    });
    await deft.button(/^Model: .*haiku/i).waitFor();
  });

  it('go back to an earlier message', async () => {
    const turn = deft.chat().getByRole('article', { name: 'You: Two' });
    await turn.scrollIntoViewIfNeeded();
    await turn.hover();
    await takesAsSaid('Go back to an earlier message', async (hand) => {
      await hand.click(turn.getByRole('button', { name: /^Rewind to: / }));
      await hand.click(turn.getByRole('menuitem', { name: 'Rewind code to here' }));
      await hand.click(deft.window.page.getByRole('dialog').getByRole('button', { name: 'Rewind', exact: true }));
    });
    await eventually(() => /^line 2$/m.test(deft.window.read('src/two.txt')), 'Nothing is put back.');
  });

  it('open a second chat, see that it waits, and go there', async () => {
    const { page } = deft.window;
    await takesAsSaid('Open a second chat', (hand) => hand.press(page, 'Control+Shift+Escape'));
    const tab = deft.window.chat(1);
    const box = tab.getByRole('textbox', { name: 'Message' });
    await box.waitFor({ timeout: 30_000 });
    deft.script(runs('node -p 7*7'), answers('It is 49.'));
    await box.fill('Run the other');
    await box.press('Enter');
    const approval = tab.getByRole('group', { name: /^Approve: Bash/ });
    await approval.waitFor({ timeout: 30_000 });
    await openAndFocus(page, 'src/four.txt');
    await takesAsSaid('See which chat waits', async () => {
      await page.locator('.statusbar').getByText('1 chat waits').waitFor();
    });
    await takesAsSaid('Go to the chat that waits', (hand) => hand.press(page, 'Alt+F6'));
    await approval.getByRole('button', { name: 'Accept' }).click();
    await tab.getByRole('log', { name: 'Conversation' }).getByText('It is 49.').waitFor();
  });
});
