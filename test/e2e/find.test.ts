// The find bar in the side bar, in a session of which the chat holds only the last page.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import assert from 'node:assert/strict';
import { temporaryFolder } from '../rig/cleanup';
import { claudeCodeLog, said } from '../support/external-logs';
import { quickInput, quickPickRow } from '../rig/workbench';
import { eventually, openDeft, type DeftWindow } from './support/deft';

describe('finding in a long session', () => {
  const claude = temporaryFolder('claude');
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      env: { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: temporaryFolder('codex') },
      viewport: { width: 900, height: 700 },
      files: { 'open.js': 'const open = 1;\n' },
    });
    const cwd = deft.window.folder;
    const log = claudeCodeLog({ id: 'long', cwd });
    for (let turn = 0; turn < 150; turn++) {
      log.prompt(`Question number ${turn}?`);
      log.reply(`m${turn}`, said(`The **answer** is ${turn}.`));
    }
    const file = path.join(claude, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), 'long.jsonl');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, log.text());
  });
  after(() => deft.close());

  it('opens with its key in the side bar and leads to what is not loaded yet', async () => {
    await deft.window.command('Deft: Show History');
    await deft
      .chat()
      .getByRole('main', { name: 'History' })
      .getByRole('button', { name: /^Question number 0\?/ })
      .click();
    await deft.says('The answer is 149.');
    await deft.conversation().focus();
    await deft.window.page.keyboard.press('Control+f');
    await deft.chat().getByRole('textbox', { name: 'Find', exact: true }).fill('the answer is 7.');
    await deft.chat().getByRole('search').getByText('1 of 1', { exact: true }).waitFor();
    await deft.conversation().getByText('The answer is 7.').waitFor();
    assert.equal(
      await deft.window.page.locator('.editor-widget.find-widget.visible').count(),
      0,
      'the editor searches nothing',
    );
    await deft.window.page.keyboard.press('Escape');
    await deft.chat().getByRole('search').waitFor({ state: 'detached' });
  });

  it('goes to a message that is picked from all of the session, with the focus on it', async () => {
    await deft.conversation().press('End');
    await deft.window.command('Deft: Go to Message…');
    await quickInput(deft.window.page).fill('number 3?');
    await quickPickRow(deft.window.page, 'Question number 3?').click();
    const message = deft.conversation().getByRole('article', { name: 'You: Question number 3?' });
    await message.waitFor();
    await eventually(
      () => message.evaluate((article) => article.contains(article.ownerDocument.activeElement)),
      'The message does not get the focus.',
    );
    assert.ok(await message.getByText('Question number 3?', { exact: true }).last().isVisible());
  });
});
