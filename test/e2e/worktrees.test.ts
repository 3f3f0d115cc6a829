// A chat in a worktree of its own: how it begins, where it works, what its chip says, and where a reload finds it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type FrameLocator } from 'playwright-core';
import { quickInput } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, openDeft, type DeftWindow } from './support/deft';
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
  const typed = async (text: string) => {
    const input = quickInput(deft.window.page);
    await input.fill(text);
    await deft.window.page.keyboard.press('Enter');
  };

  before(async () => {
    deft = await openDeft({ files });
    git(deft.window.folder, 'init', '-q', '-b', 'main');
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
    await tab.getByRole('group', { name: 'Approve: Edit a.txt', exact: true }).waitFor({ timeout: 30_000 });
  });
});
