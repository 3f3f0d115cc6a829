// Details of the chat in a real window: what is taken back, what approvals offer, what a card and the selection show.
import assert from 'node:assert/strict';
import { gate, reply, text, toolUse } from '../support/messages-api/script';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { openAndFocus } from './support/editor';
import { proposalEditor } from './support/proposal';
import { answers, opened, readAndEdit, runs } from './support/replies';

/** One pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const priceFile = 'export const price = 1;\n';

describe('details', () => {
  let deft: DeftWindow;
  before(
    async () =>
      (deft = await openDeft({
        files: { 'src/a/rather/deep/folder/price-of-all-items.js': priceFile, 'price.js': priceFile },
      })),
  );
  after(() => deft.close());
  beforeEach(async () => {
    await deft.newSession();
    await deft.composer().fill('');
  });

  const queue = () => deft.chat().getByRole('list', { name: 'Queued messages' });

  it('takes a queued message back with its image', async () => {
    const held = opened();
    deft.script(reply(text('Working', gate(held.promise), '.')), answers('Seen.'));
    await deft.send('Work');
    await deft.says('Working');
    await deft.composer().evaluate((textbox, base64) => {
      const data = new DataTransfer();
      data.items.add(
        new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], 'pixel.png', {
          type: 'image/png',
        }),
      );
      textbox.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, pixel);
    const images = deft.chat().getByRole('list', { name: 'Attached images' });
    await images.getByRole('img').waitFor();
    await deft.send('And this');
    await queue().getByText('And this').waitFor();
    await images.waitFor({ state: 'detached' });
    await deft.composer().press('ArrowUp');
    await images.getByRole('img').waitFor();
    await queue().waitFor({ state: 'detached' });
    assert.equal(await deft.composer().inputValue(), 'And this');
    held.open();
    await deft.idle();
    assert.equal(deft.requests(), 1);
    await deft.composer().press('Enter');
    await deft.says('Seen.');
    assert.match(JSON.stringify((await deft.request(2)).at(-1)?.content), /"media_type":"image\/png"/);
    await deft.idle();
  });

  it('offers one "Always allow", names the encoding of the proposal, and takes the other rule on demand', async () => {
    const { page } = deft.window;
    const file = `${deft.window.folder}/price.js`;
    deft.script(
      readAndEdit(file, '1', '2'),
      reply(toolUse('Edit', { file_path: file, old_string: '2', new_string: '3' })),
      answers('Raised.'),
    );
    await deft.send('Raise the price');
    const approval = deft.approval('Approve: Edit price.js');
    await approval.waitFor();
    await proposalEditor(page).waitFor();
    await proposalEditor(page).locator('.view-line').first().click();
    await page.locator('.part.statusbar').getByText('UTF-8', { exact: true }).waitFor();
    const always = approval.getByRole('button', { name: /^Always allow/ });
    assert.deepEqual(await always.allTextContents(), ['Always allow edits in this session']);
    await approval.getByRole('button', { name: 'Other rules' }).click();
    await approval.getByRole('button', { name: /^Always allow editing .*price\.js/ }).click();
    await deft.says('Raised.');
    await deft.idle();
    assert.equal(deft.window.read('price.js'), 'export const price = 3;\n');
    await deft.button('Mode: Manual').waitFor();
    await deft.window.command('View: Close All Editors');
  });

  it('shows a command as it runs, paths and all', async () => {
    const command = `node --check ${deft.window.folder}/price.js`;
    deft.script(runs(command), answers('It is fine.'));
    await deft.send('Is it well formed?');
    await deft.approval(`Approve: Bash ${command}`).waitFor();
    await deft.button('Accept').click();
    await deft.says('It is fine.');
    await deft.card(`Ran ${command}`).waitFor();
    await deft.idle();
  });

  it('names the file of the selection in a narrow side bar', async () => {
    const { page } = deft.window;
    await openAndFocus(page, 'src/a/rather/deep/folder/price-of-all-items.js');
    await page.keyboard.press('Control+A');
    const end = deft.chat().getByText('.js:1-1', { exact: true });
    await end.waitFor();
    const inView = () =>
      end.evaluate((element) => element.getBoundingClientRect().right < document.documentElement.clientWidth);
    await eventually(inView, 'The lines are out of view.');
    await deft.window.command('View: Close All Editors');
  });
});
