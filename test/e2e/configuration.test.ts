// What settings and variables change outside the chat: folders' own settings, the simple mode, ignored values, a mark that anyone can set.
import assert from 'node:assert/strict';
import { workbenchReady } from '../rig/workbench';
import { eventually, lastText, openChat, openDeft, type DeftWindow } from './support/deft';
import { codeLens, editorText, openAndFocus } from './support/editor';
import { answers, readAndEdit } from './support/replies';

describe('variables of the environment', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      env: { CLAUDE_CODE_SIMPLE: 'true', MAX_THINKING_TOKENS: 'many', ANTHROPIC_BASE_URL: undefined },
      files: { '.mcp.json': JSON.stringify({ mcpServers: { notes: { command: 'true' } } }) },
    });
    deft.window.configure({ 'deft.baseUrl': deft.api.url });
  });
  after(() => deft.close());

  const sentence = 'MAX_THINKING_TOKENS takes a whole number from 0, not "many".';

  it('that do not count are named in the chat and by /doctor', async () => {
    await deft.card('A variable has a value that is ignored.').getByText(sentence).waitFor();
    await deft.send('/doctor');
    await deft.card('Doctor').getByText(sentence).waitFor();
  });

  it('switch to the simple mode by the same words as in a headless run, without MCP servers', async () => {
    await deft.configure({ 'deft.baseUrl': deft.api.url });
    deft.script(answers('Simple.'));
    await deft.send('Hello?');
    await deft.says('Simple.');
    // The API is shared with the windows before.
    const { body } =
      deft.api.requests.findLast(({ body: { tools } }) => Array.isArray(tools) && tools.length > 0) ??
      assert.fail('no request has tools');
    assert.deepEqual(
      (body['tools'] as { name: string }[]).map(({ name }) => name),
      ['Read', 'Edit', 'Bash'],
    );
  });
});

describe('settings of one folder of several', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      workspaceFile: 'two.code-workspace',
      files: {
        'two.code-workspace': JSON.stringify({ folders: [{ path: 'api' }, { path: 'web' }] }),
        'api/saved.txt': 'alpha\nomega\n',
        'web/kept.txt': 'alpha\nomega\n',
        'web/.vscode/settings.json': JSON.stringify({ 'deft.autosave': false }),
      },
    });
  });
  after(() => deft.close());

  for (const [file, text, said] of [
    ['web/kept.txt', 'alpha\nomega\n', /is not saved/],
    ['api/saved.txt', 'typed alpha\nOMEGA\n', /were saved together/],
  ] as const) {
    it(`autosave: ${file} is ${text.startsWith('typed') ? 'saved' : 'left to the user'}`, async () => {
      const { page } = deft.window;
      await deft.newSession();
      await openAndFocus(page, file.split('/')[1] ?? file);
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('typed ');
      await eventually(
        async () => (await editorText(page)).startsWith('typed alpha'),
        'The typing is not in the editor.',
      );
      deft.script(readAndEdit(`${deft.window.folder}/${file}`, 'omega', 'OMEGA'), answers('Edited.'));
      await deft.send('Edit it');
      await deft.approval(`Approve: Edit ${file}`).waitFor();
      await deft.button('Accept').click();
      await deft.says('Edited.');
      await deft.idle();
      assert.equal(deft.window.read(file), text);
      assert.match(lastText(await deft.request(2)), said);
    });
  }
});

describe('a reload with another view in front', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({ settings: { 'deft.initialPermissionMode': 'acceptEdits' }, files: { 'a.txt': 'alpha\n' } });
  });
  after(() => deft.close());

  it('leaves changes that wait to the first command, which finds them', async () => {
    const { page } = deft.window;
    deft.script(readAndEdit(`${deft.window.folder}/a.txt`, 'alpha', 'beta'), answers('Edited.'));
    await deft.send('Edit it');
    await deft.says('Edited.');
    await deft.idle();
    await deft.window.command('View: Close All Editors');
    await deft.window.command('View: Show Explorer');
    await page.locator('.explorer-viewlet').first().waitFor();
    // VS Code's own way, which keeps what is in front.
    const loaded = page.waitForEvent('load');
    await deft.window.command('Developer: Reload Window');
    await loaded;
    await workbenchReady(page);
    await page.locator('.explorer-viewlet').first().waitFor();
    await deft.window.command('Deft: Next Edit');
    await eventually(async () => (await editorText(page)).trim() === 'beta', 'The change was not found.');
    await codeLens(page, 'Keep').waitFor();
    await deft.window.command('Deft: Focus Chat');
    await deft.chat().getByRole('region', { name: 'Changed files' }).getByText('1 file', { exact: true }).waitFor();
  });
});

describe("a repository with the sample's mark", () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      env: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined },
      files: { '.deft-sample': 'demo\n', 'a.txt': 'alpha\n' },
      openChat: false,
    });
  });
  after(() => deft.close());

  it('starts no demo', async () => {
    await openChat(deft);
    await deft.chat().getByRole('heading', { name: 'Connect Deft to a model' }).waitFor();
    assert.equal(await deft.chat().getByText('Demo: a scripted model answers').count(), 0);
  });
});
