// Every command that means a chat, with one chat in the side bar and one in a tab: the one that was used last is meant, and the other is as it was.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FrameLocator } from 'playwright-core';
import { quickInput, quickPickRow } from '../rig/workbench';
import { claudeCodeLog, said as saidBy } from '../support/external-logs';
import { gate, reply, text } from '../support/messages-api/script';
import { shownManifest } from '../support/shown-manifest';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { activeEditor, openAndFocus } from './support/editor';
import { answers, opened, readAndEdit, runs } from './support/replies';

/** They mean no chat, or say themselves which: a tab, an edit, the side bar, a picked session. Shown by other tests. */
const ofNoChat = [
  // Worktrees: worktrees.test.ts.
  ...['newChatInWorktree', 'newChatsInWorktrees', 'compareAttempts', 'cleanUpWorktrees'],
  ...['worktreeActions', 'bringChangesHere'],
  ...['newChatInEditor', 'leaveChat', 'nextWaiting', 'switchSession', 'sendToSession', 'showSessions', 'showTasks'],
  ...['pinSession', 'unpinSession', 'archiveSession', 'unarchiveSession', 'renameSession'],
  ...['groupSession', 'renameSessionGroup', 'removeSessionGroup'],
  ...['managePlugins', 'showHooks', 'showLog', 'startDemo', 'reviewProjectSettings', 'openWalkthrough'],
  ...[
    'acceptEdit',
    'rejectEdit',
    'takeBackHunk',
    'acceptAllEdits',
    'rejectAllEdits',
    'nextEdit',
    'previousEdit',
    'keepHunk',
    'undoHunk',
  ],
  // Of the review, and of threads in the editor; what is sent goes to the chat that was used last (edit-diff.test.ts).
  ...['keepFile', 'undoFile', 'keepReview', 'undoReview', 'addComment', 'writeComment', 'removeComment'],
  ...['writeAndSendComments', 'sendComments', 'discardComments'],
  // Of threads at the cursor, whose chat is the one in sight (inline-edit.test.ts).
  ...['inlineEdit', 'askInline', 'retryInline', 'acceptInline', 'rejectInline', 'diffInline', 'discardInline'],
  ...['fixFinding', 'dismissFinding', 'fixAllFindings', 'nextFinding', 'forgetDismissedFindings'],
  ...['keepAllChanges', 'undoAllChanges', 'addPlanComment', 'removePlanComment', 'testPermissionRule'],
  // Of the repository, and of a line in the editor; plans and previews say whose they are (integration/commits.test.ts).
  ...['commitChanges', 'commitPlan', 'splitCommits', 'showPlanChanges'],
  ...['createPullRequest', 'sendPullRequest', 'whyThisLine'],
  ...['generateCommitMessage', 'setApiKey', 'selectProvider', 'useVscodeModels', 'clearApiKey'],
  ...['newSession', 'history', 'openInEditor', 'exportSession', 'selectModel', 'selectPermissionMode'].map(
    (name) => `sideBar.${name}`,
  ),
];

