// Windows of every kind: several folders, none, and folders that contain rules, trusted and not.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, lastText, mentionOptions, openDeft, textsOf, type DeftWindow } from './support/deft';
import { editorText } from './support/editor';
import { answers, readAndEdit, runs } from './support/replies';

const rulesFile = '.claude/settings.json';
/** Lies outside every workspace, on each Linux. */
const outside = '/etc/hostname';

const reads = (file: string) => reply(toolUse('Read', { file_path: file }));
const result = async (deft: DeftWindow, n: number): Promise<string> => lastText(await deft.request(n));

describe('a window with several folders', () => {
  let deft: DeftWindow;
  let web: string;
  const rules = { permissions: { allow: ['Bash(node -p *)'], deny: ['Read(./secret.txt)', 'Bash(rm *)'] } };

  before(async () => {
    deft = await openDeft({
      workspaceFile: 'two.code-workspace',
      settings: { 'deft.initialPermissionMode': 'acceptEdits' },
      files: {
        'two.code-workspace': JSON.stringify({ folders: [{ path: 'api' }, { path: 'web' }] }),
        'api/same.txt': 'of the api\n',
        // What a path led by the other folder's name must not be taken for.
        'api/web/b.txt': 'the wrong one\n',
        'web/same.txt': 'of the web\n',
        'web/b.txt': 'beta\n',
        'web/seen.txt': 'seen\n',
        'web/secret.txt': 'the password\n',
        [`web/${rulesFile}`]: JSON.stringify(rules),
      },
    });
    web = path.join(deft.window.folder, 'web');
    await deft.reviewGrants('Agree');
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const strip = () => deft.chat().getByRole('region', { name: 'Changed files' });
  const isOpen = (text: string) =>
    eventually(
      async () => (await editorText(deft.window.page)).trim() === text,
      `No editor shows ${JSON.stringify(text)}.`,
    );
  const options = () => mentionOptions(deft);

  it('tells the model of all folders, and leads the paths in cards by the folder', async () => {
    deft.script(
      reply(
        toolUse('Read', { file_path: `${web}/same.txt` }),
        toolUse('Read', { file_path: path.join(deft.window.folder, 'api/same.txt') }),
      ),
      answers('Compared.'),
    );
    await deft.send('Compare');
    await deft.says('Compared.');
    await deft.idle();
    const first = (await deft.request(1)).flatMap(({ content }) => textsOf(content)).join('\n');
    assert.match(first, new RegExp(`Workspace folders: ${path.join(deft.window.folder, 'api')}, ${web}$`, 'm'));
    await deft.card('Read web/same.txt').getByRole('link', { name: 'web/same.txt' }).click();
    await isOpen('of the web');
    await deft.card('Read api/same.txt').getByRole('link', { name: 'api/same.txt' }).click();
    await isOpen('of the api');
  });

  it('takes a path that a folder leads for a file of that folder', async () => {
    deft.script(reads(`${web}/b.txt`), answers('Read.'));
    await deft.send('Read it');
    await deft.says('Read.');
    await deft.idle();
    await deft.card('Read web/b.txt').getByRole('link', { name: 'web/b.txt' }).click();
    await isOpen('beta');
  });

  it('edits in the second folder as inside the workspace, to keep or to undo', async () => {
    deft.script(readAndEdit(`${web}/same.txt`, 'of the web', 'changed'), answers('Edited.'));
    await deft.send('Edit it');
    await deft.says('Edited.');
    await deft.idle();
    assert.equal(deft.window.read('web/same.txt'), 'changed\n');
    const card = deft.card('Edited web/same.txt');
    await strip().getByText('1 file', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'Undo' }).click();
    await strip().waitFor({ state: 'detached' });
    await eventually(() => deft.window.read('web/same.txt') === 'of the web\n', 'The edit is not undone.');
    assert.equal(deft.window.read('api/same.txt'), 'of the api\n');
  });

  it('attaches a mentioned file of the second folder, and suggests none that a rule of that folder hides', async () => {
    await deft.composer().pressSequentially('Look at @se');
    await options().filter({ hasText: 'seen.txt' }).waitFor();
    assert.equal(await options().filter({ hasText: 'secret.txt' }).count(), 0);
    await deft.composer().pressSequentially('en');
    await eventually(async () => (await options().count()) === 1, 'More than one file is suggested.');
    await deft.composer().press('Enter');
    await eventually(
      async () => (await deft.composer().inputValue()) === 'Look at @web/seen.txt ',
      'The mention is not written out.',
    );
    deft.script(answers('Seen.'));
    await deft.composer().press('Enter');
    await deft.says('Seen.');
    await deft.idle();
    assert.ok((await result(deft, 1)).includes(`<attachment path="${web}/seen.txt">\n1\tseen`));
  });

  it('follows the rules of a folder: what they allow runs, what they deny does not', async () => {
    const made = path.join(web, 'b.txt');
    deft.script(
      runs('node -p 20+1'),
      reply(toolUse('Bash', { command: `rm ${made}` }), toolUse('Read', { file_path: `${web}/secret.txt` })),
      answers('Tried.'),
    );
    await deft.send('Try');
    await deft.says('Tried.');
    await deft.idle();
    assert.match(await result(deft, 2), /^21$/m);
    assert.equal((await result(deft, 3)).match(/Permission denied/g)?.length, 2);
    assert.doesNotMatch(await result(deft, 3), /the password/);
    assert.ok(existsSync(made));
  });

  it('says where a settings file is broken, and asks until it is mended', async () => {
    deft.window.write(`web/${rulesFile}`, '{\n  "permissions": {\n    "allow": ["Bash(node -p *)" "Read"]\n  }\n}\n');
    await deft.card('A settings file cannot be read.').getByText(`${web}/${rulesFile}:3:`).waitFor();
    assert.match(await deft.card('A settings file cannot be read.').innerText(), /settings\.json:3:33: /);
    deft.script(runs('node -p 20+2'), answers('Asked.'));
    await deft.send('Count');
    await deft.approval('Approve: Bash node -p 20+2').waitFor();
    await deft.button('Accept').click();
    await deft.says('Asked.');
    await deft.idle();
  });
});

describe('a window without a folder', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ folder: false, files: { 'note.txt': 'a note\n' } })));
  after(() => deft.close());

  it('chats, tells the model that no folder is open, and asks before anything is read', async () => {
    const note = `${deft.window.folder}/note.txt`;
    deft.script(reads(note), reply(toolUse('Glob', { pattern: '*' })), answers('That is what I found.'));
    await deft.send('What do you see?');
    await deft
      .approval(`Approve: Read ${note}`)
      .getByText(/is outside the workspace/)
      .waitFor();
    await deft.button('Accept').click();
    await deft.approval(/^Approve: Glob /).waitFor();
    await deft.button('Accept').click();
    await deft.says('That is what I found.');
    await deft.idle();
    const first = (await deft.request(1)).flatMap(({ content }) => textsOf(content)).join('\n');
    assert.match(first, /No folder is open: files can only be reached by absolute paths/);
    assert.match(await result(deft, 2), /a note/);
  });

  it('edits a file after a question', async () => {
    await deft.newSession();
    const note = `${deft.window.folder}/note.txt`;
    deft.script(readAndEdit(note, 'a note', 'two notes'), answers('Written.'));
    await deft.send('Write');
    await deft.approval(`Approve: Read ${note}`).waitFor();
    await deft.button('Accept').click();
    await deft.approval(`Approve: Edit ${note}`).waitFor();
    await deft.button('Accept').click();
    await deft.says('Written.');
    await deft.idle();
    assert.equal(deft.window.read('note.txt'), 'two notes\n');
  });
});

describe('a folder with rules in restricted mode', () => {
  let deft: DeftWindow;
  before(async () => {
    const rules = { permissions: { allow: [`Read(/${outside})`, 'Bash'], deny: ['Read(./secret.txt)'] } };
    deft = await openDeft({
      workspaceTrust: true,
      files: { [rulesFile]: JSON.stringify(rules), 'secret.txt': 'the password\n' },
    });
  });
  after(() => deft.close());

  it('denies what they deny, and allows nothing that they allow', async () => {
    deft.script(
      reply(
        toolUse('Read', { file_path: `${deft.window.folder}/secret.txt` }),
        toolUse('Bash', { command: 'node -p 20+1' }),
      ),
      reads(outside),
      answers('Tried.'),
    );
    await deft.send('Try');
    await deft.approval(`Approve: Read ${outside}`).waitFor();
    const denied = await result(deft, 2);
    assert.equal(denied.match(/Permission denied/g)?.length, 2, denied);
    assert.doesNotMatch(denied, /the password/);
    await deft.button('Accept').click();
    await deft.says('Tried.');
    await deft.idle();
  });
});
