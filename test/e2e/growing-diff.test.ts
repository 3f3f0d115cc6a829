// What Deft is going to write, in the chat while it is written: nothing on the disk before it is accepted, nothing left of it after a reload.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { heldToolUse, reply } from '../support/messages-api/script';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

const never = new Promise<never>(() => undefined);
const content = Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join('');

describe('a file that is being written', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' } })));
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const written = () => deft.chat().getByRole('region', { name: 'Writing new.txt …' });
  const writes = (until: Promise<unknown>) =>
    reply(heldToolUse('Write', { file_path: `${deft.window.folder}/new.txt`, content }, 'line 30\\n', until));

  it('shows its lines, then asks, then shows the diff', async () => {
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    deft.script(writes(held), answers('All done.'));
    await deft.send('Write it');
    await written()
      .getByText(/line 30$/)
      .waitFor();
    await deft.conversation().getByText('30 lines', { exact: true }).waitFor();
    assert.equal(await deft.approval().count(), 0);
    assert.equal(existsSync(`${deft.window.folder}/new.txt`), false);
    go();
    await deft.approval('Approve: Write new.txt').waitFor();
    await written().waitFor({ state: 'detached' });
    assert.equal(existsSync(`${deft.window.folder}/new.txt`), false);
    await deft.button('Accept').click();
    await deft.says('All done.');
    await eventually(() => deft.window.read('new.txt') === content, 'The file is not as it was written.');
    await deft.chat().getByRole('region', { name: 'Changes in new.txt' }).waitFor();
  });

  it('is gone after a reload in the middle of it', async () => {
    deft.script(writes(never));
    await deft.send('Write it');
    await written()
      .getByText(/line 30$/)
      .waitFor();
    deft.script(answers('It stays as it was.'));
    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    await deft.says('Write it');
    await deft.idle();
    assert.equal(await deft.conversation().getByText('Writing').count(), 0);
    await deft.send('Leave it');
    await deft.says('It stays as it was.');
  });
});
