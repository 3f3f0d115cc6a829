// The main job without a mouse: nothing here clicks, and no locator is asked to.
import assert from 'node:assert/strict';
import { reply, text, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { proposalEditor, proposedText } from './support/proposal';
import { answers, readAndEdit, runs } from './support/replies';

describe('the keyboard', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.js': 'let first = 1;\nlet second = 2;\n' } })));
  after(() => deft.close());

  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => deft.window.page.keyboard.press(key)), Promise.resolve());
  /** The accessible name of what has the focus in the chat; empty where the focus is elsewhere. */
  const focused = () =>
    deft
      .chat()
      .locator('body')
      .evaluate(({ ownerDocument }) => {
        const element = ownerDocument.hasFocus() ? ownerDocument.activeElement : null;
        return (
          element?.getAttribute('aria-label') ??
          element?.querySelector('.button-label')?.textContent ??
          element?.textContent ??
          ''
        );
      });

  /** Presses `key` until `name` has the focus. A key takes effect in the view's own process: the next one waits for it. */
  async function goTo(name: string, key: 'Tab' | 'Shift+Tab'): Promise<void> {
    let before = await focused();
    for (let presses = 0; presses < 40 && before !== name; presses++) {
      await press(key);
      let now = await focused();
      // Two neighbours may have the same name.
      for (let looks = 0; now === before && looks < 20; looks++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
        now = await focused();
      }
      before = now;
    }
    if (before === name) return;
    assert.fail(`${key} does not reach ${name}.`);
  }

  it('does the whole main job', async () => {
    const { page } = deft.window;
    deft.script(
      readAndEdit(
        `${deft.window.folder}/a.js`,
        'let first = 1;\nlet second = 2;',
        'const first = 1;\nconst second = 2;',
      ),
      runs('node --check a.js && echo checked'),
      answers('It is checked.'),
    );
    await page.keyboard.type('Use const');
    await press('Enter');
    await deft.approval('Approve: Edit a.js').waitFor();
    await proposalEditor(page).waitFor();

    await goTo('Open diff', 'Shift+Tab');
    await press('Enter');
    await eventually(
      () => proposalEditor(page).evaluate((editor) => editor.contains(editor.ownerDocument.activeElement)),
      'The diff does not get the focus.',
    );
    await press('Control+Home', 'End');
    await page.keyboard.type(' // one');
    await eventually(async () => (await proposedText(page)).includes('// one'), 'Nothing was typed.');
    await press('Control+Escape');
    await eventually(async () => (await focused()) === 'Message', 'Ctrl+Escape does not lead into the chat.');
    await press('Alt+Enter');
    await deft.approval(/^Approve: Bash/).waitFor();
    assert.equal(deft.window.read('a.js'), 'const first = 1; // one\nconst second = 2;\n');
    assert.match(lastText(await deft.request(2)), /^\+.*\/\/ one$/m);

    await goTo('Reject', 'Shift+Tab');
    await press('Shift+Tab');
    await eventually(async () => (await focused()) === 'Accept', 'Accept does not stand before Reject.');
    await press('Enter');
    await deft.says('It is checked.');
    await deft.idle();
    assert.match(lastText(await deft.request(3)), /checked/);
    await eventually(async () => (await focused()) === 'Message', 'The focus is lost when the card goes.');
  });

  it('reaches what the conversation holds, and opens it', async () => {
    await goTo('Details of Ran node --check a.js && echo checked', 'Shift+Tab');
    const output = deft.card(/^Ran node/).getByRole('region', { name: 'End of the output' });
    // A command that took long enough to show what it printed is open already.
    if (await output.isVisible()) await press('Enter');
    await output.waitFor({ state: 'detached' });
    await press('Enter');
    await output.getByText('checked').waitFor();
    await press('Enter');
    await output.waitFor({ state: 'detached' });
  });

  it('rejects with a reason', async () => {
    deft.script(
      reply(text('Once more.'), toolUse('Bash', { command: 'node --check a.js && echo again' })),
      answers('Not again.'),
    );
    await goTo('Message', 'Tab');
    await deft.window.page.keyboard.type('Again');
    await press('Enter');
    await deft.approval(/^Approve: Bash/).waitFor();
    await goTo('Tell the agent why', 'Shift+Tab');
    await deft.window.page.keyboard.type('Once is enough');
    await press('Enter');
    await deft.says('Not again.');
    assert.match(lastText(await deft.request(2)), /Once is enough/);
  });

  it('opens the history, finds its way in it, and comes back', async () => {
    const history = deft.chat().getByRole('main', { name: 'History' });
    await deft.window.command('Deft: Show History');
    await history.waitFor();
    await eventually(async () => (await focused()) === 'Search sessions', 'The search does not get the focus.');
    await history
      .getByText(/^Use const/)
      .first()
      .waitFor();
    await press('ArrowDown');
    await eventually(async () => (await focused()).startsWith('Use const'), 'The list does not get the focus.');
    await press('Escape');
    await history.waitFor({ state: 'detached' });
    await eventually(async () => (await focused()) === 'Message', 'The composer does not get the focus back.');
  });
});
