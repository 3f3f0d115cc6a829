// Sessions as files: exported through VS Code's own dialog, also those of other programs, imported again, found by their words, and all deleted.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../rig/cleanup';
import { notification, quickInput } from '../rig/workbench';
import { claudeCodeLog, said, used } from '../support/foreign-logs';
import { openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('sessions as files', () => {
  const claude = temporaryFolder('claude');
  let deft: DeftWindow;
  let theirs: string;
  before(async () => {
    deft = await openDeft({ env: { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: temporaryFolder('codex') }, viewport: { width: 900, height: 700 } });
    const cwd = deft.window.folder;
    const log = claudeCodeLog({ id: 'theirs', cwd });
    log.prompt('Which files are there?');
    log.reply('m1', said('I look for the haystack.'), used('t1', 'Bash', { command: 'ls -a' }));
    log.result('t1', 'needle.txt');
    theirs = path.join(claude, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), 'theirs.jsonl');
    mkdirSync(path.dirname(theirs), { recursive: true });
    writeFileSync(theirs, log.text());
  });
  after(() => deft.close());

  const history = () => deft.chat().getByRole('main', { name: 'History' });
  const folderOfTheirs = (): unknown => [readFileSync(theirs, 'utf8'), statSync(theirs).mtimeMs, statSync(path.dirname(theirs)).mtimeMs, readdirSync(claude, { recursive: true }).join()];
  /** VS Code's own dialog for a file, which puts a path into its field once it is ready. */
  const dialogField = async () => {
    const input = quickInput(deft.window.page);
    await input.waitFor();
    await deft.window.page.waitForFunction(() => [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input')].some(({ value }) => value.startsWith('/')));
    return input;
  };
  const pick = async (file: string): Promise<void> => {
    const input = await dialogField();
    await input.fill(file);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
  };
  const inFolder = (name: string): string => path.join(deft.window.folder, name);
  const exported = async (name: string): Promise<string> => {
    await pick(inFolder(name));
    const told = notification(deft.window.page, `the session was exported to ${name}`);
    await told.waitFor();
    return readFileSync(inFolder(name), 'utf8');
  };

  it('are exported as Markdown and JSON to where the person says, and imported from there', async () => {
    deft.script(answers('About apples.'));
    await deft.send('Tell me of apples');
    await deft.says('About apples.');
    await deft.idle();
    await deft.window.command('Deft: Export Session');
    assert.match(await exported('talk.md'), /^# Tell me of apples\n[\s\S]*## You\n\nTell me of apples\n\n## Deft\n\nAbout apples\.\n/);
    await deft.window.command('Deft: Export Session');
    const whole = JSON.parse(await exported('talk.json')) as { format: string; records: unknown[] };
    assert.equal(whole.format, 'deft-session');
    assert.ok(JSON.stringify(whole.records).includes('About apples.'));
    // Nothing is written where the dialog is left.
    await deft.window.command('Deft: Export Session');
    await (await dialogField()).press('Escape');
    await quickInput(deft.window.page).waitFor({ state: 'hidden' });

    await deft.newSession();
    await deft.window.command('Deft: Import Session…');
    await pick(inFolder('talk.json'));
    await deft.chat().getByText('This is a session of Deft, shown read-only.').waitFor();
    await deft.says('About apples.');
    writeFileSync(inFolder('none.json'), '{"a":1}');
    await deft.window.command('Deft: Import Session…');
    await pick(inFolder('none.json'));
    await notification(deft.window.page, 'none.json cannot be opened. It holds no session that Deft can read').waitFor();
    await deft.newSession();
  });

  it('of another program are found by their words and exported, from the list and as they are shown, and stay untouched', async () => {
    const before = folderOfTheirs();
    await deft.window.command('Deft: Show History');
    const search = history().getByRole('textbox', { name: 'Search sessions' });
    await search.fill('the haystack');
    await search.press('Enter');
    const found = history().getByRole('region', { name: 'Found in conversations' });
    await found.getByText('I look for the haystack.').waitFor();
    await found.getByRole('button', { name: 'Actions for Which files are there?' }).click();
    await deft.chat().getByRole('menuitem', { name: 'Export…' }).click();
    assert.match(await exported('theirs.md'), /^# Which files are there\?\n[\s\S]*## Claude Code\n\nI look for the haystack\.[\s\S]*needle\.txt/);

    await found.getByRole('button', { name: /^Which files are there\?/ }).click();
    await deft.chat().getByText('This is a session of Claude Code, shown read-only.').waitFor();
    await deft.window.command('Deft: Export Session');
    const whole = JSON.parse(await exported('theirs.json')) as { title: string; records: unknown[] };
    assert.equal(whole.title, 'Which files are there?');
    assert.ok(JSON.stringify(whole.records).includes('needle.txt'));
    assert.deepEqual(folderOfTheirs(), before);
    await deft.newSession();
  });

  it('are all deleted where the person says so, and only those of Deft', async () => {
    const { page } = deft.window;
    deft.script(answers('About pears.'));
    await deft.send('Tell me of pears');
    await deft.says('About pears.');
    await deft.idle();
    const before = folderOfTheirs();
    await deft.window.command('Deft: Show History');
    await history().getByText('Tell me of pears').waitFor();
    const dialog = page.getByRole('dialog').filter({ hasText: /^(?=[\s\S]*Delete all \d+ sessions of this folder\?)/ });
    await history().getByRole('button', { name: 'Delete all…' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await history().getByText('Tell me of apples').waitFor();
    await history().getByRole('button', { name: 'Delete all…' }).click();
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await dialog.waitFor({ state: 'detached' });
    // The open one went too: a new one stands in its place.
    await deft.conversation().getByText('About pears.').waitFor({ state: 'detached' });
    await deft.window.command('Deft: Show History');
    await history().getByText('Which files are there?').waitFor();
    for (const title of ['Tell me of pears', 'Tell me of apples']) await history().getByText(title).waitFor({ state: 'detached' });
    assert.deepEqual(folderOfTheirs(), before);
    assert.ok(existsSync(inFolder('talk.md')), 'what was exported stays');
  });
});
