// From a turn to a commit in a real window: by keys from a plan, by "/commit", and back from a line to the turn that wrote it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { notification } from '../rig/workbench';
import { openDeft, eventually, lastText, type DeftWindow } from './support/deft';
import { openAndFocus } from './support/editor';
import { answers, readAndEdit } from './support/replies';

describe('a commit in the window', () => {
  let deft: DeftWindow;
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: deft.window.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const edits = async (file: string, from: string, to: string) => {
    deft.script(readAndEdit(`${deft.window.folder}/${file}`, from, to), answers('It is changed.'));
    await deft.send(`Change ${file}`);
    await deft.approval().waitFor({ timeout: 30_000 });
    await deft.button('Accept').click();
    await deft.says('It is changed.');
    await deft.idle();
  };
  const plan = () => deft.window.page.locator('.monaco-editor.focused .view-lines', { hasText: '=== Commit' });

  before(async () => {
    deft = await openDeft({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' }, theme: 'light' });
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Ann');
    git('config', 'user.email', 'ann@example.com');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    deft.window.write('b.txt', 'mine\n');
  });
  after(() => deft.close());

  it('has what the session changed, is seen first, and is made by a key', async () => {
    const { page } = deft.window;
    await edits('a.txt', 'one', 'two');
    deft.script(answers('Count to two'));
    await deft.send('/commit');
    await page.getByText('What this session changed', { exact: true }).waitFor({ timeout: 30_000 });
    await deft.window.picture('commit-scope');
    await page.keyboard.press('Enter');
    await plan().waitFor({ timeout: 30_000 });
    await plan().getByText('Count to two').waitFor();
    // The plan is Deft's own: it does not go along with the next message.
    await eventually(
      async () => (await deft.chat().locator('.selection-chip').count()) === 0,
      'The plan is attached to the next message.',
    );
    await deft.window.picture('commit-plan');
    assert.equal(git('log', '-1', '--format=%s'), 'Begin', 'nothing is committed yet');
    await page.keyboard.press('Control+Enter');
    await eventually(() => git('log', '-1', '--format=%s') === 'Count to two', 'Nothing was committed.');
    assert.equal(git('show', '--name-only', '--format=', 'HEAD'), 'a.txt');
    // Only what the user changed is left; git's index follows the commit.
    await eventually(() => git('status', '--porcelain') === 'M b.txt', 'More than the other file is uncommitted.');
    await plan().waitFor({ state: 'detached' });
  });

  it('leads from a line back to the turn that wrote it', async () => {
    const { page } = deft.window;
    await deft.newSession();
    await openAndFocus(page, 'a.txt');
    await deft.window.command('Deft: Why Is This Line Here?');
    await deft.conversation().getByText('Change a.txt').last().waitFor({ timeout: 30_000 });
    await notification(page, /wrote this line on/).waitFor();
    await deft.window.picture('commit-why-this-line');
  });

  it('gives way to a command of the project with its name', async () => {
    deft.window.write('.claude/commands/commit.md', 'Say how we commit here.\n');
    await deft.newSession();
    deft.script(answers('In small steps.'));
    await eventually(async () => {
      await deft.composer().fill('/commit');
      return (
        await deft
          .chat()
          .getByRole('option', { name: /commit/ })
          .allTextContents()
      ).some((one) => one.includes('Say how we commit here'));
    }, "The project's command is not offered.");
    await deft.composer().press('Escape');
    await deft.composer().press('Enter');
    await deft.says('In small steps.');
    assert.match(lastText(await deft.request(1)), /Say how we commit here\./);
  });
});
