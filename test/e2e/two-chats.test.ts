// A chat in the side bar and one in a tab: each shows, keeps and undoes what its own session changed, and keeps its conversation.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FrameLocator, type Locator } from 'playwright-core';
import { sessionsDirectory } from '../../src/node/sessions/sessions-directory';
import { quickInput, quickPickRow } from '../rig/workbench';
import { gate, httpError, reply, text, toolUse } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { codeLens, openAndFocus } from './support/editor';
import { answers, opened, runs } from './support/replies';

describe('two chats', () => {
  const start = { 'side.txt': 'side\n', 'tab.txt': 'tab\n', 'both.txt': 'one\n\n\n\n\n\n\n\ntwo\n' };
  let deft: DeftWindow;
  let sideBar: FrameLocator;
  let tab: FrameLocator;

  const composer = (chat: FrameLocator) => chat.getByRole('textbox', { name: 'Message' });
  const strip = (chat: FrameLocator) => chat.getByRole('region', { name: 'Changed files' });
  const inTab = (chat: FrameLocator, words: string) =>
    chat.getByRole('log', { name: 'Conversation' }).getByText(words, { exact: true }).last();
  const dialog = (words: RegExp) => deft.window.page.getByRole('dialog').filter({ hasText: words });
  const read = (file: string) => deft.window.read(file);

  const tabOf = () => deft.window.page.locator('.part.editor .tab', { hasText: 'The tab, please' });
  /** By the icon of the tab. */
  const showsOf = (ofTab: Locator) => (wanted: string) =>
    eventually(async () => {
      const sign = await ofTab
        .locator('.monaco-icon-label-iconpath')
        .evaluate((icon) => /chat%2F(\w+)-/.exec(getComputedStyle(icon).backgroundImage)?.[1]);
      return sign === wanted;
    }, `The tab is not ${wanted}.`);

  /** Reads and edits each file in one reply after the other. */
  async function edits(chat: FrameLocator, name: string, changes: Record<string, [from: string, to: string]>) {
    const files = Object.entries(changes).map(
      ([file, change]) => [`${deft.window.folder}/${file}`, ...change] as const,
    );
    deft.script(
      reply(...files.map(([file]) => toolUse('Read', { file_path: file }))),
      reply(...files.map(([file, from, to]) => toolUse('Edit', { file_path: file, old_string: from, new_string: to }))),
      answers(`${name} is done.`),
    );
    await composer(chat).fill(`${name}, please`);
    await composer(chat).press('Enter');
    await inTab(chat, `${name} is done.`).waitFor({ timeout: 30_000 });
  }

  /** By the menu of a row, until it has its effect: a menu that has just opened takes no click. */
  const choose = (row: Locator, entry: string, then: Locator, state: 'attached' | 'detached' = 'attached') =>
    eventually(async () => {
      const item = deft.window.page.getByRole('menuitem', { name: entry });
      const quick = { timeout: 2_000 };
      const ignore = (): void => undefined;
      if ((await item.count()) === 0) await row.click({ button: 'right', ...quick }).catch(ignore);
      await item.click(quick).catch(ignore);
      return then.waitFor({ state, ...quick }).then(
        () => true,
        () => false,
      );
    }, `${entry} does nothing.`);

  before(async () => {
    deft = await openDeft({
      files: { ...start, '.git/HEAD': 'ref: refs/heads/main\n' },
      settings: { 'deft.initialPermissionMode': 'acceptEdits' },
    });
    sideBar = deft.window.chat(0);
    await edits(sideBar, 'The side', { 'side.txt': ['side', 'SIDE'], 'both.txt': ['one', 'ONE'] });
    await deft.window.command('Deft: New Chat in Editor');
    tab = deft.window.chat(1);
    await composer(tab).waitFor({ timeout: 30_000 });
    await edits(tab, 'The tab', { 'tab.txt': ['tab', 'TAB'], 'both.txt': ['two', 'TWO'] });
  });
  after(() => deft.close());

  it('show the changes of their own session', async () => {
    await strip(sideBar).getByRole('button', { name: '2 files changed' }).click();
    await strip(sideBar).getByRole('button', { name: 'Undo side.txt' }).waitFor();
    assert.equal(await strip(sideBar).getByRole('button', { name: 'Undo tab.txt' }).count(), 0);
    await strip(tab).getByRole('button', { name: '2 files changed' }).click();
    await strip(tab).getByRole('button', { name: 'Undo tab.txt' }).waitFor();
    assert.equal(await strip(tab).getByRole('button', { name: 'Undo side.txt' }).count(), 0);
  });

  it('are named at each change of a file that both have changed, and shown from there', async () => {
    const { page } = deft.window;
    await strip(sideBar).getByText('Also changed by “The tab, please”.').waitFor();
    await strip(tab).getByText('Also changed by “The side, please”.').waitFor();
    await openAndFocus(page, 'both.txt');
    await codeLens(page, 'The side, please').waitFor();
    await deft.window.picture('changes-of-two-chats');
    await codeLens(page, 'The tab, please').click();
    await composer(tab).waitFor();
    await page.locator('.part.editor .tab.active', { hasText: 'The tab, please' }).waitFor();
  });

  it('undo their own alone, also in a file that both changed', async () => {
    await strip(tab).getByRole('button', { name: 'Undo all' }).click();
    await strip(tab).waitFor({ state: 'detached' });
    assert.equal(read('tab.txt'), 'tab\n');
    assert.equal(read('side.txt'), 'SIDE\n');
    assert.equal(read('both.txt'), 'ONE\n\n\n\n\n\n\n\ntwo\n');
    await strip(sideBar).getByText('Also changed by “The tab, please”.').waitFor({ state: 'detached' });
  });

  it('ask before they undo lines that both changed', async () => {
    // Not what was just undone: Deft would ask before it makes that again.
    await edits(tab, 'Both', { 'tab.txt': ['tab', 'another'], 'both.txt': ['ONE', 'ONE and TWO'] });
    await strip(tab).getByRole('button', { name: 'Undo all' }).click();
    const asks = dialog(/both\.txt has 1 change that this chat and “The side, please” made in the same place/);
    await asks.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => read('tab.txt') === 'tab\n', 'The tab does not undo its own change.');
    assert.equal(read('both.txt'), 'ONE and TWO\n\n\n\n\n\n\n\ntwo\n');
    await strip(tab).getByText('1 file', { exact: true }).waitFor();
  });

  it('are chosen from where the palette is to undo all', async () => {
    const { page } = deft.window;
    const asks = dialog(/both\.txt has 1 change that this chat and “The tab, please” made in the same place/);
    // A list closes where something else takes the focus: on a busy machine, what came before may do so late.
    await eventually(async () => {
      await deft.window.command('Deft: Undo All Changes');
      await quickPickRow(page, 'The tab, please').waitFor();
      await quickPickRow(page, 'All chats').waitFor();
      const quick = { timeout: 3_000 };
      return quickPickRow(page, 'The side, please')
        .click(quick)
        .then(() => asks.waitFor(quick))
        .then(
          () => true,
          () => false,
        );
    }, 'The side bar’s changes are not asked about.');
    await asks.getByRole('button', { name: 'Undo Together' }).click();
    await eventually(() => read('both.txt') === start['both.txt'], 'The shared file is not as it was.');
    await eventually(() => read('side.txt') === 'side\n', 'The change of the side bar is not undone.');
    await strip(sideBar).waitFor({ state: 'detached' });
    await strip(tab).waitFor({ state: 'detached' });
  });

  it('are named where one was first with a line that the other was asked about', async () => {
    const file = `${deft.window.folder}/both.txt`;
    await sideBar.getByRole('button', { name: 'Mode: Edit automatically' }).click();
    await sideBar.getByRole('menuitemradio', { name: 'Manual' }).click();
    deft.script(
      reply(toolUse('Read', { file_path: file })),
      reply(toolUse('Edit', { file_path: file, old_string: 'one', new_string: 'first' })),
    );
    await composer(sideBar).fill('Change the first line');
    await composer(sideBar).press('Enter');
    const approval = sideBar.getByRole('group', { name: 'Approve: Edit both.txt' });
    await approval.waitFor({ timeout: 30_000 });
    await edits(tab, 'The tab again', { 'both.txt': ['one', 'ONE'] });
    deft.script(answers('I look again.'));
    await approval.getByRole('button', { name: 'Accept' }).click();
    await inTab(sideBar, 'I look again.').waitFor({ timeout: 30_000 });
    assert.match(
      lastText(await deft.request(deft.requests())),
      /both\.txt was changed by another chat of this window, “The tab, please”, while this change was waiting/,
    );
    await sideBar.getByRole('button', { name: 'Mode: Manual' }).click();
    await sideBar.getByRole('menuitemradio', { name: 'Edit automatically' }).click();
    await deft.window.command('Deft: Undo All Changes');
    await eventually(() => read('both.txt') === start['both.txt'], 'The shared file is not as it was.');
  });

  it('show from outside which one waits, works or has finished', async () => {
    const { page } = deft.window;
    const ofTab = tabOf();
    const shows = showsOf(ofTab);
    const waits = page.locator('.statusbar').getByText('1 chat waits');
    await shows('idle');
    deft.script(runs('node -p 6*7'), answers('It is 42.'));
    await composer(tab).fill('Run it');
    await composer(tab).press('Enter');
    const approval = tab.getByRole('group', { name: /^Approve: Bash/ });
    await approval.waitFor({ timeout: 30_000 });
    await shows('waiting');
    assert.equal(await waits.count(), 0, 'it is in sight');
    await openAndFocus(page, 'tab.txt');
    await waits.waitFor();
    await page.keyboard.press('Alt+F6');
    await approval.getByRole('button', { name: 'Accept' }).click();
    await inTab(tab, 'It is 42.').waitFor();
    await shows('idle');

    const held = opened();
    deft.script(reply(text('A moment', gate(held.promise), ', and done.')));
    await composer(tab).fill('Once more');
    await composer(tab).press('Enter');
    await inTab(tab, 'A moment').waitFor();
    await openAndFocus(page, 'tab.txt');
    await shows('working');
    held.open();
    await shows('finished');
    await ofTab.click();
    await shows('idle');
    await inTab(tab, 'A moment, and done.').waitFor();
  });

  it('keep their conversation when the title of the other one is used', async () => {
    const view = deft.window.page.locator('.part.sidebar');
    await composer(tab).click();
    await view.getByRole('button', { name: 'History' }).click();
    await sideBar.getByRole('main', { name: 'History' }).waitFor();
    assert.equal(await tab.getByRole('main', { name: 'History' }).count(), 0);
    await composer(tab).click();
    await view.getByRole('button', { name: 'New Session' }).click();
    await inTab(sideBar, 'The side is done.').waitFor({ state: 'detached' });
    await inTab(tab, 'The tab is done.').waitFor();
  });

  it('show from outside that one has failed', async () => {
    const { page } = deft.window;
    const ofTab = tabOf();
    const shows = showsOf(ofTab);
    const fails = opened();
    deft.script(
      reply(text('I look', gate(fails.promise)), toolUse('Read', { file_path: `${deft.window.folder}/tab.txt` })),
      httpError(400, 'invalid_request_error', 'Not like this.'),
    );
    await composer(tab).fill('And look');
    await composer(tab).press('Enter');
    await inTab(tab, 'I look').waitFor();
    await openAndFocus(page, 'tab.txt');
    fails.open();
    await shows('failed');
    await ofTab.click();
    await shows('idle');
  });

  it('are left at work only where their user agrees, who may keep them and go on in a tab', async () => {
    const { page } = deft.window;
    const held = opened();
    deft.script(
      reply(text('A while', gate(held.promise), ', and over.')),
      reply(text('Then this', gate(held.promise))),
    );
    await composer(sideBar).fill('Think');
    await composer(sideBar).press('Enter');
    await inTab(sideBar, 'A while').waitFor();
    const fresh = () => page.locator('.part.sidebar').getByRole('button', { name: 'New Session' }).click();
    const asks = dialog(/“Think” is working\..*Its turn stops\./s);
    await fresh();
    await asks.getByRole('button', { name: 'Cancel' }).click();
    await inTab(sideBar, 'A while').waitFor();
    await fresh();
    await asks.getByRole('button', { name: 'Open in New Tab' }).click();
    const third = deft.window.chat(2);
    await composer(third).fill('Another');
    await composer(third).press('Enter');
    await inTab(third, 'Then this').waitFor();
    await page
      .locator('.part.editor .tab', { hasText: 'Another' })
      .getByRole('button', { name: /^Close/ })
      .click();
    const told = page.locator('.notifications-toasts').getByText(/“Another” was closed\. Its turn stops/);
    await told.waitFor();
    held.open();
    await inTab(sideBar, 'A while, and over.').waitFor();
  });

  it('leave commands in the background, which stand in one list with the name of their session and a Stop', async () => {
    const { page, folder } = deft.window;
    const command = `until [ -e ${folder}/never ]; do sleep 0.05; done`;
    deft.script(
      reply(toolUse('Bash', { command, description: 'Wait', run_in_background: true })),
      answers('It waits.'),
    );
    await composer(sideBar).fill('Wait for it');
    await composer(sideBar).press('Enter');
    await inTab(sideBar, 'It waits.').waitFor();
    await page.locator('.part.sidebar').getByRole('button', { name: 'New Session' }).click();
    const notice = sideBar.getByRole('group', { name: 'Commands of “Think” continue.' });
    await notice.getByText(/^1 command in the background continues: until/).waitFor();
    await notice.getByRole('button', { name: 'Show' }).click();
    const list = page.locator('.quick-input-widget');
    const row = list.locator('.monaco-list-row', { hasText: 'until [ -e' });
    await row.waitFor();
    await list.getByText('Think', { exact: true }).waitFor();
    await deft.window.picture('background-of-all');
    await row.hover();
    await row.getByRole('button', { name: 'Stop' }).click();
    await row.waitFor({ state: 'hidden' });
    await sideBar.getByRole('group', { name: /^In the background of “Think”: until/ }).waitFor();
  });

  it('lose none to review: what no open chat has is shown by those that are open', async () => {
    await edits(tab, 'The rest', { 'tab.txt': ['tab', 'LAST'] });
    assert.equal(await strip(sideBar).count(), 0);
    await deft.window.page
      .locator('.tab.active')
      .getByRole('button', { name: /^Close/ })
      .click();
    await strip(sideBar).getByRole('button', { name: '1 file changed' }).waitFor();
  });

  it('stand in the view of sessions and in the history, each with what it does, and are switched between', async () => {
    const { page } = deft.window;
    const inView = (name: RegExp) => page.getByRole('treeitem', { name });
    const item = (name: RegExp) => inView(name).first();
    const held = opened();
    await deft.newSession();
    deft.script(reply(text('I think about it', gate(held.promise), '. Now I know it.')));
    await composer(sideBar).fill('Which one is it?');
    await composer(sideBar).press('Enter');
    await inTab(sideBar, 'I think about it').waitFor();
    await deft.window.command('Deft: Show Sessions');
    await item(/^Which one is it\?, working/).waitFor();
    await item(/^The tab, please, idle, LAST|^The tab, please, idle/).waitFor();
    const label = await item(/^The tab, please, idle/).getAttribute('aria-label');
    assert.match(label ?? '', /, The rest is done\., main · \+1 −1 · (?:≥ )?\$\d+\.\d\d · /);
    await item(/^The tab, please, idle/)
      .getByText(/ · The rest is done\.$/)
      .waitFor();
    await deft.window.picture('sessions-view');
    await deft.window.command('Deft: Switch Session…');
    await quickPickRow(page, 'Which one is it?').waitFor();
    await deft.window.picture('switch-session');
    await quickPickRow(page, 'The tab, please').click();
    // The one in the side bar works, and is kept: the other gets a tab.
    tab = deft.window.chat(1);
    await inTab(tab, 'The rest is done.').waitFor();
    held.open();
    await item(/^Which one is it\?, (idle|finished), Now I know it\./).waitFor();
    deft.script(runs('node -p 6*7'), answers('Again it is 42.'));
    await composer(tab).fill('Run it again');
    await composer(tab).press('Enter');
    await tab.getByRole('group', { name: /^Approve: Bash/ }).waitFor();
    await item(/^The tab, please, waiting for you, Approve: Bash/).waitFor();
    await page.locator('.part.sidebar').getByRole('button', { name: 'History' }).click({ force: true });
    const row = sideBar
      .getByRole('region', { name: 'Waiting for you' })
      .getByRole('button', { name: /^waiting for you: The tab, please/ });
    await row.waitFor();
    await deft.window.picture('history-states');
    assert.deepEqual(await seriousProblems(sideBar), []);
    await tab
      .getByRole('group', { name: /^Approve: Bash/ })
      .getByRole('button', { name: 'Accept' })
      .click();
    await inTab(tab, 'Again it is 42.').waitFor();
    await row.waitFor({ state: 'detached' });
  });

  it('take a message from elsewhere, and another name in the view', async () => {
    const { page } = deft.window;
    deft.script(answers('Heard.'));
    await deft.window.command('Deft: Send to Another Session…');
    await quickPickRow(page, 'The tab, please').click();
    await page.getByText('Send to “The tab, please”').waitFor();
    await quickInput(page).fill('From elsewhere');
    await page.keyboard.press('Enter');
    await inTab(tab, 'Heard.').waitFor({ timeout: 30_000 });
    await tab.getByText('From elsewhere', { exact: true }).last().waitFor();

    await deft.window.command('Deft: Show Sessions');
    const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}, `) }).first();
    await choose(row('The tab, please'), 'Rename…', page.getByText('Rename “The tab, please”'));
    await quickInput(page).fill('The renamed tab');
    await page.keyboard.press('Enter');
    await row('The renamed tab').waitFor();
    await page.locator('.part.editor .tab', { hasText: 'The renamed tab' }).waitFor();
  });

  it('have their places in the view: pinned, archived, or of another folder of the repository', async () => {
    const { page, folder } = deft.window;
    const item = (name: RegExp) => page.getByRole('treeitem', { name }).first();
    const group = (name: string) => page.getByRole('treeitem', { name, exact: true });
    const cwd = `${folder}/packages/a`;
    const root = sessionsDirectory(deft.window.server.home, cwd);
    const line = { type: 'user', uuid: 'u', parentUuid: null, timestamp: '2026-11-27T00:00:00.000Z', version: '0' };
    const turn = { ...line, sessionId: 's', cwd };
    mkdirSync(root, { recursive: true });
    writeFileSync(
      path.join(root, '00000000-0000-4000-8000-000000000001.jsonl'),
      [
        { ...turn, message: { role: 'user', content: 'In another folder' } },
        {
          ...turn,
          type: 'system',
          uuid: 'e',
          parentUuid: 'u',
          subtype: 'turn_end',
          reason: 'completed',
          durationMs: 1,
        },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
    // A tree that was drawn anew under the pointer takes no click.
    const press = (row: RegExp, button: string, then: string) =>
      eventually(async () => {
        if ((await group(then).count()) > 0) return true;
        await page.mouse.move(0, 0);
        await item(row).hover();
        await item(row)
          .getByRole('button', { name: button })
          .click({ timeout: 2_000 })
          .catch(() => undefined);
        await group(then)
          .waitFor({ timeout: 2_000 })
          .catch(() => undefined);
        return false;
      }, `No group ${then}.`);
    await press(/^Think, /, 'Pin', 'Pinned');
    await press(/^Another, /, 'Archive', 'Archived');
    await item(/^Another, /).waitFor({ state: 'detached' });
    const named = async (name: string) => {
      await quickInput(page).fill(name);
      await page.keyboard.press('Enter');
      await group(name).waitFor();
    };
    const asks = page.getByText('Move “The renamed tab” to a group');
    await choose(item(/^The renamed tab, /), 'Move to Group…', asks);
    await named('Release');
    await choose(group('Release'), 'Rename Group…', page.getByText('Rename the group “Release”'));
    await named('Next release');
    await deft.window.picture('sessions-own-group');
    await choose(group('Next release'), 'Remove Group', group('Next release'), 'detached');
    await item(/^The renamed tab, /).waitFor();
    await group('Other folders of this repository').click();
    await item(/^In another folder, idle, a · /).waitFor();
    await deft.window.picture('sessions-groups');
    await item(/^In another folder/).click();
    await page
      .locator('.notifications-toasts')
      .getByText(/“In another folder” is a session of .*packages\/a\. It is shown read-only here/)
      .waitFor();
    mkdirSync(cwd, { recursive: true });
    const another = page.context().waitForEvent('page');
    await page.locator('.notifications-toasts').getByRole('button', { name: 'Open Folder' }).click();
    const other = await another;
    assert.equal(new URL(other.url()).searchParams.get('folder'), cwd);
    await other.close();
  });
});
