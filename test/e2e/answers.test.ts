// What is done with an answer in a window: its code goes to the cursor of the editor, or the chat says why not.
import assert from 'node:assert/strict';
import { openDeft, type DeftWindow } from './support/deft';
import { editorText, openAndFocus } from './support/editor';
import { eventually } from './support/deft';
import { answers } from './support/replies';

describe('answers', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.js': '' } })));
  after(() => deft.close());

  it('go into the editor, and not where none is open', async () => {
    deft.script(answers('Use this:\n\n```js\nlet inserted = 1;\n```\n'));
    await deft.send('How?');
    await deft.says('let inserted = 1;');
    await deft.idle();
    await deft.button('Insert at cursor').click();
    await deft
      .card('The code was not inserted.')
      .getByText(/No file is open/)
      .waitFor();
    await openAndFocus(deft.window.page, 'a.js');
    await deft.button('Insert at cursor').click();
    await eventually(
      async () => (await editorText(deft.window.page)).replaceAll('\u00a0', ' ').includes('let inserted = 1;'),
      'The code is not in the editor.',
    );
    assert.equal(deft.window.read('a.js'), '', 'it is not saved');
  });
});
