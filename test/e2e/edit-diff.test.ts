// The name in the card of an edit: opens what that edit changed, whatever became of the file and of the window since.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { quickPickRow, shownLines } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { codeLens, openAndFocus } from './support/editor';
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

describe('a review of all changes', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `let v${index} = ${index};`);
  const original = `${lines.join('\n')}\n`;
  let deft: DeftWindow;
  before(
    async () =>
      (deft = await openDeft({
        files: { 'src/one.ts': original, 'src/two.ts': original },
        theme: 'light',
        settings: { 'diffEditor.codeLens': true },
      })),
  );
  after(() => deft.close());

  const strip = (name: string): Locator => deft.chat().getByRole('region', { name });
  const accepts = async (file: string, words: string): Promise<void> => {
    const card = deft.approval(`Approve: Edit src/${file}`);
    await card.getByRole('textbox', { name: 'Tell the agent why' }).fill(words);
    await deft.button('Accept').click();
  };
  /** At the cursor, by keyboard alone. */
  const comments = async (words: string): Promise<void> => {
    const { page } = deft.window;
    await page.keyboard.press('Shift+Alt+K');
    await page.locator('.review-widget .monaco-editor.focused').waitFor({ timeout: 20_000 });
    await page.keyboard.type(words);
    // VS Code hears of the words a moment later.
    await page
      .locator('.review-widget .monaco-text-button:not(.disabled)', { hasText: 'Add Comment' })
      .waitFor({ timeout: 20_000 });
    await page.keyboard.press('Control+Enter');
    await page.locator('.review-widget .comment-body', { hasText: words }).waitFor({ timeout: 20_000 });
  };

  it('compares what was accepted in Manual mode with the last message: by key, by row and with comments', async () => {
    const { page, folder, read, picture } = deft.window;
    deft.script(
      readAndEdit(`${folder}/src/one.ts`, 'let v3 = 3;', 'const v3 = 3;'),
      readAndEdit(`${folder}/src/two.ts`, 'let v8 = 8;', 'const v8 = 8;'),
      answers('Both done.'),
    );
    await deft.send('Use const');
    await accepts('one.ts', 'The other one, too.');
    await accepts('two.ts', '');
    assert.match(lastText(await deft.request(2)), /The user adds: The other one, too\./);
    await deft.says('Both done.');
    await deft.idle();
    await strip('Edited files').getByText('2 files edited').waitFor();
    await deft.window.command('Deft: Review Changes…');
    await quickPickRow(page, 'Since your last message').click();
    await page
      .locator('.tab.active', { hasText: 'Deft: changes since your last message' })
      .waitFor({ timeout: 20_000 });
    await codeLens(page, 'Keep', 1).waitFor({ timeout: 20_000 });
    const isAt = (line: number) => page.locator('.statusbar-item', { hasText: `Ln ${line}, Col 1` });
    const soon = { timeout: 5_000 };
    // VS Code puts the cursor at the first change by itself, but not where it has not compared the files by then: the first step leads there.
    const there = await isAt(4)
      .waitFor(soon)
      .then(
        () => true,
        () => false,
      );
    if (!there) {
      await page.keyboard.press('Alt+F5');
      await isAt(4).waitFor();
    }
    // The next one is in the other file.
    await page.keyboard.press('Alt+F5');
    await isAt(9).waitFor({ timeout: 20_000 });
    await page.keyboard.press('Alt+Backspace');
    await eventually(() => read('src/two.ts') === original, 'The key undoes nothing.');
    await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'const v3' }).click();
    await comments('Why const?');
    await picture('review-all');
    await codeLens(page, 'Undo', 0).click();
    await eventually(() => read('src/one.ts') === original, 'The row undoes nothing.');
    await page.locator('.review-widget', { hasText: 'Outdated, was: const v3 = 3;' }).waitFor({ timeout: 20_000 });
  });

  it('sends comments as one message, and shows what the agent answers', async () => {
    const { page, picture } = deft.window;
    await openAndFocus(page, 'src/two.ts');
    await comments('Use const here.');
    await strip('Comments').getByText('2 comments in 2 files').waitFor();
    await picture('review-drafts');
    deft.script(
      reply(
        toolUse('Review', { id: 'c1', action: 'resolve', text: 'It was for the linter.' }),
        toolUse('Review', { id: 'c2', action: 'disagree', text: 'It is assigned later.' }),
      ),
      answers('Both answered.'),
    );
    await strip('Comments').getByRole('button', { name: 'Send' }).click();
    const sent = textsOf((await deft.request(1)).at(-1)?.content).join('\n');
    assert.match(sent, /2 comments in 2 files/);
    assert.match(sent, /lines="4" state="outdated: these lines have changed since">\nconst v3 = 3;/);
    assert.match(sent, /c1 on src\/one\.ts:4:\nWhy const\?\n\nc2 on src\/two\.ts:1:\nUse const here\./);
    await deft.says('Both answered.');
    await deft.idle();
    await strip('Comments').waitFor({ state: 'detached' });
    await page
      .locator('.review-widget', { hasText: 'The agent disagrees' })
      .filter({ hasText: 'It is assigned later.' })
      .waitFor({ timeout: 20_000 });
    await picture('review-answered');
  });
});