describe('commands with two chats open', () => {
  const { contributes } = shownManifest<{ contributes: { commands: { command: string; title: string }[] } }>();
  const start = { 'a.txt': 'a\n', 'both.txt': `first\n${'.\n'.repeat(9)}last\n`, 'broken.json': '{ "a": }\n' };
  let deft: DeftWindow;
  let sideBar: FrameLocator;
  let tab: FrameLocator;

  const composer = (chat: FrameLocator) => chat.getByRole('textbox', { name: 'Message' });
  const said = (chat: FrameLocator, words: string) =>
    chat.getByRole('log', { name: 'Conversation' }).getByText(words, { exact: true }).last();
  const approval = (chat: FrameLocator) => chat.getByRole('group', { name: /^Approve: Edit both\.txt/ });
  const button = (chat: FrameLocator, name: string | RegExp) => chat.getByRole('button', { name, exact: true });
  const send = async (chat: FrameLocator, words: string) => {
    await composer(chat).fill(words);
    await composer(chat).press('Enter');
  };
  const holds = (wanted: string) =>
    eventually(async () => (await composer(tab).inputValue()) === wanted, `The tab does not hold ${wanted}.`);
  const closed = async () => {
    await deft.window.page.keyboard.press('Escape');
    await quickInput(deft.window.page).waitFor({ state: 'hidden' });
  };

  /** What each does in the tab, from running it to the state before, as far as the next ones need that. */
  const ofChat: Readonly<Record<string, (run: () => Promise<void>) => Promise<void>>> = {
    focus: async (run) => {
      await run();
      await eventually(
        () => composer(tab).evaluate((element) => element === element.ownerDocument.activeElement),
        'The composer of the tab has no focus.',
      );
    },
    addFile: async (run) => {
      await openAndFocus(deft.window.page, 'a.txt');
      await run();
      await holds('@a.txt ');
      await composer(tab).fill('');
    },
    addSelection: async (run) => {
      await openAndFocus(deft.window.page, 'a.txt');
      await deft.window.page.keyboard.press('Control+A');
      await run();
      await holds('@a.txt#1-1 ');
      await composer(tab).fill('');
    },
    explainSelection: async (run) => {
      deft.script(answers('It is a letter.'));
      await openAndFocus(deft.window.page, 'a.txt');
      await deft.window.page.keyboard.press('Control+A');
      await run();
      await said(tab, 'It is a letter.').waitFor();
    },
    fixDiagnostic: async (run) => {
      const { page } = deft.window;
      deft.script(answers('A value is missing.'));
      await openAndFocus(page, 'broken.json');
      await activeEditor(page).locator('.squiggly-error').first().waitFor({ timeout: 30_000 });
      await run();
      await said(tab, 'A value is missing.').waitFor();
    },
    addTerminalOutput: async (run) => {
      deft.script(runs('node -p 6*7'), answers('It ran.'));
      await send(tab, 'Run it');
      await tab
        .getByRole('group', { name: /^Approve: Bash/ })
        .getByRole('button', { name: 'Accept', exact: true })
        .click();
      await said(tab, 'It ran.').waitFor();
      await run();
      await quickPickRow(deft.window.page, 'node -p 6*7').click();
      await eventually(
        async () => (await composer(tab).inputValue()).includes('$ node -p 6*7\n42'),
        'The output is not in the composer of the tab.',
      );
      await composer(tab).fill('');
    },
    history: async (run) => {
      await run();
      await tab.getByRole('main', { name: 'History' }).waitFor();
      await button(tab, 'Back to the conversation').click();
    },
    manageMcpServers: async (run) => {
      await run();
      const page = tab.getByRole('main', { name: 'MCP servers' });
      await page.waitFor();
      await page.press('Escape');
    },
    rewind: async (run) => {
      await run();
      await quickPickRow(deft.window.page, 'From the tab').waitFor();
      await closed();
    },
    goToMessage: async (run) => {
      await run();
      await quickPickRow(deft.window.page, 'From the tab').waitFor();
      await closed();
    },
    reviewChanges: async (run) => {
      await run();
      await quickPickRow(deft.window.page, 'From the tab').waitFor();
      await closed();
    },
    exportSession: async (run) => {
      await run();
      await eventually(
        async () => (await quickInput(deft.window.page).inputValue()).endsWith('From-the-tab.md'),
        'The session of the tab is not the one to be exported.',
      );
      await closed();
    },
    selectPermissionMode: async (run) => {
      await run();
      await quickPickRow(deft.window.page, 'Plan').click();
      await button(tab, 'Mode: Plan').waitFor();
    },
    selectModel: async (run) => {
      await run();
      await quickPickRow(deft.window.page, 'Sonnet').click();
      await button(tab, /^Model: Sonnet/).waitFor();
    },
    compact: async (run) => {
      deft.script(answers('<summary>Both were greeted.</summary>'));
      const compacted = tab.getByRole('group', { name: /^Conversation compacted/ });
      const asks = deft.window.page.getByText('What matters most in the summary?');
      // A webview that takes the focus just now closes the question.
      await eventually(async () => {
        if (!(await asks.isVisible())) await run();
        await asks.waitFor();
        await deft.window.page.keyboard.press('Enter');
        return compacted
          .first()
          .waitFor({ timeout: 5_000 })
          .then(
            () => true,
            () => false,
          );
      }, 'The tab is not compacted.');
    },
    stop: async (run) => {
      const held = opened();
      deft.script(
        reply(text('The side works', gate(held.promise), ' on.')),
        reply(text('The tab works', gate(held.promise))),
      );
      await send(sideBar, 'Work');
      await said(sideBar, 'The side works').waitFor();
      await send(tab, 'Work too');
      await said(tab, 'The tab works').waitFor();
      await run();
      await button(tab, 'Stop').waitFor({ state: 'detached' });
      await button(sideBar, 'Stop').waitFor();
      held.open();
      await said(sideBar, 'The side works on.').waitFor();
      await button(sideBar, 'Stop').waitFor({ state: 'detached' });
    },
    openInEditor: async (run) => {
      const tabs = deft.window.page.locator('.part.editor .tab', { hasText: 'From the tab' });
      await run();
      // The session has moved: the tab that it was in begins a new one.
      await deft.window.page.locator('.part.editor .tab').getByText('Deft', { exact: true }).first().waitFor();
      await eventually(async () => (await tabs.count()) === 1, 'Not one tab has the session.');
      await tabs.getByRole('button', { name: /^Close/ }).click();
      await tabs.waitFor({ state: 'detached' });
      tab = deft.window.chat(1);
      deft.script(answers('Hello, tab.'));
      await composer(tab).click();
      await send(tab, 'Once more from the tab');
      await said(tab, 'Hello, tab.').waitFor();
    },
    newSession: async (run) => {
      await run();
      await said(tab, 'Hello, tab.').waitFor({ state: 'detached' });
    },
    importSession: async (run) => {
      const log = claudeCodeLog({ id: 'imported', cwd: deft.window.folder });
      log.prompt('A question to another program');
      log.reply('m1', saidBy('Its answer.'));
      const file = path.join(deft.window.folder, 'imported.jsonl');
      writeFileSync(file, log.text());
      await run();
      // Until it has listed the folder, the dialog writes its own path over what is typed.
      await quickPickRow(deft.window.page, 'imported.jsonl').waitFor();
      await quickInput(deft.window.page).fill(file);
      await deft.window.page.keyboard.press('Enter');
      await said(tab, 'Its answer.').waitFor();
      await tab.getByText('This is a session of Claude Code, shown read-only.').waitFor();
    },
  };

  before(async () => {
    deft = await openDeft({ files: start });
    sideBar = deft.window.chat(0);
    deft.script(answers('Hello, side.'), answers('Hello, tab.'));
    await send(sideBar, 'From the side');
    await said(sideBar, 'Hello, side.').waitFor();
    await deft.window.command('Deft: New Chat in Editor');
    tab = deft.window.chat(1);
    await composer(tab).waitFor({ timeout: 30_000 });
    await send(tab, 'From the tab');
    await said(tab, 'Hello, tab.').waitFor();
  });
  after(() => deft.close());

  it('have each its proposal for the same file, and both are made where they touch other lines', async () => {
    const { folder } = deft.window;
    const proposes = async (chat: FrameLocator, from: string, to: string) => {
      deft.script(readAndEdit(`${folder}/both.txt`, from, to));
      await send(chat, `Change ${from}`);
      await approval(chat).waitFor();
    };
    const accept = (chat: FrameLocator) => approval(chat).getByRole('button', { name: 'Accept', exact: true }).click();
    await proposes(sideBar, 'first', 'FIRST');
    await proposes(tab, 'last', 'LAST');
    deft.script(answers('The tab has it.'), answers('The side has it.'));
    await accept(tab);
    await said(tab, 'The tab has it.').waitFor();
    await accept(sideBar);
    await said(sideBar, 'The side has it.').waitFor();
    assert.equal(deft.window.read('both.txt'), start['both.txt'].replace('first', 'FIRST').replace('last', 'LAST'));
  });

  it('are all in the table', () => {
    assert.deepEqual(
      contributes.commands.map(({ command }) => command.replace('deft.', '')).sort(),
      [...Object.keys(ofChat), ...ofNoChat].sort(),
    );
  });

  for (const [name, act] of Object.entries(ofChat))
    it(`${name} means the tab`, async () => {
      const title = contributes.commands.find(({ command }) => command === `deft.${name}`)?.title;
      assert.ok(title);
      const mode = await button(sideBar, /^Mode: /).innerText();
      await act(() => deft.window.command(`Deft: ${title}`));
      await said(sideBar, 'Hello, side.').waitFor();
      assert.equal(await sideBar.getByRole('main', { name: 'New session' }).count(), 0);
      assert.equal(await said(sideBar, 'Hello, tab.').count(), 0);
      assert.deepEqual(
        [await composer(sideBar).inputValue(), await button(sideBar, /^Mode: /).innerText()],
        ['', mode],
        'the side bar is as it was',
      );
    });
});
