// An edit that is asked for at the cursor: a box below the selection, the proposal in it, and nothing else that opens.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, openDeft, textsOf, type DeftWindow } from './support/deft';
import { editorText, openAndFocus } from './support/editor';
import { proposalEditor } from './support/proposal';
import { answers, readAndEdit } from './support/replies';

const price = 'export function price(net: number) {\n  return net * 1.2;\n}\n\nexport const free = price(0);\n';

describe('an edit at the cursor', () => {
  let deft: DeftWindow;
  // Sticky lines would lie over the first line, which is clicked.
  before(async () => {
    const settings = { 'editor.stickyScroll.enabled': false };
    deft = await openDeft({ files: { 'src/price.ts': price }, settings });
  });
  after(() => deft.close());

  const thread = (): Locator => deft.window.page.locator('.review-widget');
  const button = (name: string): Locator =>
    thread().locator('.monaco-text-button:not(.disabled)', { hasText: name }).first();
  const opensBox = async (keys: string): Promise<void> => {
    await deft.window.page.keyboard.press(keys);
    await thread().locator('.monaco-editor.focused').waitFor({ timeout: 20_000 });
  };
  const asks = async (words: string): Promise<void> => {
    await deft.window.page.keyboard.type(words);
    await button('Edit Here').waitFor({ timeout: 20_000 });
    await deft.window.page.keyboard.press('Control+Enter');
  };
  const closesBox = (): Promise<void> => thread().locator('.expand-review-action').first().click();
  const isGone = (): Promise<void> => thread().waitFor({ state: 'detached', timeout: 20_000 });

  it('is asked for, tried again and accepted by keyboard, below the selection', async () => {
    const { page, folder, read, picture } = deft.window;
    const file = `${folder}/src/price.ts`;
    deft.script(
      readAndEdit(file, '1.2', 'rate'),
      reply(toolUse('Edit', { file_path: file, old_string: '1.2', new_string: '(1 + vat)' })),
      answers('Done.'),
    );
    await openAndFocus(page, 'src/price.ts');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await opensBox('Control+i');
    await picture('inline-box');
    await asks('Name the rate.');
    await thread().getByText('Proposed change').waitFor({ timeout: 20_000 });
    await thread().getByText('return net * rate;').first().waitFor();
    const content = textsOf((await deft.request(1)).at(-1)?.content).join('\n');
    assert.match(
      content,
      /<attachment path="[^"]*\/src\/price\.ts" lines="2">\n {2}return net \* 1\.2;\n<\/attachment>/,
    );
    assert.match(content, /Name the rate\./);
    assert.equal(await proposalEditor(page).count(), 0, 'the proposal is in the thread, and opens no diff');
    await picture('inline-proposal');
    await thread().locator('.review-thread-reply-button').click();
    await page.keyboard.type('Call it vat.');
    await button('Retry').click();
    await thread().getByText('return net * (1 + vat);').first().waitFor({ timeout: 20_000 });
    assert.match(textsOf((await deft.request(2)).at(-1)?.content).join('\n'), /Call it vat\./);
    assert.equal(read('src/price.ts'), price);
    await picture('inline-retry');
    await deft.window.command('View: Focus Active Editor Group');
    await page.keyboard.press('Alt+Enter');
    await eventually(() => read('src/price.ts') === price.replace('1.2', '(1 + vat)'), 'The key accepts nothing.');
    await deft.idle();
    await isGone();
    assert.match(await deft.conversation().innerText(), /src\/price\.ts:2\s+Name the rate\./);
  });

  it('is rejected by a link, and an empty box leaves nothing when it is closed', async () => {
    const { page, folder } = deft.window;
    deft.script(
      reply(toolUse('Edit', { file_path: `${folder}/src/price.ts`, old_string: 'free', new_string: 'none' })),
    );
    await openAndFocus(page, 'src/price.ts');
    await opensBox('Control+i');
    await asks('Another name.');
    await thread().getByRole('link', { name: 'Reject' }).click();
    await isGone();
    await deft.idle();
    assert.doesNotMatch(await editorText(page), /none/);
    await openAndFocus(page, 'src/price.ts');
    await opensBox('Control+i');
    await closesBox();
    await isGone();
    assert.equal(await page.locator('.comment-thread:not(.comment-range-glyph-none)').count(), 0);
  });

  it('is beside what a review finds: shown at its lines, dismissed, and turned into comments', async () => {
    const { page, folder, picture } = deft.window;
    const finding = (line: number, quoted: string, problem: string): object => ({
      path: `${folder}/src/price.ts`,
      ...{ line, quoted, problem, kind: 'Wrong result', severity: 'high', fix: 'Check it first.' },
    });
    deft.script(
      reply(
        toolUse('Review', {
          action: 'report',
          findings: [
            finding(2, '  return net * (1 + vat);', 'A negative net gives a negative price.'),
            finding(5, 'export const free = price(0);', 'It is computed at each start.'),
          ],
        }),
      ),
      answers('Two findings.'),
    );
    await openAndFocus(page, 'src/price.ts');
    await deft.send('/code-review');
    await deft.says('Two findings.');
    const strip = (name: string): Locator => deft.chat().getByRole('region', { name });
    await strip('Findings').getByText('2 findings in 1 file').waitFor();
    const found = (words: string): Locator => thread().filter({ hasText: words });
    await found('A negative net').waitFor({ timeout: 20_000 });
    await picture('review-findings');
    await found('computed at each start').getByRole('button', { name: 'Not a Problem' }).click();
    await found('computed at each start').waitFor({ state: 'detached', timeout: 20_000 });
    await strip('Findings').getByText('1 finding in 1 file').waitFor();
    await strip('Findings').getByRole('button', { name: 'Fix all' }).click();
    await strip('Findings').waitFor({ state: 'detached' });
    await strip('Comments').getByText('1 comment in 1 file').waitFor();
    await found('Fix this: A negative net').waitFor({ timeout: 20_000 });
    await deft.window.command('Deft: Discard Comments');
    await strip('Findings').getByText('1 finding in 1 file').waitFor();
    await found('A negative net').getByRole('button', { name: 'Not a Problem' }).click();
    await strip('Findings').waitFor({ state: 'detached' });
  });

  it('has the key that the setting says, or none', async () => {
    const { page } = deft.window;
    const settings = (value: string): void =>
      deft.window.write('.vscode/settings.json', JSON.stringify({ 'deft.inlineEdit': value }));
    settings('ctrl+alt+i');
    await openAndFocus(page, 'src/price.ts');
    await eventually(async () => {
      await page.keyboard.press('Control+Alt+i');
      // A second press while the first is being answered would open the box anew.
      return thread()
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
    }, 'The other key opens no box.');
    await thread().locator('.monaco-editor.focused').waitFor({ timeout: 20_000 });
    await closesBox();
    await isGone();
    settings('off');
    // The box for comments tells that the setting is read.
    await eventually(async () => {
      await openAndFocus(page, 'src/price.ts');
      await page.keyboard.press('Shift+Alt+K');
      await thread().locator('.monaco-editor.focused').waitFor({ timeout: 20_000 });
      const offers = await thread().locator('.monaco-text-button', { hasText: 'Edit Here' }).count();
      await closesBox();
      await isGone();
      return offers === 0;
    }, 'The setting is not read.');
    await page.keyboard.press('Control+Alt+i');
    await page.keyboard.press('Control+i');
    assert.equal(await thread().count(), 0);
  });
});
