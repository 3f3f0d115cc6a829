// Rules and trust in a real window: what a project allows, what one click saves, and where a broken file is.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { lastText, openChat, openDeft, type DeftWindow } from './support/deft';
import { activeEditor } from './support/editor';
import { answers, runs } from './support/replies';

const projectFile = '.claude/settings.json';
const localFile = '.claude/settings.local.json';
const command = (n: number): string => `node -p ${n}`;

describe('a rule saved by a click', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' } })));
  after(() => deft.close());

  async function asks(n: number): Promise<void> {
    deft.script(runs(command(n)), answers(`That was ${n}.`));
    await deft.send(`Run ${n}`);
    await deft.approval(`Approve: Bash ${command(n)}`).waitFor();
  }

  async function runsUnasked(n: number): Promise<void> {
    deft.script(runs(command(n)), answers(`That was ${n}.`));
    await deft.send(`Run ${n}`);
    await deft.says(`That was ${n}.`);
    await deft.idle();
    assert.match(lastText(await deft.request(2)), new RegExp(`^${n}$`, 'm'));
  }

  it('is shown word for word with its file, goes there, and holds after a reload', async () => {
    await asks(41);
    await deft
      .approval()
      .getByText(`Saves Bash(${command(41)}) to ${localFile}`)
      .waitFor();
    await deft.button(`Always allow ${command(41)} in this project`).click();
    await deft.says('That was 41.');
    await deft.idle();
    assert.deepEqual(JSON.parse(deft.window.read(localFile)), { permissions: { allow: [`Bash(${command(41)})`] } });
    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    await deft.newSession();
    await runsUnasked(41);
    assert.equal(
      await deft.card("This project's settings would allow more.").count(),
      0,
      'what the user saved needs no consent',
    );
    await asks(42);
    await deft.button('Accept').click();
    await deft.says('That was 42.');
    await deft.idle();
  });

  it('can be for the session alone', async () => {
    await asks(43);
    await deft.approval().getByRole('button', { name: 'Other rules' }).click();
    await deft.button(`Always allow ${command(43)} in this session`).click();
    await deft.says('That was 43.');
    await deft.idle();
    assert.doesNotMatch(deft.window.read(localFile), /43/);
    await runsUnasked(43);
  });

  it('holds for the session where its file is broken, which stays as it is', async () => {
    await asks(44);
    // VS Code reports the change before the click: the card is already there.
    const broken = '{ "permissions": { "allow": ["Bash(ls)" "Read"] } }\n';
    deft.window.write(localFile, broken);
    await deft.card('A settings file cannot be read.').waitFor();
    await deft.button(`Always allow ${command(44)} in this project`).click();
    await deft
      .card('The rule was not saved.')
      .getByText(/was not changed: it is not valid JSON\. Your permission holds for this session only\./)
      .waitFor();
    await deft.says('That was 44.');
    await deft.idle();
    assert.equal(deft.window.read(localFile), broken);
    const card = deft.card('A settings file cannot be read.');
    await card.getByRole('button', { name: 'Open line 1' }).click();
    await activeEditor(deft.window.page).waitFor();
    await deft.window.page.locator('.tab.active', { hasText: 'settings.local.json' }).waitFor();
    await deft.window.page.getByText('Ln 1, Col 41').waitFor();
    deft.window.write(localFile, '{}\n');
    await card.waitFor({ state: 'detached' });
  });
});

describe('the rules of a project', () => {
  let deft: DeftWindow;
  const rules = {
    permissions: { allow: ['Bash(node -p *)'], deny: ['Read(./secret.txt)'] },
    env: { FLAVOUR: 'lemon' },
  };
  before(
    async () =>
      (deft = await openDeft({
        workspaceTrust: true,
        files: { [projectFile]: JSON.stringify(rules), 'secret.txt': 'the password\n' },
      })),
  );
  after(() => deft.close());

  const notice = () => deft.card("This project's settings would allow more.");

  it('allow nothing until the folder is trusted', async () => {
    await deft
      .chat()
      .getByText(/^Restricted Mode: /)
      .waitFor();
    deft.script(runs(command(1)), answers('Not done.'));
    await deft.send('Run');
    await deft.says('Not done.');
    await deft.idle();
    assert.match(lastText(await deft.request(2)), /Permission denied/);
    assert.equal(await notice().count(), 0);
  });

  it('wait for the user once it is trusted', async () => {
    const { page } = deft.window;
    const restricted = deft.chat().getByText(/^Restricted Mode: /);
    // Trust cannot be taken back here: a second try finds it granted.
    if (await restricted.isVisible()) {
      await deft.window.command('Workspaces: Manage Workspace Trust');
      await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
      await restricted.waitFor({ state: 'detached' });
      // It covers the window, and after the click the focus is nowhere that takes keys.
      await page.locator('.modal-editor-action-container .codicon-close').click();
      await page.locator('.workspace-trust-editor').waitFor({ state: 'detached' });
    }
    await notice().getByText('Not in force until you agree: allow Bash(node -p *) · set FLAVOUR=lemon').waitFor();
  });

  it('allow nothing until the user agrees', async () => {
    await openChat(deft);
    deft.script(runs(command(2)), answers('Asked first.'));
    await deft.send('Run');
    await deft.approval(`Approve: Bash ${command(2)}`).waitFor();
    await deft.button('Accept').click();
    await deft.says('Asked first.');
    await deft.idle();
  });

  it('hold once the user has agreed', async () => {
    await deft.reviewGrants('Agree');
    deft.script(runs('node -p 3 && echo "[$FLAVOUR]"'), answers('Not asked.'));
    await deft.send('Run');
    await deft.says('Not asked.');
    await deft.idle();
    assert.match(lastText(await deft.request(2)), /^3\n\[lemon\]$/m);
  });

  it('ask again for what is new in the file, and for that alone', async () => {
    deft.window.write(
      projectFile,
      JSON.stringify({ permissions: { ...rules.permissions, allow: [...rules.permissions.allow, 'Bash(touch *)'] } }),
    );
    await notice().getByText('Not in force until you agree: allow Bash(touch *)').waitFor();
    await deft.reviewGrants('Keep Off');
    deft.script(runs(command(4)), runs('touch made.txt'), answers('Never said.'));
    await deft.send('Run and make');
    await deft.approval('Approve: Bash touch made.txt').waitFor();
    await deft.button('Reject').click();
    await deft.idle();
    assert.equal(deft.requests(), 2, 'the first one ran without a question');
    assert.ok(!existsSync(path.join(deft.window.folder, 'made.txt')));
  });
});
