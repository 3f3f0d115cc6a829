// Plan mode in the window: a plan that is sent back with a comment on one of its lines, then changed in the editor and accepted.
import assert from 'node:assert/strict';
import { reply, toolUse } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { activeEditor, editorText } from './support/editor';
import { eventually } from './support/deft';
import { answers } from './support/replies';

const plan = (step: string): string => `# Rename the flag\n\n1. ${step}\n2. Run the tests`;
const shows = (step: string) => reply(toolUse('ExitPlanMode', { plan: plan(step) }));

describe('plan mode', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.js': 'let first = 1;\n' } })));
  after(() => deft.close());

  it('takes a comment, then a changed plan, and edits by itself from there', async () => {
    const { page } = deft.window;
    deft.script(
      shows('Change a.js'),
      shows('Change a.js in two steps'),
      reply(toolUse('Write', { file_path: `${deft.window.folder}/b.js`, content: 'new\n' })),
      answers('All done.'),
    );
    await deft.send('/plan Rename the flag');
    await deft.approval('Approve: plan').waitFor();
    await deft.button('Mode: Plan').waitFor();
    assert.match(lastText(await deft.request(1)), /Rename the flag/);
    assert.deepEqual(await seriousProblems(deft.chat()), []);

    assert.equal(
      await page.locator('.tab', { hasText: 'rename-the-flag' }).count(),
      0,
      'the card shows it, and nothing else',
    );
    assert.match(
      (await deft.approval('Approve: plan').getByRole('button').allInnerTexts()).join('|'),
      /^Why\?\|Accept/,
    );
    await deft.button('Open plan').click();
    await eventually(async () => (await editorText(page)).includes('1. Change a.js'), 'The plan is not open.');
    await deft.composer().focus();
    assert.equal(
      await deft
        .chat()
        .getByText(/rename-the-flag.*\.md/)
        .count(),
      0,
      "a file of Deft's own is not attached by itself",
    );
    await activeEditor(page).locator('.view-line', { hasText: '1. Change a.js' }).click();
    await page.keyboard.press('Shift+Alt+K');
    await page.locator('.review-widget .monaco-editor.focused').waitFor({ timeout: 20_000 });
    await page.keyboard.type('Smaller steps, please');
    // VS Code hears of the words a moment later.
    await page
      .locator('.review-widget .monaco-text-button:not(.disabled)', { hasText: 'Add Comment' })
      .waitFor({ timeout: 20_000 });
    await page.keyboard.press('Control+Enter');
    await page.locator('.review-widget', { hasText: 'Goes to the agent with your answer' }).waitFor();
    await deft.button(/^Keep planning/).click();
    const sent = lastText(await deft.request(2));
    assert.match(
      sent,
      /rejected this call; nothing was done\. They say: On line 3 of the plan:\n> 1\. Change a\.js\nSmaller steps, please/,
    );

    await deft.approval('Approve: plan').waitFor();
    await deft.button('Open plan').click();
    await eventually(async () => (await editorText(page)).includes('in two steps'), 'The second plan is not open.');
    await activeEditor(page).locator('.view-line', { hasText: 'Run the tests' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' twice');
    await eventually(async () => (await editorText(page)).includes('tests twice'), 'Nothing was typed.');
    await deft.button('Accept and edit automatically').click();
    const accepted = lastText(await deft.request(3));
    assert.match(
      accepted,
      /changed the plan and accepted their version[\s\S]*-2\. Run the tests\n\+2\. Run the tests twice[\s\S]*applied at once/,
    );
    await deft.says('All done.');
    await deft.button('Mode: Edit automatically').waitFor();
    assert.equal(deft.window.read('b.js'), 'new\n');
    await eventually(
      async () => (await page.locator('.tab', { hasText: 'rename-the-flag' }).count()) === 0,
      'A tab of a plan stays behind.',
    );
  });
});
