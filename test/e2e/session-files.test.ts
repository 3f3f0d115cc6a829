// Sessions in their history: those of other programs found by their words, and all of Deft's own deleted.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../rig/cleanup';
import { claudeCodeLog, said, used } from '../support/external-logs';
import { openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('sessions as files', () => {
  const claude = temporaryFolder('claude');
  let deft: DeftWindow;
  let theirs: string;
  before(async () => {
    deft = await openDeft({
      env: { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: temporaryFolder('codex') },
      viewport: { width: 900, height: 700 },
    });
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
  const folderOfTheirs = (): unknown => [
    readFileSync(theirs, 'utf8'),
    statSync(theirs).mtimeMs,
    statSync(path.dirname(theirs)).mtimeMs,
    readdirSync(claude, { recursive: true }).join(),
  ];
  it('of another program are found by their words and opened, and stay untouched', async () => {
    const before = folderOfTheirs();
    await deft.window.command('Deft: Show History');
    const search = history().getByRole('textbox', { name: 'Search sessions' });
    await search.fill('the haystack');
    await search.press('Enter');
    const found = history().getByRole('region', { name: 'Found in conversations' });
    await found.getByText('I look for the haystack.').waitFor();
    await found.getByRole('button', { name: /^Which files are there\?/ }).click();
    await deft.chat().getByText('This is a session of Claude Code, shown read-only.').waitFor();
    assert.deepEqual(folderOfTheirs(), before);
    await deft.newSession();
  });

  it('are all deleted where the user says so, and only those of Deft', async () => {
    const { page } = deft.window;
    deft.script(answers('About apples.'), answers('About pears.'));
    await deft.send('Tell me of apples');
    await deft.says('About apples.');
    await deft.idle();
    await deft.newSession();
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
    for (const title of ['Tell me of pears', 'Tell me of apples'])
      await history().getByText(title).waitFor({ state: 'detached' });
    assert.deepEqual(folderOfTheirs(), before);
  });
});
