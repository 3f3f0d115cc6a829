// A rename over several files from the chat: one approval whose files open as diffs, and one card whose files can be undone.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { shownLines } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }\n',
  'src/sum.ts': 'export function sum(x: number) {\n  return x;\n}\n',
  'src/use.ts': "import { sum } from './sum';\nexport const one = sum(1);\n",
  'src/wrong.ts': "export const count: number = 'one';\n",
};
const renaming = (symbol: string, newName: string) =>
  reply(
    toolUse('Refactor', {
      action: 'rename',
      filePath: 'src/sum.ts',
      lineContent: `export function ${symbol}(`,
      symbol,
      newName,
    }),
  );

const moving = (from: string, to: string) => reply(toolUse('Refactor', { action: 'move', from, to }));

describe('Refactor and Problems in the chat', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());

  async function setMode(from: string, to: string): Promise<void> {
    await deft.button(`Mode: ${from}`).click();
    await deft.chat().getByRole('menuitemradio', { name: to }).click();
    await deft.button(`Mode: ${to}`).waitFor();
  }
  const isThere = (file: string): boolean => existsSync(path.join(deft.window.folder, file));

  it('the approval names every file, each opens its own diff, and Accept writes all of them', async () => {
    deft.script(
      reply(toolUse('ToolSearch', { query: 'select:Refactor' })),
      renaming('sum', 'total'),
      answers('Renamed.'),
    );
    await deft.send('Rename sum');
    const approval = deft.approval('Approve: Rename sum to total in 2 files');
    await approval.waitFor({ timeout: 60_000 });
    await approval.getByRole('link', { name: 'src/use.ts' }).click();
    await deft.window.page
      .locator('.part.editor .tab.active', { hasText: 'use.ts (Deft: proposed, 2 of 2)' })
      .waitFor({ timeout: 20_000 });
    await eventually(
      async () =>
        (
          await shownLines(
            deft.window.page.locator('.monaco-diff-editor .editor.modified').filter({ visible: true }).first(),
          )
        )
          .join('\n')
          .includes('total(1)'),
      'The diff does not show the rename.',
    );
    assert.equal(deft.window.read('src/use.ts'), files['src/use.ts']);
    await deft.button('Accept').click();
    await deft.says('Renamed.');
    await deft.idle();
    assert.equal(deft.window.read('src/sum.ts'), files['src/sum.ts'].replace('sum', 'total'));
    assert.equal(deft.window.read('src/use.ts').includes('total(1)'), true);
    const sent = await deft.request(deft.requests());
    assert.match(lastText(sent), /Done: rename sum to total\. 3 lines in 2 files/);
  });

  it('where edits are accepted by themselves, each file of the card can be undone', async () => {
    await deft.newSession();
    await setMode('Manual', 'Edit automatically');
    deft.script(renaming('total', 'whole'), answers('Renamed again.'));
    await deft.send('Rename total');
    await deft.says('Renamed again.');
    await deft.idle();
    const card = deft.card('Renamed total to whole');
    await card.getByRole('link', { name: 'src/sum.ts' }).waitFor();
    assert.equal(deft.window.read('src/sum.ts').includes('whole'), true);
    await card.getByTitle('Undo the changes in src/use.ts').click();
    await eventually(() => deft.window.read('src/use.ts').includes('total(1)'), 'The file is not undone.');
    assert.equal(deft.window.read('src/sum.ts').includes('whole'), true);
  });

  it('a rewind to the message puts all files of a rename back', async () => {
    const renamed = ['src/sum.ts', 'src/use.ts'] as const;
    for (const file of renamed) deft.window.write(file, files[file]);
    await deft.newSession();
    deft.script(renaming('sum', 'sumOfAll'), answers('Renamed for the rewind.'));
    await deft.send('Rename it once more');
    await deft.says('Renamed for the rewind.');
    await deft.idle();
    assert.match(deft.window.read('src/use.ts'), /import \{ sumOfAll/);
    const turn = deft.chat().getByRole('article', { name: 'You: Rename it once more' });
    await turn.getByRole('button', { name: /^Rewind to: / }).focus();
    await deft.window.page.keyboard.press('Enter');
    await turn.getByRole('menuitem', { name: 'Rewind code to here' }).click();
    const dialog = deft.window.page.getByRole('dialog');
    for (const file of renamed) await dialog.getByText(`Restore ${file}`).waitFor();
    await dialog.getByRole('button', { name: 'Rewind', exact: true }).click();
    await eventually(
      () => renamed.every((file) => deft.window.read(file) === files[file]),
      'The files are not as they were.',
    );
  });

  it('a move shows the file and its imports before anything is written, and VS Code asks nothing', async () => {
    await setMode('Edit automatically', 'Manual');
    await deft.newSession();
    deft.script(moving('src/sum.ts', 'src/math/sum.ts'), answers('Moved.'));
    await deft.send('Move sum');
    const approval = deft.approval('Approve: Move src/sum.ts to src/math/sum.ts, with imports in 1 file');
    await approval.waitFor({ timeout: 60_000 });
    await approval.getByText('moved from src/sum.ts').waitFor();
    await deft.window.page
      .locator('.part.editor .tab.active', { hasText: 'use.ts (Deft: proposed, 1 of 2)' })
      .waitFor({ timeout: 20_000 });
    await deft.window.picture('refactor-move');
    assert.equal(deft.window.read('src/sum.ts'), files['src/sum.ts']);
    await deft.button('Accept').click();
    await deft.says('Moved.');
    await deft.idle();
    assert.equal(deft.window.read('src/math/sum.ts'), files['src/sum.ts']);
    assert.equal(deft.window.read('src/use.ts'), files['src/use.ts'].replace('./sum', './math/sum'));
    assert.equal(isThere('src/sum.ts'), false);
    assert.equal(await deft.window.page.locator('.monaco-dialog-box').count(), 0);
    assert.match(lastText(await deft.request(deft.requests())), /1 file moved, 1 line in 1 file\nsrc\/use\.ts: line 1/);
  });

  it('a rewind takes a move of a folder back, with its imports', async () => {
    await setMode('Manual', 'Edit automatically');
    const before = deft.window.read('src/use.ts');
    deft.script(moving('src/math', 'numbers'), answers('Moved the folder.'));
    await deft.send('Move the folder');
    await deft.says('Moved the folder.');
    await deft.idle();
    await deft.card('Moved src/math to numbers').getByText('moved from src/math/sum.ts').waitFor();
    assert.equal(isThere('src/math'), false);
    assert.match(deft.window.read('src/use.ts'), /'\.\.\/numbers\/sum'/);
    await deft.window.picture('refactor-moved');
    const turn = deft.chat().getByRole('article', { name: 'You: Move the folder' });
    await turn.getByRole('button', { name: /^Rewind to: / }).focus();
    await deft.window.page.keyboard.press('Enter');
    await turn.getByRole('menuitem', { name: 'Rewind code to here' }).click();
    const dialog = deft.window.page.getByRole('dialog');
    await dialog.getByText('Delete numbers/sum.ts').waitFor();
    await dialog.getByRole('button', { name: 'Rewind', exact: true }).click();
    await eventually(
      () =>
        isThere('src/math/sum.ts') &&
        !isThere('numbers') &&
        deft.window.read('src/math/sum.ts') === files['src/sum.ts'] &&
        deft.window.read('src/use.ts') === before,
      'The folder and its imports are not as they were.',
    );
  });

  it('@problems attaches what is reported', async () => {
    deft.script(answers('I see one.'));
    await deft.send('What about @problems in here?');
    await deft.says('I see one.');
    await deft.idle();
    const sent = await deft.request(1);
    assert.match(lastText(sent), /<attachment shows="problems">\n[^]*src\/wrong\.ts\n {2}1:14 error: Type 'string'/);
  });

  it('Problems lists what is wrong in a file that no editor shows', async () => {
    deft.script(reply(toolUse('Problems', { paths: ['src/wrong.ts'] })), answers('One is wrong.'));
    await deft.send('What is wrong?');
    await deft.says('One is wrong.');
    await deft.idle();
    await deft.card(/Looked at the problems of src\/wrong\.ts/).waitFor();
    const sent = await deft.request(deft.requests());
    assert.match(lastText(sent), /1 error in 1 file\.\nsrc\/wrong\.ts\n {2}1:14 error: Type 'string'/);
  });
});
