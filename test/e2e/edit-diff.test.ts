// The name in the card of an edit: opens what that edit changed, whatever became of the file and of the window since.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { shownLines } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { answers, readAndEdit } from './support/replies';

describe('the name in the card of an edit', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'src/date.ts': 'let first = 1;\nlet second = 2;\n' } })));
  after(() => deft.close());

  const tab = (name: string): Locator => deft.window.page.locator('.part.editor .tab.active', { hasText: name });
  const sideText = async (side: 'original' | 'modified'): Promise<string> =>
    (
      await shownLines(
        deft.window.page.locator(`.monaco-diff-editor .editor.${side}`).filter({ visible: true }).first(),
      )
    ).join('\n');
  const opens = async (file: string, before: RegExp | undefined, after: RegExp): Promise<void> => {
    await deft.conversation().getByRole('link', { name: file, exact: true }).last().click();
    await tab(`${file.slice(file.lastIndexOf('/') + 1)} (this edit)`).waitFor({ timeout: 20_000 });
    await eventually(
      async () =>
        after.test(await sideText('modified')) && (before === undefined || before.test(await sideText('original'))),
      'The diff does not show the two texts.',
    );
  };

  it('opens the diff of an edit that was accepted in Manual mode', async () => {
    deft.script(readAndEdit(`${deft.window.folder}/src/date.ts`, 'let first', 'const first'), answers('All done.'));
    await deft.send('Use const');
    await deft.approval('Approve: Edit src/date.ts').waitFor();
    await deft.button('Accept').click();
    await deft.says('All done.');
    await deft.idle();
    await opens('src/date.ts', /let first = 1;\nlet second/, /const first = 1;\nlet second/);
  });

  it('opens it after a reload too, and as it was where the file has changed since', async () => {
    deft.window.write('src/date.ts', 'all new\n');
    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    // The texts of the tab from before the reload are gone, and so is the tab.
    await eventually(
      async () => (await deft.window.page.locator('.part.editor .tab', { hasText: '(this edit)' }).count()) === 0,
      'The tab without texts stays.',
    );
    await deft.says('All done.');
    await opens('src/date.ts', /let first = 1;\nlet second/, /const first = 1;\nlet second/);
  });

  it('opens a new file beside nothing, and in automatic mode what waits and then what was kept', async () => {
    await deft.newSession();
    await deft.button('Mode: Manual').click();
    await deft.chat().getByRole('menuitemradio', { name: 'Edit automatically' }).click();
    await deft.button('Mode: Edit automatically').waitFor();
    deft.script(
      reply(toolUse('Write', { file_path: `${deft.window.folder}/src/made.ts`, content: 'made\n' })),
      answers('Made.'),
    );
    await deft.send('Make it');
    await deft.says('Made.');
    await deft.idle();
    await deft.conversation().getByRole('link', { name: 'src/made.ts' }).click();
    await tab("made.ts (Deft's changes)").waitFor({ timeout: 20_000 });
    await deft.window.command('Deft: Keep All Changes');
    await opens('src/made.ts', undefined, /made/);
    assert.equal(
      (
        await deft.window.page
          .locator('.monaco-diff-editor .editor.original')
          .filter({ visible: true })
          .first()
          .locator('.view-line')
          .allInnerTexts()
      )
        .join('')
        .trim(),
      '',
    );
  });

  it('opens no diff of a file that a deny rule hides since', async () => {
    deft.window.write('.claude/settings.json', JSON.stringify({ permissions: { deny: ['Read(src/made.ts)'] } }));
    const said = deft.window.page.locator('.notification-toast', { hasText: 'a deny rule hides made.ts' });
    await deft.window.command('View: Close All Editors');
    await eventually(async () => {
      await deft.conversation().getByRole('link', { name: 'src/made.ts' }).click();
      return said
        .first()
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => deft.window.command('View: Close All Editors').then(() => false),
        );
    }, 'The rule is not heard.');
    assert.equal(await deft.window.page.locator('.part.editor .tab').count(), 0);
  });
});
