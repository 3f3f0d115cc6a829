// The "/" menu and the commands of the panel: by keyboard, with arguments, an unknown one, and a broken skill.
import assert from 'node:assert/strict';
import { eventually, lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { seriousProblems } from './support/accessibility';
import { answers, opened } from './support/replies';
import { shownLines } from '../rig/workbench';
import { gate, reply, text } from '../support/messages-api/script';

const files = {
  'src/price.js': 'export const price = 1;\n',
  '.claude/skills/deploy/SKILL.md':
    '---\ndescription: Deploys the shop\nargument-hint: "[environment]"\n---\nDeploy to $0, from !`pwd`.\n',
  '.claude/skills/broken/SKILL.md': '---\nhooks: [open\n---\nText\n',
  '.claude/commands/look.md': 'Look at @src/price.js and say what it costs.\n',
};

describe('slash commands', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());
  beforeEach(async () => {
    await deft.newSession();
    await deft.composer().fill('');
  });

  const menu = () => deft.chat().getByRole('listbox', { name: 'Commands' });
  const option = (name: RegExp) => menu().getByRole('option', { name });

  it('offers what the panel, Deft and the project have, and passes the accessibility check', async () => {
    await deft.composer().pressSequentially('/');
    await option(/^\/clear /).waitFor();
    await option(/^\/deploy (\[environment\] )?Deploys the shop ?, Project$/).waitFor();
    await option(/^\/look .*Project$/).waitFor();
    assert.equal(await option(/broken/).count(), 0);
    assert.deepEqual(await seriousProblems(deft.chat()), []);
    await deft.window.picture('e2e-slash-menu');
    await deft.composer().press('Escape');
    await menu().waitFor({ state: 'detached' });
  });

  it('runs a command of the panel by keyboard', async () => {
    await deft.composer().pressSequentially('/stat');
    await option(/^\/status /).waitFor();
    await deft.composer().press('Enter');
    await deft.card('Status').waitFor();
    assert.match(await deft.card('Status').innerText(), /Deft \d.*\n.*Mode: default/s);
    assert.equal(await deft.composer().inputValue(), '');
    assert.equal(deft.requests(), 0);
  });

  it('runs a skill with arguments: the chat shows what was typed, the model gets the skill', async () => {
    deft.script(answers('Deployed.'));
    await deft.composer().pressSequentially('/dep');
    await option(/^\/deploy /).waitFor();
    await deft.composer().press('Tab');
    await eventually(
      async () => (await deft.composer().inputValue()) === '/deploy ',
      'The command is not written out.',
    );
    await deft.composer().pressSequentially('staging');
    await deft.composer().press('Enter');
    await deft.says('Deployed.');
    await deft.conversation().getByText('/deploy staging', { exact: true }).waitFor();
    const sent = lastText(await deft.request(1));
    assert.ok(sent.includes(`Deploy to staging, from ${deft.window.folder}.`), sent);
    await deft.idle();
  });

  it('runs a command that includes a file', async () => {
    deft.script(answers('One.'));
    await deft.send('/look');
    await deft.says('One.');
    assert.match(
      (await deft.request(1)).flatMap(({ content }) => textsOf(content)).join('\n'),
      /export const price = 1;/,
    );
    await deft.idle();
  });

  it('sends nothing where there is no such command: the nearest are named, and the text comes back', async () => {
    deft.script();
    await deft.send('/deplyo staging');
    await deft.says(/There is no command \/deplyo\. Did you mean \/deploy\?/);
    await eventually(
      async () => (await deft.composer().inputValue()) === '/deplyo staging',
      'The text did not come back.',
    );
    assert.equal(deft.requests(), 0);
    await deft.idle();
  });

  it('says why a broken skill does not run, and lists it', async () => {
    deft.script();
    await deft.send('/broken');
    await deft.says(/\/broken cannot be used: .*Its front matter is not valid YAML/);
    await deft.idle();
    await deft.composer().fill('/skills');
    await deft.composer().press('Enter');
    const page = deft.window.page.locator('.editor-instance .monaco-editor').first();
    await eventually(
      async () => (await shownLines(page)).join('\n').includes('Not used'),
      'The page does not list the broken one.',
    );
    assert.match((await shownLines(page)).join('\n'), /deploy[\s\S]*Problems[\s\S]*broken/);
    await deft.window.command('View: Close All Editors');
  });

  it('/permissions says what each tool may do at most', async () => {
    await deft.composer().fill('/permissions');
    await deft.composer().press('Enter');
    const page = deft.window.page.locator('.editor-instance .monaco-editor').first();
    await eventually(
      async () => /full access: .*Bash/.test((await shownLines(page)).join(' ')),
      'The page does not list the tools.',
    );
    const shown = (await shownLines(page)).join(' ');
    assert.match(shown, /read-only: .*Read.*changes files: .*Edit.*full access: .*Bash/);
    await deft.window.command('View: Close All Editors');
  });

  it('leaves a running turn alone', async () => {
    const held = opened();
    deft.script(reply(text('Beginning, ', gate(held.promise), 'and the end.')));
    await deft.send('Work');
    await deft.says(/Beginning/);
    await deft.send('/cost');
    await deft.chat().getByRole('main', { name: 'Usage of this session' }).waitFor();
    await deft.button('Back to the conversation').click();
    await deft.send('/clear');
    await deft.says(/Stop the turn first/);
    held.open();
    await deft.says(/and the end\./);
    await deft.idle();
  });
});
