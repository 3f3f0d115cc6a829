// Restricted mode: one can talk, and nothing is written or run.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { reply, toolUse } from '../support/messages-api/script';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('restricted mode', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' }, workspaceTrust: true })));
  after(() => deft.close());

  it('reads and answers, and denies edits and commands with a sentence', async () => {
    const file = `${deft.window.folder}/a.txt`;
    const made = path.join(deft.window.folder, 'made.txt');
    await deft
      .chat()
      .getByText(/^Restricted Mode: /)
      .waitFor();
    deft.script(
      reply(toolUse('Read', { file_path: file })),
      reply(
        toolUse('Edit', { file_path: file, old_string: 'alpha', new_string: 'beta' }),
        toolUse('Bash', { command: `touch ${made}` }),
      ),
      answers('I can only look.'),
    );
    await deft.send('Change it');
    await deft.says('I can only look.');
    assert.match(lastText(await deft.request(2)), /alpha/);
    const denials = lastText(await deft.request(3));
    assert.equal(denials.match(/Permission denied: [^\n]*(trust|restricted)/gi)?.length, 2, denials);
    assert.equal(deft.window.read('a.txt'), 'alpha\n');
    assert.ok(!existsSync(made));
    await deft.card('Edit a.txt').getByText('denied').first().waitFor();
    assert.equal(await deft.approval().count(), 0);
  });
});
