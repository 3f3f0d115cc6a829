// Where the chat can be opened from, and the key that goes between it and the editor, also where it is a tab.
import assert from 'node:assert/strict';
import { editorTitleButton } from '../rig/workbench';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { openAndFocus } from './support/editor';

describe('the ways to the chat', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.js': 'let first = 1;\n', 'b.js': 'let second = 2;\n' } })));
  after(() => deft.close());

  const press = (key: string) => deft.window.page.keyboard.press(key);
  // A chat that is about to be hidden or shown has no document for a moment.
  const chatFocused = () =>
    deft
      .composer()
      .evaluate(
        (element) => element === element.ownerDocument.activeElement && element.ownerDocument.hasFocus(),
        undefined,
        { timeout: 1_000 },
      )
      .catch(() => false);
  const inChat = () => eventually(chatFocused, 'The chat does not get the focus.');
  const inEditorNow = () =>
    deft.window.page
      .locator('.editor-group-container.active .monaco-editor')
      .first()
      .evaluate((element) => element.contains(element.ownerDocument.activeElement), undefined, { timeout: 1_000 })
      .catch(() => false);
  /**
   * VS Code learns of the focus a moment after it has moved: an earlier key does nothing new, and is pressed again, as users do. Each try
   * waits longer than the last one: a key pressed before the last one had its effect would lead back.
   */
  const pressUntil = async (there: () => Promise<boolean>, orElse: string): Promise<void> => {
    for (let patience = 2_000; patience <= 16_000; patience *= 2) {
      await press('Control+Escape');
      const deadline = Date.now() + patience;
      while (Date.now() < deadline) {
        if (await there()) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    assert.fail(orElse);
  };
  const leave = () => pressUntil(inEditorNow, 'The key does not lead back into the editor.');
  const enter = () => pressUntil(chatFocused, 'The key does not lead into the chat.');

  it('leads from the editor title and the status bar into the side bar, and back', async () => {
    const { page } = deft.window;
    await openAndFocus(page, 'a.js');
    await editorTitleButton(page, 'Focus Chat').click();
    await inChat();
    await leave();
    await page.locator('.part.statusbar').getByRole('button', { name: 'Open the chat of Deft' }).click();
    await inChat();
    await leave();
    await enter();
  });

  it('opens a new chat in a tab', async () => {
    const { page } = deft.window;
    await openAndFocus(page, 'a.js');
    await deft.window.command('View: Toggle Primary Side Bar Visibility');
    await press('Control+Shift+Escape');
    await page.locator('.tab.active', { hasText: 'Deft' }).waitFor();
    await inChat();
  });

  it('goes between that tab and the editor beside it', async () => {
    await leave();
    await enter();
  });

  it('comes back from a view, and from the editor behind it in one group', async () => {
    const { page } = deft.window;
    // The tab has no focus, and is the active editor all the same.
    await deft.window.command('View: Show Explorer');
    await eventually(async () => !(await chatFocused()), 'The chat keeps the focus.');
    await enter();
    await deft.window.command('View: Join All Editor Groups');
    await page.locator('.editor-group-container').nth(1).waitFor({ state: 'detached' });
    await deft.window.command('Deft: Focus Chat');
    await inChat();
    await leave();
    await enter();
  });
});
