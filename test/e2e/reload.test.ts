// A window that reloads, and sessions from before: the conversation comes back, and what follows is a valid request.
import assert from 'node:assert/strict';
import { gate, reply, text, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { activeEditor, editorText } from './support/editor';
import { proposalEditor, typeIntoProposal } from './support/proposal';
import { answers, readAndEdit } from './support/replies';

const never = new Promise<never>(() => undefined);

describe('reloading', () => {
  let deft: DeftWindow;
  let path: string;
  before(async () => {
    deft = await openDeft({ files: { 'a.txt': 'alpha\n' } });
    path = `${deft.window.folder}/a.txt`;
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  async function reload(): Promise<void> {
    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
  }

  it('brings the conversation back after a reload in the middle of a turn, and goes on', async () => {
    deft.script(
      reply(text('I read it.'), toolUse('Read', { file_path: path })),
      reply(text('Half an answer', gate(never), ' never seen')),
    );
    await deft.send('What is in it?');
    await deft.says('Half an answer');
    deft.script(answers('It holds alpha.'));
    await reload();
    await deft.says('What is in it?');
    await deft.says('I read it.');
    await deft.card('Read a.txt').waitFor();
    await deft.idle();
    await deft.card('Closed while Deft was working.').getByRole('button', { name: 'Continue' }).click();
    await deft.says('It holds alpha.');
    await deft.idle();
    assert.equal(await deft.conversation().getByRole('button', { name: 'Continue' }).count(), 0, 'it was used');
    const sent = (await deft.request(1)).flatMap(({ content }) => textsOf(content));
    assert.ok(
      sent.some((said) => said.includes('alpha')),
      'the file that was read is in the request',
    );
    assert.ok(
      sent.some((said) => said.includes('This turn was cut short: its chat was left, closed or reloaded.')),
      'the model knows why its reply broke off',
    );
  });

  it('asks again after a reload while an approval waited, with what was typed, and pays for nothing twice', async () => {
    deft.script(readAndEdit(path, 'alpha', 'beta'), answers('It says beta now.'));
    await deft.send('Change it');
    await deft.approval('Approve: Edit a.txt').waitFor();
    await proposalEditor(deft.window.page).waitFor();
    await typeIntoProposal(deft.window.page, 'beta', ' and mine');
    await reload();
    await deft.says('Change it');
    await deft.approval('Approve: Edit a.txt').waitFor({ timeout: 60_000 });
    await deft.approval().getByText('beta and mine').waitFor();
    assert.equal(deft.window.read('a.txt'), 'alpha\n');
    assert.equal(await deft.conversation().getByRole('button', { name: 'Continue' }).count(), 0);
    await deft.button('Accept').click();
    await deft.says('It says beta now.');
    await deft.idle();
    assert.equal(deft.window.read('a.txt'), 'beta and mine\n');
    assert.equal(deft.requests(), 2, 'one before the reload, one after');
    const sent = JSON.stringify(await deft.request(2));
    assert.match(sent, /beta and mine/, 'the model knows what the user made of it');
    assert.doesNotMatch(sent, /closed or reloaded|interrupted/);
  });

  it('asks for a plan again as its user had left it, unsaved', async () => {
    const { page } = deft.window;
    deft.script(
      reply(toolUse('ExitPlanMode', { plan: '# Greet in German\n\n1. Change a.txt\n2. Test' })),
      answers('I follow it.'),
    );
    await deft.send('/plan Greet in German');
    await deft.approval('Approve: plan').waitFor();
    await deft.button('Open plan').click();
    await eventually(async () => (await editorText(page)).includes('2. Test'), 'The plan is not open.');
    await activeEditor(page).locator('.view-line', { hasText: '2. Test' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' twice');
    // A page that goes away at once takes along the last key, of which the extension host hears a moment later.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await reload();
    await deft.approval('Approve: plan').waitFor({ timeout: 60_000 });
    await eventually(async () => (await editorText(page)).includes('2. Test twice'), 'What was typed is not there.');
    await deft.button(/^Accept and edit auto/).click();
    await deft.says('I follow it.');
    await deft.idle();
    assert.match(lastText(await deft.request(2)), /-2\. Test\n\+2\. Test twice/);
  });

  it('opens a long session again, from its end, with its beginning in reach', async () => {
    const rounds = 200;
    deft.script(
      ...Array.from({ length: rounds }, (_, round) =>
        reply(text(`Round ${round}.`), toolUse('Read', { file_path: path, limit: 1 + (round % 2) })),
      ),
      answers('That was long.'),
    );
    await deft.send('Read it two hundred times');
    await deft.conversation().getByText('That was long.').waitFor({ timeout: 90_000 });
    await deft.idle();
    deft.script(answers('Still here.'));
    await reload();
    await deft.says('That was long.');
    await deft.conversation().getByText('That was long.').hover();
    const first = deft.conversation().getByText('Read it two hundred times', { exact: true });
    for (let pages = 0; pages < 100 && !(await first.isVisible()); pages++)
      await deft.window.page.mouse.wheel(0, -5_000);
    await first.waitFor();
    await deft.send('Are you there?');
    await deft.says('Still here.');
    assert.ok((await deft.request(1)).length > 2 * rounds);
  });

  it('opens, renames, searches and deletes sessions from the history', async () => {
    const { page } = deft.window;
    const history = () => deft.chat().getByRole('main', { name: 'History' });
    const openHistory = async () => {
      await page.locator('.part.sidebar').getByRole('button', { name: 'Show History' }).click();
      await history().waitFor();
    };
    deft.script(answers('About apples.'), answers('About pears.'), answers('More on apples.'));
    await deft.send('Tell me of apples');
    await deft.says('About apples.');
    await deft.idle();
    await deft.newSession();
    await deft.send('Tell me of pears');
    await deft.says('About pears.');
    await deft.idle();

    await openHistory();
    await history().getByRole('textbox', { name: 'Search sessions' }).fill('APPLES');
    await history().getByText('Tell me of pears').waitFor({ state: 'detached' });
    await history()
      .getByRole('button', { name: /^Tell me of apples/ })
      .click();
    await deft.says('About apples.');
    assert.equal(await deft.conversation().getByText('About pears.').count(), 0);
    await deft.send('More');
    await deft.says('More on apples.');
    const sent = (await deft.request(3)).map(({ content }) => textsOf(content).join('\n'));
    assert.ok(sent.some((said) => said.includes('About apples.')) && !sent.some((said) => said.includes('pears')));
    assert.match(lastText(await deft.request(3)), /More/);

    // Renamed from the list: the open one, and one that is not.
    await openHistory();
    const rename = async (from: RegExp, to: string) => {
      await history().getByRole('button', { name: from }).press('F2');
      await history().getByRole('textbox', { name: 'New name' }).fill(to);
      await history().getByRole('textbox', { name: 'New name' }).press('Enter');
      await history().getByText(to).waitFor();
    };
    await rename(/^Tell me of apples/, 'Apples in autumn');
    await rename(/^Tell me of pears/, 'Pears in winter');
    await history().getByRole('textbox', { name: 'Search sessions' }).fill('about pears');
    await history().getByRole('textbox', { name: 'Search sessions' }).press('Enter');
    await history().getByRole('region', { name: 'Found in conversations' }).getByText('About pears.').waitFor();
    await history().getByRole('textbox', { name: 'Search sessions' }).press('Escape');
    await reload();
    await deft.says('More on apples.');

    await openHistory();
    await history().getByText('Apples in autumn').waitFor();
    await history().getByRole('button', { name: 'Delete Pears in winter' }).click();
    await history().getByText('Delete “Pears in winter”?').waitFor();
    await history().getByRole('button', { name: 'Delete', exact: true }).click();
    await history().getByText('Pears in winter').waitFor({ state: 'detached' });
    await history().getByText('Apples in autumn').waitFor();
    await history().getByRole('textbox', { name: 'Search sessions' }).press('Escape');
    await deft.says('More on apples.');
  });
});
