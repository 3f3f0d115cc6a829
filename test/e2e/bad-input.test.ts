// What can go wrong outside of Deft: each gets a sentence, nothing is lost, no command runs twice.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { dropAfter, httpError, reply, text, toolUse } from '../support/messages-api/script';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { answers, readAndEdit } from './support/replies';

describe('bad input', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      files: { 'locked.txt': 'locked\n', 'gone.txt': 'gone\n', 'a.txt': 'alpha\n', '.claude/settings.json': '{}\n' },
      settings: { 'files.readonlyInclude': { 'locked.txt': true } },
    });
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const inFolder = (file: string): string => path.posix.join(deft.window.folder, file);

  it('names an unknown model and offers another', async () => {
    deft.script(httpError(404, 'not_found_error', 'model: claude-nope'));
    await deft.send('Hello?');
    const failed = deft.card('This model is not available here.');
    await failed.getByText(/The model does not exist at [\d.:]+: model: claude-nope\. Pick another model\./).waitFor();
    await failed.getByRole('button', { name: 'Pick another model' }).waitFor();
    await deft.idle();
    deft.script(answers('Here I am.'));
    await deft.send('And now?');
    await deft.says('Here I am.');
  });

  it('tries again when the model is overloaded, and runs no finished tool twice', async () => {
    const command = `echo once >> ${inFolder('log.txt')}`;
    deft.script(
      reply(toolUse('Bash', { command })),
      httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '2' }),
      answers('Written once.'),
    );
    await deft.send('Write it');
    await deft.approval(/^Approve: Bash/).waitFor();
    await deft.button('Accept').click();
    const waiting = deft.card(/The model is overloaded/);
    await waiting.getByText(/Deft is retrying: attempt 2 of \d+/).waitFor();
    await waiting.getByText(/Next try in/).waitFor();
    await deft.says('Written once.');
    assert.equal(await waiting.count(), 0, 'the card of the retry is gone');
    assert.equal(deft.window.read('log.txt'), 'once\n');
    await deft.idle();
  });

  it('goes on after the stream was lost behind a finished call, which does not run twice', async () => {
    const command = `echo again >> ${inFolder('dropped.txt')}`;
    deft.script(
      dropAfter(reply(text('I write it.'), toolUse('Bash', { command }), text('It is being written, and then more.')), {
        events: 12,
      }),
      answers('Carried on.'),
    );
    await deft.send('Write it');
    await deft.approval(/^Approve: Bash/).waitFor();
    await deft.button('Accept').click();
    await deft.says('Carried on.');
    assert.equal(deft.window.read('dropped.txt'), 'again\n');
    await deft.idle();
  });

  it('leaves a read-only file alone and says so', async () => {
    deft.script(readAndEdit(inFolder('locked.txt'), 'locked', 'open'), answers('It is locked.'));
    await deft.send('Open it');
    await deft.approval('Approve: Edit locked.txt').waitFor();
    await deft.button('Accept').click();
    await deft.says('It is locked.');
    assert.match(lastText(await deft.request(2)), /locked\.txt.*read-only/i);
    assert.equal(deft.window.read('locked.txt'), 'locked\n');
    await deft.card('Edit locked.txt').getByText('failed', { exact: true }).first().waitFor();
    await deft.idle();
  });

  it('notices that the file went away before the edit was accepted', async () => {
    deft.script(readAndEdit(inFolder('gone.txt'), 'gone', 'here'), answers('It went away.'));
    await deft.send('Change it');
    await deft.approval('Approve: Edit gone.txt').waitFor();
    rmSync(inFolder('gone.txt'));
    await deft.button('Accept').click();
    await deft.says('It went away.');
    assert.match(lastText(await deft.request(2)), /gone\.txt/);
    await deft.card('Edit gone.txt').getByText('failed', { exact: true }).first().waitFor();
    assert.throws(() => deft.window.read('gone.txt'), 'the file is not made anew');
    await deft.idle();
  });

  it('shows where a settings file cannot be read', async () => {
    deft.window.write('.claude/settings.json', '{\n  "permissions": {\n    "allow": ["Bash(ls)" "Read"]\n  }\n}\n');
    const card = deft.card('A settings file cannot be read.');
    await card.getByText(/settings\.json:3:\d+: /).waitFor();
  });
});
