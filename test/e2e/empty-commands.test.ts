// Every command of the palette in a window that has nothing for it: each has an effect or says why it has none.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { temporaryFolder } from '../rig/cleanup';
import { notification, quickInput } from '../rig/workbench';
import { shownManifest } from '../support/shown-manifest';
import { openDeft, type DeftWindow } from './support/deft';

interface Manifest {
  contributes: {
    commands: { command: string; title: string; category: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
  };
}

/** What is to be seen then: a sentence as a regular expression, a question of VS Code, or something else. */
const answers: Readonly<Record<string, RegExp | 'asks' | 'tab' | ((deft: DeftWindow) => Locator)>> = {
  'deft.newSession': (deft) => deft.composer(),
  'deft.focus': (deft) => deft.composer(),
  'deft.openInEditor': 'tab',
  'deft.newChatInEditor': 'tab',
  'deft.newChatInWorktree': /a worktree needs a folder on the disk/,
  'deft.newChatsInWorktrees': /a worktree needs a folder on the disk/,
  'deft.compareAttempts': /a worktree needs a folder on the disk/,
  'deft.cleanUpWorktrees': /a worktree needs a folder on the disk/,
  'deft.bringChangesHere': /no chat of this window works in a worktree/,
  'deft.worktreeActions': /in no worktree of its own/,
  'deft.history': (deft) => deft.chat().getByRole('main', { name: 'History' }),
  'deft.nextWaiting': /no chat waits for you/,
  'deft.showSessions': (deft) => deft.window.page.getByRole('button', { name: 'Sessions Section' }),
  'deft.switchSession': /there are no sessions in this folder yet/,
  'deft.sendToSession': /there are no sessions in this folder yet/,
  'deft.rewind': /this session has no messages yet/,
  'deft.goToMessage': /this session has no messages yet/,
  'deft.compact': 'asks',
  'deft.manageMcpServers': (deft) => deft.chat().getByRole('main', { name: 'MCP servers' }),
  'deft.managePlugins': 'asks',
  'deft.importSession': 'asks',
  'deft.stop': /nothing is running that could be stopped/,
  'deft.acceptEdit': /no edit waits for your decision here/,
  'deft.rejectEdit': /no edit waits for your decision here/,
  'deft.takeBackHunk': /no change of a proposal is at the cursor/,
  'deft.acceptAllEdits': /no edit waits for your decision\./,
  'deft.rejectAllEdits': /no edit waits for your decision\./,
  'deft.nextEdit': /no change waits for review/,
  'deft.previousEdit': /no change waits for review/,
  'deft.keepAllChanges': /no change waits for review/,
  'deft.undoAllChanges': /no change waits for review/,
  'deft.reviewChanges': /there is nothing to compare with yet/,
  'deft.addComment': /open a file of the workspace/,
  'deft.sendComments': /there are no comments to send/,
  'deft.discardComments': /there are no comments to discard/,
  'deft.forgetDismissedFindings': /no finding/,
  'deft.acceptInline': /no proposal waits in this file/,
  'deft.rejectInline': /no proposal waits in this file/,
  'deft.diffInline': /no proposal waits in this file/,
  'deft.addSelection': /open a file and select what to add/,
  'deft.addFile': /open the file to add/,
  'deft.explainSelection': /open a file and select what to explain/,
  'deft.fixDiagnostic': /open the file that has the problem/,
  'deft.addTerminalOutput': /no command has run/,
  'deft.generateCommitMessage': /Deft: /,
  'deft.commitChanges': /no git repository is open/,
  'deft.splitCommits': /no git repository is open/,
  'deft.createPullRequest': /no git repository is open/,
  'deft.whyThisLine': /open a file and put the cursor/,
  'deft.setApiKey': 'asks',
  'deft.selectProvider': 'asks',
  'deft.clearApiKey': /the stored API key was removed/,
  'deft.selectModel': 'asks',
  'deft.selectPermissionMode': 'asks',
  'deft.testPermissionRule': 'asks',
  'deft.exportSession': /there is no conversation to export yet/,
  'deft.showTasks': /nothing runs in the background of any session/,
  'deft.showHooks': 'tab',
  'deft.showLog': (deft) => deft.window.page.locator('.part.panel'),
  'deft.reviewProjectSettings': /waits for your consent/,
  'deft.openWalkthrough': 'tab',
  'deft.useVscodeModels': /VS Code/,
};
/** The first leaves the window: test/e2e/first-run.test.ts. The other leads out of a chat that has the focus: test/e2e/ways-to-the-chat.test.ts. */
const elsewhere = ['deft.startDemo', 'deft.leaveChat'];

describe('each command of the palette, where there is nothing for it', () => {
  const { contributes } = shownManifest<Manifest>();
  const conditional = contributes.menus.commandPalette.map(({ command }) => command);
  const titles = new Map(
    contributes.commands
      .filter(({ command }) => !conditional.includes(command))
      .map(({ command, category, title }) => [command, `${category}: ${title}`]),
  );
  let deft: DeftWindow;
  before(async () => {
    // In a configuration of its own: other tests leave sessions in that of all windows without a folder.
    const env = { CLAUDE_CONFIG_DIR: temporaryFolder('claude'), CODEX_HOME: temporaryFolder('codex') };
    deft = await openDeft({ folder: false, env });
  });
  after(() => deft.close());
  afterEach(async () => {
    const { page } = deft.window;
    await page.keyboard.press('Escape');
    await deft.window.command('Notifications: Clear All Notifications');
    await deft.window.command('View: Close All Editors');
  });

  it('is in the table', () => {
    assert.deepEqual([...titles.keys()].sort(), [...Object.keys(answers), ...elsewhere].sort());
  });

  for (const [command, answer] of Object.entries(answers)) {
    it(command, async () => {
      const { page } = deft.window;
      const title = titles.get(command);
      assert.ok(title, 'the palette does not offer it');
      // What is looked for in the chat must not stand there already.
      if (typeof answer === 'function') await deft.window.command('View: Show Explorer');
      await deft.window.command(title);
      if (answer instanceof RegExp) await notification(page, answer).first().waitFor({ timeout: 20_000 });
      else if (answer === 'asks')
        await quickInput(page).or(page.locator('.monaco-dialog-box')).first().waitFor({ timeout: 20_000 });
      else if (answer === 'tab') await page.locator('.part.editor .tab').first().waitFor({ timeout: 20_000 });
      else await answer(deft).first().waitFor({ timeout: 20_000 });
    });
  }
});
