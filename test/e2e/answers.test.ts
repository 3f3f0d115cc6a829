// What is done with an answer in a window: its code goes to the cursor of the editor or becomes a proposal, or the chat says why not.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
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

  it('become a proposal for the file that they name, which is written once it is accepted', async () => {
    deft.window.write('b.js', 'let before = 0;\n\nfunction twice(x) {\n  return x + x;\n}\n\nlet after = 1;\n');
    deft.script(answers('Like this:\n\n```js b.js\nfunction twice(x) {\n  return 2 * x;\n}\n```\n'));
    await deft.send('And twice?');
    await deft.says('return 2 * x;');
    await deft.idle();
    await deft.button('Apply to b.js').click();
    await deft.approval('Approve: Apply code to b.js').waitFor();
    assert.match(deft.window.read('b.js'), /x \+ x/, 'nothing is written before');
    await deft.button('Accept').click();
    await eventually(
      () =>
        deft.window.read('b.js') === 'let before = 0;\n\nfunction twice(x) {\n  return 2 * x;\n}\n\nlet after = 1;\n',
      'The code is not in the file.',
    );
    await deft.button('Apply to b.js').click();
    await deft.card('The code was not applied.').getByText('b.js says so already.').waitFor();
  });

  it('are not applied where they have no clear place, nor where the user rejects them', async () => {
    deft.script(
      answers(
        'This:\n\n```js b.js\nfunction thrice(x) {\n  return 3 * x;\n}\n```\n\nor a new file:\n\n```js c.js\nlet c;\n```\n',
      ),
    );
    await deft.send('And thrice?');
    await deft.says('return 3 * x;');
    await deft.idle();
    await deft.button('Apply to b.js').last().click();
    await deft
      .card('The code was not applied.')
      .getByText(/cannot tell where in b\.js it goes: its first line is not there/)
      .waitFor();
    await deft.button('Apply to c.js').click();
    await deft.approval('Approve: Apply code to c.js').waitFor();
    await deft.button('Reject').click();
    await deft.idle();
    assert.equal(existsSync(path.join(deft.window.folder, 'c.js')), false);
  });
});
