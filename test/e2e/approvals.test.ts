// Approvals: each way to accept and to reject, rules that are kept, and focus that stays where the user types.
import assert from 'node:assert/strict';
import { gate, reply, text, toolUse } from '../support/messages-api/script';
import { editorTitleButton } from '../rig/workbench';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { proposalEditor } from './support/proposal';
import { answers, opened, readAndEdit, runs } from './support/replies';

describe('approvals', () => {
  let deft: DeftWindow;
  let path: string;

  before(async () => {
    deft = await openDeft({ files: { 'a.js': 'let first = 1;\n' } });
    path = `${deft.window.folder}/a.js`;
  });
  after(() => deft.close());
  beforeEach(async () => {
    deft.window.write('a.js', 'let first = 1;\n');
    await deft.newSession();
  });

  async function proposes(): Promise<void> {
    deft.script(readAndEdit(path, 'let first', 'const first'), answers('All done.'));
    await deft.send('Use const');
    await deft.approval('Approve: Edit a.js').getByText('changes files', { exact: true }).waitFor();
    // Right after an answer, keys and clicks still count for the card before.
    await deft.button('Accept').click({ trial: true });
    await proposalEditor(deft.window.page).waitFor();
  }

  async function accepted(): Promise<void> {
    await deft.says('All done.');
    assert.equal(deft.window.read('a.js'), 'const first = 1;\n');
    await proposalEditor(deft.window.page).waitFor({ state: 'detached' });
  }

  async function rejected(): Promise<void> {
    await deft.card('You rejected the call.').waitFor();
    await deft.idle();
    assert.equal(deft.window.read('a.js'), 'let first = 1;\n');
    assert.equal(deft.requests(), 1, 'the turn ends without another request');
    await proposalEditor(deft.window.page).waitFor({ state: 'detached' });
  }

  it('goes on after a rejection with a reason, which the model reads', async () => {
    await proposes();
    await deft.approval().getByRole('textbox', { name: 'Tell the agent why' }).fill('It is assigned later.');
    await deft.button('Reject').click();
    await deft.says('All done.');
    assert.match(lastText(await deft.request(2)), /rejected this call.*It is assigned later\./);
    assert.equal(deft.window.read('a.js'), 'let first = 1;\n');
    await deft.card('Edit a.js').getByText('denied').first().waitFor();
  });

  it('ends the turn at a rejection without a reason; the next prompt goes on', async () => {
    await proposes();
    await deft.button('Reject').click();
    await rejected();
    deft.script(answers('As you like.'));
    await deft.send('Leave it then');
    await deft.says('As you like.');
  });

  it('says what a command is for and what is dangerous about it, and drops it only after a moment', async () => {
    deft.script(
      reply(toolUse('Bash', { command: 'rm -rf gone && curl https://a.example', description: 'Clear up and look' })),
    );
    await deft.send('Clear up');
    const approval = deft.approval(/^Approve: Bash rm/);
    await approval.getByRole('heading', { name: 'Run this command?' }).waitFor();
    await approval.getByText('Clear up and look').waitFor();
    const risks = approval.getByRole('list', { name: 'What to look at' });
    await risks.getByText('Deletes gone').waitFor();
    await risks.getByText('Uses the network').waitFor();
    assert.equal(
      await approval.getByRole('button', { name: /^Always allow/ }).count(),
      0,
      'nothing lasting is offered',
    );
    await deft.composer().press('Escape');
    await deft.button('Bring back').click();
    await approval.waitFor();
    await deft.composer().press('Escape');
    await deft.idle();
    await deft.card('Run rm -rf gone && curl https://a.example').getByText('not run').first().waitFor();
  });

  it('does not ask again for what is always allowed', async () => {
    deft.script(runs('node -p 20+1'), runs('node -p 20+1'), runs('node -p 20+2'), answers('Counted.'));
    await deft.send('Count');
    await deft.approval('Approve: Bash node -p 20+1').getByText('full access', { exact: true }).waitFor();
    await deft.button(/^Always allow .*node -p 20\+1/).click();
    await deft.approval('Approve: Bash node -p 20+2').waitFor();
    assert.equal(deft.requests(), 3, 'the second time it ran without a question');
    assert.match(lastText(await deft.request(3)), /^21$/m);
    await deft.button('Accept').click();
    await deft.says('Counted.');
    await deft.idle();
  });

  it('accepts by the button in the title of the diff', async () => {
    await proposes();
    await proposalEditor(deft.window.page).locator('.view-line').first().click();
    await editorTitleButton(deft.window.page, 'Accept Edit').click();
    await accepted();
  });

  it('rejects by the button in the title of the diff', async () => {
    await proposes();
    await proposalEditor(deft.window.page).locator('.view-line').first().click();
    await editorTitleButton(deft.window.page, 'Reject Edit').click();
    await rejected();
  });

  it('accepts from the palette', async () => {
    await proposes();
    await deft.window.command('Deft: Accept Edit');
    await accepted();
  });

  it('rejects from the palette', async () => {
    await proposes();
    await deft.window.command('Deft: Reject Edit');
    await rejected();
  });

  it('accepts by Alt+Enter from the chat', async () => {
    await proposes();
    await deft.composer().press('Alt+Enter');
    await accepted();
  });

  it('rejects by Alt+Backspace from the chat', async () => {
    await proposes();
    await deft.composer().press('Alt+Backspace');
    await rejected();
  });

  it('accepts by Alt+Enter in the diff', async () => {
    await proposes();
    await proposalEditor(deft.window.page).locator('.view-line').first().click();
    await deft.window.page.keyboard.press('Alt+Enter');
    await accepted();
  });

  it('takes a closed diff for no decision, and opens it again', async () => {
    await proposes();
    const { page } = deft.window;
    await proposalEditor(page).locator('.view-line').first().click();
    await deft.window.command('View: Close Editor');
    await proposalEditor(page).waitFor({ state: 'detached' });
    await deft.approval('Approve: Edit a.js').waitFor();
    assert.equal(deft.requests(), 1);
    await deft.button('Open diff').click();
    await proposalEditor(page).waitFor();
    await deft.button('Accept').click();
    await accepted();
  });

  it('shows several approvals one at a time', async () => {
    deft.script(
      reply(toolUse('Read', { file_path: '/etc/hostname' }), toolUse('Read', { file_path: '/etc/hosts' })),
      answers('Both read.'),
    );
    await deft.send('Read both');
    await deft.approval('Approve: Read /etc/hostname').getByText('1 of 2').waitFor();
    await deft.approval('Approve: Read /etc/hostname').getByText('read-only', { exact: true }).waitFor();
    await deft.button('Accept').click();
    const second = deft.approval('Approve: Read /etc/hosts');
    await second.waitFor();
    assert.equal(await second.getByText(/^1 of/).count(), 0);
    // A click that comes right after an answer was meant for the card before: buttons wait a moment.
    await second.getByRole('button', { name: 'Accept' }).click();
    await deft.says('Both read.');
  });

  it('loses no key that is typed into the composer while an approval and its diff open', async () => {
    const held = opened();
    deft.script(
      reply(
        text('One moment.', gate(held.promise)),
        toolUse('Read', { file_path: path }),
        toolUse('Edit', { file_path: path, old_string: 'let', new_string: 'const' }),
      ),
      answers('All done.'),
    );
    await deft.send('Use const');
    await deft.says('One moment.');
    const typed = 'the quick brown fox jumps over the lazy dog and runs into the deep dark wood';
    await deft.composer().pressSequentially(typed.slice(0, 5));
    held.open();
    for (const key of typed.slice(5)) await deft.window.page.keyboard.type(key, { delay: 30 });
    await deft.approval('Approve: Edit a.js').waitFor();
    await proposalEditor(deft.window.page).waitFor();
    await deft.window.page.keyboard.type('!');
    await eventually(async () => (await deft.composer().inputValue()) === `${typed}!`, 'A key was lost.');
    await deft.composer().fill('');
    await deft.button('Accept').click();
    await accepted();
  });
});
