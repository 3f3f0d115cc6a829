// Rewind from a message: the preview, the tree as it was, the undo, and the conversation forked there.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openDeft, eventually, type DeftWindow } from './support/deft';
import { delayed, reply, toolUse } from '../support/messages-api/script';
import { answers, opened, readAndEdit, runs } from './support/replies';

describe('rewind', () => {
  let deft: DeftWindow;
  // In this mode edits and commands that only change files run unasked.
  before(async () => {
    deft = await openDeft();
    await deft.button('Mode: Manual').click();
    await deft.chat().getByRole('menuitemradio', { name: 'Edit automatically' }).click();
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const has = (name: string): boolean => existsSync(path.join(deft.window.folder, name));
  const rewind = async (message: string, choice: string): Promise<void> => {
    const turn = deft.chat().getByRole('article', { name: `You: ${message}` });
    await turn.getByRole('button', { name: /^Rewind to: / }).focus();
    await deft.window.page.keyboard.press('Enter');
    await turn.getByRole('menuitem', { name: choice }).waitFor();
    await deft.window.picture('rewind-menu');
    await turn.getByRole('menuitem', { name: choice }).click();
  };
  const dialog = () => deft.window.page.getByRole('dialog');

  it('puts back what an edit and a command changed, and Undo takes that back', async () => {
    deft.window.write('a.txt', 'one\n');
    deft.window.write('b.txt', 'one\n');
    rmSync(path.join(deft.window.folder, 'made'), { recursive: true, force: true });
    deft.script(
      readAndEdit(`${deft.window.folder}/a.txt`, 'one', 'two'),
      runs('sed -i s/one/two/ b.txt && mkdir made && echo x > made/c.txt'),
      answers('All is changed.'),
    );
    await deft.send('Change it');
    await deft.says('All is changed.');
    await deft.idle();
    const changed = () => [deft.window.read('a.txt'), deft.window.read('b.txt'), has('made/c.txt')];
    assert.deepEqual(changed(), ['two\n', 'two\n', true]);

    await rewind('Change it', 'Rewind code to here');
    await dialog().getByText('Restore a.txt').waitFor();
    await deft.window.picture('rewind-preview');
    await dialog().getByText('Delete made/c.txt').waitFor();
    await dialog().getByRole('button', { name: 'Rewind', exact: true }).click();
    await eventually(() => changed().join() === 'one\n,one\n,false' && !has('made'), 'The files are not as they were.');
    await deft.chat().getByRole('region', { name: 'Changed files' }).waitFor({ state: 'detached' });

    await deft.window.page.getByText('Put back 3 files.').first().waitFor();
    await deft.window.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(() => changed().join() === 'two\n,two\n,true', 'The rewind is not undone.');
  });

  it('says after "Undo all" what commands changed, and rewinds just that', async () => {
    deft.window.write('a.txt', 'one\n');
    deft.window.write('gone.txt', 'one\n');
    deft.window.write('old.txt', 'one\n');
    rmSync(path.join(deft.window.folder, 'new.txt'), { force: true });
    rmSync(path.join(deft.window.folder, 'hollow'), { recursive: true, force: true });
    deft.script(
      readAndEdit(`${deft.window.folder}/a.txt`, 'one', 'two'),
      runs('rm gone.txt && mv old.txt new.txt && mkdir hollow'),
      answers('All is moved.'),
    );
    await deft.send('Move it');
    // It deletes a file.
    await deft.approval().waitFor({ timeout: 30_000 });
    await deft.button('Accept').click();
    await deft.says('All is moved.');
    await deft.idle();
    const strip = deft.chat().getByRole('region', { name: 'Changed files' });
    await strip.getByRole('button', { name: 'Undo all' }).click();
    const told = deft.window.page.getByText(
      'Commands of this chat changed more, which stays as it is: gone.txt (removed), hollow/ (made), new.txt (made), old.txt (removed).',
    );
    await told.first().waitFor();
    await deft.window.picture('undo-all-left');
    await eventually(() => deft.window.read('a.txt') === 'one\n', 'The edit is not undone.');
    assert.deepEqual([has('gone.txt'), has('new.txt'), has('hollow')], [false, true, true]);

    await deft.window.page.getByRole('button', { name: 'Rewind These…' }).click();
    await dialog().getByText('Make again gone.txt').waitFor();
    await dialog().getByRole('button', { name: 'Rewind', exact: true }).click();
    await eventually(
      () => [has('gone.txt'), has('old.txt'), has('new.txt'), has('hollow')].join() === 'true,true,false,false',
      'What commands changed is not put back.',
    );
    assert.equal(deft.window.read('a.txt'), 'one\n');
  });

  it('forks the conversation before the message, whose text waits in the composer', async () => {
    deft.script(answers('All is changed.'), answers('And more.'));
    await deft.send('Begin');
    await deft.says('All is changed.');
    await deft.idle();
    await deft.send('Go on with it');
    await deft.says('And more.');
    await deft.idle();
    await rewind('Go on with it', 'Edit and send from here');
    await deft.chat().getByText('And more.').waitFor({ state: 'detached' });
    await deft.chat().getByText('All is changed.').waitFor();
    await eventually(
      async () => (await deft.composer().inputValue()) === 'Go on with it',
      'The text is not in the composer.',
    );
  });

  it('asks before it puts anything back where an agent still works', async () => {
    deft.window.write('a.txt', 'one\n');
    const gate = opened();
    const edits = readAndEdit(`${deft.window.folder}/a.txt`, 'one', 'two');
    const watches = toolUse('Agent', { description: 'Watch it', prompt: 'Watch', run_in_background: true });
    const main = [edits, reply(watches), answers('It watches.')];
    deft.api.setScript(({ body }) =>
      JSON.stringify((body['messages'] as unknown[])[0]).includes('"Watch"')
        ? delayed(answers('I saw.'), gate.promise)
        : (main.shift() ?? answers('Nothing more.')),
    );
    await deft.send('Change and watch');
    await deft.says('It watches.');
    await deft.idle();
    assert.equal(deft.window.read('a.txt'), 'two\n');

    await rewind('Change and watch', 'Edit from here and rewind code');
    const asks = dialog().filter({ hasText: 'This session has work in the background. Stop it and rewind?' });
    await asks.getByText(/Watch it/).waitFor();
    await asks.getByRole('button', { name: 'Cancel' }).click();
    await asks.waitFor({ state: 'detached' });
    assert.equal(deft.window.read('a.txt'), 'two\n');
    await deft.says('It watches.');

    await rewind('Change and watch', 'Edit from here and rewind code');
    await asks.getByRole('button', { name: 'Stop and Rewind' }).click();
    await dialog().getByRole('button', { name: 'Rewind', exact: true }).click();
    await eventually(() => deft.window.read('a.txt') === 'one\n', 'The file is not as it was.');
    await deft.chat().getByText('It watches.').waitFor({ state: 'detached' });
    gate.open();
  });
});
