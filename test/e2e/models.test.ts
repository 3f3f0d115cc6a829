// The model and its thinking, as a user changes them: by the picker, and by /think.
import assert from 'node:assert/strict';
import { openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('the model and its thinking', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' } })));
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const run = async (command: string): Promise<void> => {
    await deft.composer().fill(command);
    await deft.composer().press('Enter');
  };
  const asked = async (text: string): Promise<Record<string, unknown>> => {
    deft.script(answers('Answered.'));
    await deft.send(text);
    await deft.request(1);
    await deft.idle();
    return deft.api.requests.at(-1)?.body ?? {};
  };

  it('picks a model by keyboard, and the next request goes to it', async () => {
    await run('/model');
    const picker = deft.window.page.locator('.quick-input-widget');
    await picker.getByText('Model from your server').waitFor();
    // Before the server has answered, what is typed is a row of its own.
    await picker
      .locator('.monaco-list-row')
      .filter({ hasText: /claude-haiku/ })
      .first()
      .waitFor();
    await picker.locator('input[type="text"]').pressSequentially('haiku');
    // The list may not be filtered yet: Enter takes the row that has the focus.
    await picker
      .locator('.monaco-list-row.focused')
      .filter({ hasText: /claude-haiku/ })
      .waitFor();
    await deft.window.page.keyboard.press('Enter');
    await picker.waitFor({ state: 'hidden' });
    await deft.button(/^Model: .*haiku/i).waitFor();
    assert.match(String((await asked('Hello'))['model']), /haiku/);

    // Opened again, Enter keeps it: it is not the first of the list.
    await run('/model');
    // A list that comes later is drawn anew, and Enter in that moment takes its first row.
    await picker.getByText('Model from your server').waitFor();
    await picker
      .locator('.monaco-list-row.focused')
      .filter({ hasText: /claude-haiku.*now/ })
      .waitFor();
    await deft.window.page.keyboard.press('Enter');
    await picker.waitFor({ state: 'hidden' });
    assert.match(String((await asked('Hello again'))['model']), /haiku/);
  });

  it('switches thinking off and on', async () => {
    await run('/think off');
    await deft.card(/^Thinking is off/).waitFor();
    const off = JSON.stringify((await asked('Hello'))['thinking'] ?? { type: 'disabled' });
    await run('/think on');
    await deft.card(/^Thinking is on/).waitFor();
    const on = JSON.stringify((await asked('Again'))['thinking']);
    assert.match(off, /disabled/);
    assert.match(on, /adaptive|enabled/);
  });
});
