// deft_review and deft_rewind as another extension uses them: what waits for review, and a rewind that the user agrees to.
import assert from 'node:assert/strict';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { answers, readAndEdit } from './support/replies';

describe('the tools that Deft gives to others', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({ extraExtension: 'test/support/tool-extension', files: { 'a.txt': 'one\n' } });
    await deft.button('Mode: Manual').click();
    await deft.chat().getByRole('menuitemradio', { name: 'Edit automatically' }).click();
  });
  after(() => deft.close());

  const message = (text: RegExp) => deft.window.page.locator('.notification-list-item').filter({ hasText: text });

  it('say what waits for review, and rewind once the user agrees', async () => {
    await deft.window.command('Test: What Waits in Deft');
    await message(/No change of Deft waits for review\./).waitFor();
    deft.script(readAndEdit(`${deft.window.folder}/a.txt`, 'one', 'two'), answers('It is two.'));
    await deft.send('Make it two');
    await deft.says('It is two.');
    await deft.idle();
    assert.equal(deft.window.read('a.txt'), 'two\n');
    await deft.window.command('Test: What Waits in Deft');
    await message(/1 file waits for review in Deft:\s*a\.txt: \+1 −1, 1 change/).waitFor();

    await deft.window.command('Test: Rewind Deft');
    const dialog = deft.window.page.getByRole('dialog');
    await dialog.getByText('Rewind the work of Deft?').waitFor();
    await dialog.getByText('1 file will be put back as before the message "Make it two".').waitFor();
    await deft.window.picture('way-back-question');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await message(/Not rewound: /).waitFor();
    assert.equal(deft.window.read('a.txt'), 'two\n');

    await deft.window.command('Test: Rewind Deft');
    await dialog.getByText('Rewind the work of Deft?').waitFor();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await eventually(() => deft.window.read('a.txt') === 'one\n', 'The file is not put back.');
    await message(/Put back 1 file: a\.txt\./).waitFor();
  });
});
