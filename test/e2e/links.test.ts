// Links that a model writes into an answer: what opens, what asks first, and what never opens.
import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { editorText } from './support/editor';
import { answers } from './support/replies';

describe('links in an answer', () => {
  let deft: DeftWindow;
  let outside: string;
  before(async () => {
    deft = await openDeft({ files: { 'src/price.js': 'const price = 1;\n' } });
    outside = `${deft.window.folder}-outside.txt`;
    writeFileSync(outside, 'not of this workspace\n');
    symlinkSync(outside, path.join(deft.window.folder, 'leak.txt'));
  });
  after(async () => {
    await deft.close();
    rmSync(outside, { force: true });
  });

  const link = (name: string) => deft.chat().getByRole('link', { name });
  const shows = (text: string) =>
    eventually(
      async () => (await editorText(deft.window.page)).trim() === text,
      `No editor shows ${JSON.stringify(text)}.`,
    );

  it("open the workspace's files, ask before others by their full path, and never another machine's", async () => {
    const { page } = deft.window;
    deft.script(
      answers(
        `[inside](src/price.js) [leak](leak.txt) [direct](file://${outside}) [share](//host/share/a.txt) [order](command:workbench.action.quit) Done.`,
      ),
    );
    await deft.send('Link me');
    await deft.says('Done.');
    await deft.idle();
    await link('inside').click();
    await shows('const price = 1;');
    const dialog = page.getByRole('dialog').filter({ hasText: 'outside the workspace' });
    for (const name of ['leak', 'direct']) {
      await link(name).click();
      await dialog.waitFor();
      assert.match((await dialog.textContent()) ?? '', new RegExp(outside.replaceAll('.', '\\.')), name);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await shows('const price = 1;');
    }
    await link('direct').click();
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await shows('not of this workspace');
    assert.deepEqual(await Promise.all(['share', 'order'].map((name) => link(name).count())), [0, 0]);
  });
});
