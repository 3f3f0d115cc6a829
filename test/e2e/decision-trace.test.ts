// Why a call was allowed: on its card, on the approval, after a reload; and the command that tries a rule, by keyboard alone.
import assert from 'node:assert/strict';
import { type Locator } from 'playwright-core';
import { resizeSideBar } from '../rig/workbench';
import { seriousProblems } from './support/accessibility';
import { eventually, openChat, openDeft, type DeftWindow } from './support/deft';
import { activeEditor, editorText } from './support/editor';
import { answers, runs } from './support/replies';

const settings = `{
  "permissions": {
    "allow": ["Bash(node -p:*)"],
    "deny": ["Bash(node --eval:*)"]
  }
}
`;

describe('the trace of a decision', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({ files: { '.claude/settings.json': settings } });
    await deft.reviewGrants('Agree');
  });
  after(() => deft.close());
  beforeEach(async () => {
    await openChat(deft);
    await deft.newSession();
  });

  const steps = (name: string) =>
    deft.chat().getByRole('group', { name, exact: true }).getByRole('list', { name: 'Steps of the decision' });

  /** Folded: what decided stands by itself. */
  const otherChecks = (card: Locator) => card.getByRole('list', { name: 'Other checks' });

  it('stands on the card, names the rule and opens its file, also after a reload', async () => {
    deft.script(runs('node -p 20+1'), answers('Counted.'));
    await deft.send('Count');
    await deft.says('Counted.');
    await deft.idle();
    const card = deft.card('Ran node -p 20+1');
    const why = card.getByRole('button', { name: 'Why was this allowed?' });
    await why.focus();
    await why.press('Enter');
    await card.getByText('Allowed: The rule Bash(node -p:*)').first().waitFor();
    const decided = steps('Ran node -p 20+1').getByRole('listitem').filter({ hasText: 'This decided.' });
    await decided.getByText('Allow rules').waitFor();
    await card.getByRole('button', { name: /^\d+ other checks/ }).click();
    await otherChecks(card).getByText('the command begins with node -p, not node --eval').waitFor();
    await resizeSideBar(deft.window.page, 300);
    assert.deepEqual(await seriousProblems(deft.chat()), []);
    const overflow = await deft.conversation().evaluate((log) => log.scrollWidth - log.clientWidth);
    assert.ok(overflow <= 0, `the trace sticks out by ${overflow} px`);
    await deft.window.picture('decision-trace-narrow');
    await card.getByRole('link', { name: '.claude/settings.json' }).first().click();
    await eventually(
      async () => (await editorText(deft.window.page)).includes('"allow"'),
      'The settings file did not open.',
    );
    await activeEditor(deft.window.page).waitFor();
    await deft.window.command('View: Close All Editors');

    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    await why.waitFor();
    await why.click();
    await card.getByText('Allowed: The rule Bash(node -p:*)').first().waitFor();
    await card.getByText('By the current rules and mode').waitFor();
  });

  it('stands on the approval, whose command shows what is hidden in it', async () => {
    deft.script(runs('node a.js \u202e# tset'), answers('All right.'));
    await deft.send('Run it');
    const approval = deft.approval('Approve: Bash node a.js ⟨U+202E⟩# tset');
    await approval.waitFor();
    await approval.getByRole('region', { name: 'Command' }).getByText('U+202E', { exact: true }).waitFor();
    await approval.getByRole('button', { name: 'Why does Deft ask?' }).click();
    await approval.getByRole('button', { name: /^\d+ other checks/ }).click();
    await otherChecks(approval).getByText('the command begins with node a.js, not node --eval').waitFor();
    await deft.window.picture('decision-trace-approval');
    await approval.getByRole('button', { name: /^Reject/ }).click();
    await deft.idle();
    await deft.card('Run node a.js ⟨U+202E⟩# tset').getByRole('button', { name: 'Why was this denied?' }).click();
    await deft.chat().getByText('You rejected it. Deft asked because:').waitFor();
  });

  it('is tried with a rule by keyboard alone, on the calls of this session', async () => {
    const { page } = deft.window;
    deft.script(runs('node -p 1+1'), runs('node --eval 0'), answers('Both.'));
    await deft.send('Run both');
    await deft.says('Both.');
    await deft.idle();
    await deft.window.command('Deft: Test a Permission Rule');
    const input = page.locator('.quick-input-widget');
    await input.getByText('A rule as in a settings file').waitFor();
    await page.keyboard.type('Bash(node -p');
    await input.getByText('This is not a permission rule').waitFor();
    await page.keyboard.type(':*)');
    await input.getByText('This is not a permission rule').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await input.getByText('never runs').waitFor();
    await page.keyboard.type('Deny');
    // The list may not be filtered yet: Enter takes the row that has the focus.
    await input.locator('.monaco-list-row.focused').filter({ hasText: 'Deny' }).waitFor();
    await page.keyboard.press('Enter');
    await input.getByText('Calls of this session').waitFor();
    await page.keyboard.press('Enter');
    const reported = async (): Promise<boolean> =>
      (await editorText(page))
        .replaceAll('\u00a0', ' ')
        .includes('Of 2 calls it matches 1 and changes the decision for 1.');
    await eventually(reported, 'The report did not come.');
    // The command and not the page's own reload: with it VS Code writes down its tabs first.
    const loaded = page.waitForEvent('load');
    await deft.window.command('Developer: Reload Window');
    await loaded;
    // A busy machine takes long to draw its tabs again.
    await page.locator('.part.editor .monaco-editor .view-line').first().waitFor({ timeout: 60_000 });
    await eventually(reported, 'The report is not there after a reload.');
    await deft.window.command('View: Close All Editors');
  });
});
