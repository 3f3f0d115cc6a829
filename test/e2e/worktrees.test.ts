// A chat in a worktree of its own: how it begins, where it works, what its chip says, where a reload finds it, how several are compared, and how they go.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FrameLocator } from 'playwright-core';
import { notification, quickInput, quickPickRow } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

const files = {
  'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n',
  'src/b.txt': 'b\n',
  '.gitignore': '.env\nmade\n',
  '.env': 'SECRET=1\n',
  '.claude/settings.json': JSON.stringify({ worktree: { setup: { copy: ['.env'], commands: ['touch made'] } } }),
};

describe('a chat in a worktree', () => {
  let deft: DeftWindow;
  let tab: FrameLocator;
  let tree = '';

  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const state = (): string =>
    ['HEAD', 'refs/stash']
      .map((ref) => git(deft.window.folder, 'for-each-ref', ref))
      .concat(git(deft.window.folder, 'rev-parse', 'HEAD'), git(deft.window.folder, 'status', '--porcelain'))
      .join('\n');
  const said = (words: string | RegExp) =>
    tab.getByRole('log', { name: 'Conversation' }).getByText(words).last().waitFor({ timeout: 30_000 });
  const chip = (name: string | RegExp) => tab.getByRole('button', { name, exact: true });
  const composer = () => tab.getByRole('textbox', { name: 'Message' });
  const send = async (words: string) => {
    await composer().fill(words);
    await composer().press('Enter');
  };
  const approval = (what: string | RegExp) =>
    tab.getByRole('group', {
      name: typeof what === 'string' ? `Approve: ${what}` : new RegExp(`^Approve: ${what.source.slice(1)}`),
    });
  const accept = async (what: string | RegExp) => {
    await approval(what).waitFor({ timeout: 30_000 });
    await tab.getByRole('button', { name: 'Accept', exact: true }).click();
  };
  const read = (name: string): string => readFileSync(path.join(tree, name), 'utf8');
  /** Which of the two chats comes first depends on what a reload restores first. */
  const chatWith = async (words: string): Promise<FrameLocator> => {
    let found: FrameLocator | undefined;
    await eventually(async () => {
      for (const index of [0, 1, 2]) {
        const chat = deft.window.chat(index);
        const there = await chat
          .getByText(words)
          .count()
          .catch(() => 0);
        if (there > 0) found = chat;
      }
      return found !== undefined;
    }, `No chat says ${words}.`);
    return found ?? assert.fail();
  };
  const typed = async (text: string) => {
    const input = quickInput(deft.window.page);
    await input.fill(text);
    await deft.window.page.keyboard.press('Enter');
  };

  before(async () => {
    deft = await openDeft({ files });
    git(deft.window.folder, 'init', '-q', '-b', 'main');
    // Commands of the chat commit as whom the repository says.
    git(deft.window.folder, 'config', 'user.name', 'Ann');
    git(deft.window.folder, 'config', 'user.email', 'ann@example.com');
    git(deft.window.folder, 'add', '.');
    git(deft.window.folder, 'commit', '-q', '-m', 'First');
  });
  after(() => deft.close());

  it('is named after its task, and set up by what the user has agreed to, as the rules allow', async () => {
    await deft.reviewGrants('Agree');
    deft.script(
      reply(toolUse('Read', { file_path: 'a.txt' })),
      reply(toolUse('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' })),
      answers('The second line is in capitals.'),
    );
    await deft.window.command('Deft: New Chat in Worktree…');
    await typed('Please put the second line in capitals');
    await quickInput(deft.window.page).waitFor();
    await deft.window.page.getByText('checked out', { exact: true }).waitFor();
    await deft.window.page.keyboard.press('Enter');
    await eventually(
      async () => (await quickInput(deft.window.page).inputValue()) === 'put-second-line-capitals',
      'No branch is proposed.',
    );
    await deft.window.page.keyboard.press('Enter');
    tab = deft.window.chat(1);
    await said('This chat works in a worktree of its own.');
    await said('Copied: .env.');
    await tab
      .getByRole('group', { name: /^Approve: / })
      .getByRole('button', { name: 'Accept' })
      .waitFor({ timeout: 30_000 });
    await deft.window.picture('worktree-set-up');
    tree = git(deft.window.folder, 'worktree', 'list', '--porcelain').split('worktree ').at(-1)?.split('\n')[0] ?? '';
    assert.match(tree, /\.deft\/worktrees\/[^/]+\/put-second-line-capitals$/);
    assert.equal(existsSync(path.join(tree, 'made')), false);
    await tab.getByRole('button', { name: 'Accept', exact: true }).click();
    await said('Set-up: touch made');
    await approval('Edit a.txt').waitFor({ timeout: 30_000 });
  });

  it('edits there, and leaves the checkout as it is', async () => {
    const before = state();
    await accept('Edit a.txt');
    await said('The second line is in capitals.');
    assert.equal(read('a.txt'), files['a.txt'].replace('two', 'TWO'));
    assert.equal(deft.window.read('a.txt'), files['a.txt']);
    assert.equal(read('.env'), files['.env']);
    await chip(/^Worktree: put-second-line-capitals, 1 file not committed$/).waitFor({ timeout: 30_000 });
    assert.equal(state(), before);
    await deft.window.picture('worktree-chip');
  });

  it('runs commands there; a commit shows in its chip, and nothing of it in the checkout', async () => {
    const before = state();
    const line = 'git commit -q -am Capitals && pwd';
    deft.script(reply(toolUse('Bash', { command: line, description: 'Commit' })), answers('Committed.'));
    await send('Commit it');
    await accept(/^Bash /);
    await said('Committed.');
    assert.match(lastText(await deft.request(deft.requests())), /worktrees\/[^/]+\/put-second-line-capitals/);
    await chip(/^Worktree: put-second-line-capitals, 1 commit ahead$/).waitFor({ timeout: 30_000 });
    assert.equal(state(), before);
  });

  it('asks before it writes into the checkout, as anywhere outside', async () => {
    const target = path.join(deft.window.folder, 'a.txt');
    deft.script(reply(toolUse('Read', { file_path: target })), answers('I leave it alone.'));
    await send('Read the other one');
    await approval(/^Read /)
      .getByText(/outside the workspace/)
      .first()
      .waitFor({ timeout: 30_000 });
    await tab.getByRole('button', { name: 'Reject', exact: true }).click();
    await tab.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached', timeout: 30_000 });
    assert.equal(deft.window.read('a.txt'), files['a.txt']);
  });

  it('works there after a reload, too, and mentions its files', async () => {
    await deft.window.reload();
    tab = await chatWith('The second line is in capitals.');
    await chip(/^Worktree: put-second-line-capitals, 1 commit ahead$/).waitFor({ timeout: 30_000 });
    execFileSync('touch', [path.join(tree, 'only-in-the-tree.txt')]);
    await composer().pressSequentially('@only-in');
    await tab.getByRole('option', { name: /only-in-the-tree\.txt/ }).waitFor({ timeout: 30_000 });
    await composer().press('Escape');
    await composer().fill('');
  });

  it('brings its changes here as edits that are seen first, with what clashes named', async () => {
    deft.window.write('a.txt', files['a.txt'].replace('six', 'SIX'));
    await composer().click();
    await deft.window.command('Deft: Bring Worktree Changes Here…');
    await deft.window.page.getByText('As edits to review').waitFor();
    await deft.window.picture('worktree-bring');
    await deft.window.page.keyboard.press('Enter');
    const question = notification(deft.window.page, /2 files of put-second-line-capitals wait for you/);
    await question.waitFor({ timeout: 30_000 });
    await deft.window.picture('worktree-proposal');
    assert.equal(deft.window.read('a.txt'), files['a.txt'].replace('six', 'SIX'), 'nothing has landed yet');
    await question.getByRole('button', { name: 'Accept', exact: true }).click();
    const merged = files['a.txt'].replace('six', 'SIX').replace('two', 'TWO');
    await eventually(async () => deft.window.read('a.txt') === merged, 'The merged text did not land.');
    await notification(deft.window.page, /2 files of put-second-line-capitals changed here/).waitFor();
    assert.ok(existsSync(path.join(deft.window.folder, 'only-in-the-tree.txt')));
  });

  it('is one of several attempts at a task, which are compared side by side', async () => {
    const { page } = deft.window;
    await deft.window.command('View: Close All Editors');
    await deft.window.command('Deft: New Chat in Several Worktrees…');
    await typed('Shout the first line');
    await quickPickRow(page, '2 chats').waitFor();
    await page.keyboard.press('Enter');
    await quickPickRow(page, 'The same model and effort').waitFor();
    await quickPickRow(page, 'An effort for each…').click();
    await page.getByText('Attempt 1 of 2: effort').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(git(deft.window.folder, 'branch', '--list', 'shout-*'), '', 'nothing is made of what was left');

    await deft.window.command('Deft: New Chat in Several Worktrees…');
    await typed('Shout the first line');
    await quickPickRow(page, '2 chats').waitFor();
    await page.keyboard.press('Enter');
    await quickPickRow(page, 'A model for each…').click();
    for (const [index, model] of ['claude-sonnet', 'claude-haiku'].entries()) {
      await page.getByText(`Attempt ${index + 1} of 2: Model from your server`).waitFor();
      await quickPickRow(page, new RegExp(model)).first().click();
    }
    await page.getByText('checked out', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(
      async () => (await quickInput(page).inputValue()) === 'shout-first-line',
      'No name of the branches is proposed.',
    );
    await page.keyboard.press('Enter');
    deft.script(
      reply(toolUse('Write', { file_path: 'shout.txt', content: 'ONE!\n' })),
      answers('The line is shouted.'),
    );
    // The first waits for its set-up all the while.
    tab = await chatWith('Branch shout-first-line-2');
    await accept(/^Bash touch made/);
    await accept('Write shout.txt');
    await said('The line is shouted.');
    assert.match(String(deft.api.requests.at(-1)?.body['model']), /haiku/, 'the second attempt has its own model');
    const places =
      git(deft.window.folder, 'worktree', 'list', '--porcelain').match(/(?<=^worktree ).*\/shout-first-line-[12]$/gm) ??
      [];
    assert.equal(places.length, 2, places.join());
    writeFileSync(path.join(places[0] ?? '', 'shout.txt'), 'ONE\n');
    await deft.window.command('Deft: Compare Attempts…');
    await quickPickRow(page, /shout-first-line-1.*1 file \+1 −0 · waiting for you/).click();
    await quickPickRow(page, /shout-first-line-2.*1 file \+1 −0 · (?:finished|idle)/).click();
    await deft.window.picture('worktree-attempts');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /shout-first-line-1 ↔ shout-first-line-2/ }).waitFor({ timeout: 30_000 });
    await deft.window.picture('worktree-attempts-compared');
  });

  it('goes when it is no longer needed: what is only there is named before, and one that is open stays', async () => {
    const { page } = deft.window;
    const before = state();
    await deft.window.command('Deft: Clean Up Worktrees…');
    await quickPickRow(page, /put-second-line-capitals.*Only here: 1 file, 1 entry that git ignores, 1 commit/).click();
    await quickPickRow(page, /shout-first-line-1.*is open: close it first/).click();
    await deft.window.picture('worktree-clean-up');
    await page.keyboard.press('Enter');
    const question = page.locator('.monaco-dialog-box');
    for (const words of [/not committed: only-in-the-tree\.txt/, /ignored by git: made/, /[0-9a-f]{7,} Capitals/])
      await question.getByText(words).waitFor({ timeout: 30_000 });
    await deft.window.picture('worktree-clean-up-question');
    assert.ok(existsSync(tree));
    await question.getByRole('button', { name: 'Remove With Branches' }).click();
    await notification(page, /1 worktree removed: put-second-line-capitals\./).waitFor({ timeout: 30_000 });
    await notification(page, /1 worktree not removed\. shout-first-line-1: Its chat .* is open/).waitFor();
    assert.equal(existsSync(tree), false);
    assert.equal(
      git(deft.window.folder, 'branch', '--format=%(refname:short)'),
      ['main', 'shout-first-line-1', 'shout-first-line-2'].join('\n'),
    );
    assert.equal(state(), before);
  });
});
