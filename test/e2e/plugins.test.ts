// Plugins in the chat by keyboard: one is installed from a folder after its page was shown, its command runs, and it is switched off and removed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shownLines } from '../rig/workbench';
import { commitAll, wholePlugin, writeFolder } from '../support/plugin-folders';
import { eventually, lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('plugins', () => {
  let deft: DeftWindow;
  let installed: string;
  const root = mkdtempSync(path.join(tmpdir(), 'deft-e2e-plugins-'));
  before(async () => {
    await writeFolder(path.join(root, 'shout'), wholePlugin());
    const repository = await writeFolder(path.join(root, 'market'), {
      '.claude-plugin/marketplace.json': {
        name: 'tools',
        owner: { name: 'Ann' },
        plugins: [{ name: 'quiet', source: './quiet', description: 'Says little' }],
      },
      'quiet/commands/hush.md': 'Say hush.\n',
    });
    commitAll(repository);
    await writeFolder(path.join(root, 'odd'), {
      '.claude-plugin/plugin.json': { name: 'odd', userConfig: {}, dependencies: ['x'] },
      'commands/hum.md': 'Hum.\n',
      'agents/nameless.md': 'You have no name.\n',
      'workflows/release.yml': 'steps: []\n',
      'monitors/monitors.json': [],
      'settings.json': {},
      '.lsp.json': {},
    });
    deft = await openDeft({ files: { 'a.txt': 'a\n' } });
  });
  after(async () => {
    await deft.close();
    rmSync(root, { recursive: true, force: true });
  });

  const quick = () => deft.window.page.locator('.quick-input-widget');
  const row = (text: string | RegExp) => quick().locator('.monaco-list-row').filter({ hasText: text }).first();
  /** With the arrow keys and Enter. */
  const choose = async (text: string | RegExp): Promise<void> => {
    await row(text).waitFor();
    const focused = quick().locator('.monaco-list-row.focused').filter({ hasText: text });
    for (let pressed = 0; (await focused.count()) === 0; pressed++) {
      assert.ok(pressed < 50, `The arrow keys do not reach ${text}.`);
      await deft.window.page.keyboard.press('ArrowDown');
    }
    await deft.window.page.keyboard.press('Enter');
  };
  const type = async (text: string): Promise<void> => {
    await quick().locator('input[type="text"]').first().fill(text);
    await deft.window.page.keyboard.press('Enter');
  };
  const show = async (): Promise<void> => {
    await deft.composer().fill('/plugin');
    await deft.composer().press('Enter');
    await row('Install from a folder').waitFor();
  };
  /** The list stays open until it is left. */
  const leave = async (): Promise<void> => {
    await row('Install from a folder').waitFor();
    await deft.window.page.keyboard.press('Escape');
    await quick().waitFor({ state: 'hidden' });
  };
  const page = async (): Promise<string> =>
    (await shownLines(deft.window.page.locator('.editor-instance .monaco-editor').first()))
      .join('\n')
      .replace(/\u00a0/g, ' ');

  it('one is installed from a folder: first its page, then its hook, its program and its command work', async () => {
    await show();
    await choose('Install from a folder');
    await type(path.join(root, 'shout'));
    await row('Install: everywhere').waitFor();
    await eventually(async () => /Hook at UserPromptSubmit/.test(await page()), 'The page does not show the hook.');
    const shown = await page();
    assert.ok(shown.includes('${CLAUDE_PLUGIN_ROOT}/note.sh'), 'its folder is shown as what it stands for');
    assert.match(shown, /Program for commands: shout-it/);
    await quick().locator('.monaco-list-row.focused').filter({ hasText: 'Do not install' }).waitFor();
    assert.match(shown, /\/shout:loud/);
    await deft.window.picture('e2e-plugin-review');
    await choose('Install: everywhere');
    await deft.window.page
      .getByText(/shout is installed: 2 skills, 1 agent, 1 hook, 1 program/)
      .first()
      .waitFor();
    await leave();
    await deft.window.command('View: Close All Editors');
    await deft.newSession();
    deft.script(answers('Shouted.'));
    await deft.send('/shout:loud twice');
    await deft.says('Shouted.');
    const sent = (await deft.request(1)).flatMap(({ content }) => textsOf(content)).join('\n');
    installed = /Shout twice from (\S+\/installed\/folder\/shout\/\w+): HELLO!/.exec(sent)?.[1] ?? assert.fail(sent);
    assert.match(sent, /The hook of the plugin ran\./);
    await deft.idle();
  });

  it('a script that changed since does not run, and the plugin waits for the user', async () => {
    writeFileSync(path.join(installed, 'note.sh'), '#!/bin/bash\necho "The hook of the plugin ran otherwise."\n');
    deft.script(answers('Quiet.'));
    await deft.send('Go on');
    await deft.says('Quiet.');
    const sent = (await deft.request(1)).flatMap(({ content }) => textsOf(content)).join('\n');
    assert.match(sent, /Go on/);
    assert.ok(!sent.includes('ran otherwise'));
    await deft.card('A plugin waits for you.').getByText('shout@folder').waitFor();
    await deft.idle();
  });

  it('what is not used of one is named before it is installed, and in the list after', async () => {
    const unused = [
      /`\.claude-plugin\/plugin\.json`: line 1: Deft does not ask for .*userConfig/,
      /`\.claude-plugin\/plugin\.json`: line 1: its dependencies are not installed/,
      /`agents\/nameless\.md`: \S/,
      /`workflows`: Workflows are not supported/,
      /`monitors\/monitors\.json`: Monitors are not supported/,
      /`settings\.json`: Settings of plugins are not used/,
      /`\.lsp\.json`: Language servers of plugins are not used/,
    ];
    const isNamed = async (): Promise<boolean> => {
      const [, told = ''] = (await page()).split('**Not used**');
      return unused.every((one) => one.test(told));
    };
    await show();
    await choose('Install from a folder');
    await type(path.join(root, 'odd'));
    await row('Install: everywhere').waitFor();
    await eventually(isNamed, 'The page does not name what is not used.');
    await choose('Install: everywhere');
    await deft.window.page
      .getByText(/odd is installed: 1 skill\b/)
      .first()
      .waitFor();
    await leave();
    await deft.window.command('View: Close All Editors');
    await show();
    await choose('odd@folder');
    await choose('Show its contents');
    await eventually(isNamed, 'The page of the installed plugin does not name what is not used.');
    await deft.window.page.keyboard.press('Escape');
    await deft.window.command('View: Close All Editors');
  });

  it('one comes from a git marketplace, is updated, and another is switched off and removed', async () => {
    await show();
    await choose('Add a marketplace');
    await type(`file://${path.join(root, 'market')}`);
    await choose('Says little');
    await choose('Install: in this project, for you');
    await deft.window.page
      .getByText(/quiet is installed: 1 skill\./)
      .first()
      .waitFor();
    await leave();
    await deft.window.command('View: Close All Editors');
    deft.script(answers('Hush.'));
    await deft.send('/quiet:hush');
    await deft.says('Hush.');
    assert.match(lastText(await deft.request(1)), /Say hush\./);
    await deft.idle();

    await writeFolder(path.join(root, 'market'), { 'quiet/commands/hush.md': 'Say nothing.\n' });
    commitAll(path.join(root, 'market'));
    await show();
    await choose('quiet@tools');
    await choose('Update');
    await deft.window.page
      .getByText(/quiet is as its source has it now\./)
      .first()
      .waitFor();
    await leave();
    deft.script(answers('Nothing.'));
    await deft.send('/quiet:hush');
    await deft.says('Nothing.');
    assert.match(lastText(await deft.request(1)), /Say nothing\./);
    await deft.idle();

    await show();
    await choose('shout@folder');
    await choose('Switch off: everywhere');
    await deft.window.page
      .getByText(/shout is off\./)
      .first()
      .waitFor();
    await leave();
    await deft.send('/shout:loud');
    await deft.says(/There is no command \/shout:loud\./);
    await show();
    await deft.window.picture('e2e-plugin-list');
    await choose('shout@folder');
    await choose('Remove');
    await deft.window.page.getByRole('button', { name: 'Remove' }).press('Enter');
    await deft.window.page
      .getByText(/shout is removed\./)
      .first()
      .waitFor();
    await leave();
    await show();
    await row('quiet@tools').waitFor();
    assert.equal(await row('shout@folder').count(), 0);
    await deft.window.page.keyboard.press('Escape');
  });
});
