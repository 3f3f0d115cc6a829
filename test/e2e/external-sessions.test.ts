// Sessions of other programs: found in the history, looked at, and gone on with in a copy.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../rig/cleanup';
import { quickPickRow } from '../rig/workbench';
import { claudeCodeLog, codexLog, said, used } from '../support/external-logs';
import { openDeft, textsOf, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('sessions of other programs', () => {
  const claude = temporaryFolder('claude');
  const codex = temporaryFolder('codex');
  let deft: DeftWindow;
  let file: string;
  before(async () => {
    deft = await openDeft({
      env: { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex },
      viewport: { width: 900, height: 700 },
    });
    const cwd = deft.window.folder;
    const theirs = claudeCodeLog({ id: 'theirs', cwd });
    theirs.prompt('Which files are there?');
    theirs.reply(
      'm1',
      { type: 'thinking', thinking: 'Hm.', signature: 'of another' },
      said('I look.'),
      used('t1', 'Bash', { command: 'ls -a' }),
    );
    theirs.result('t1', 'a.txt', { output: { stdout: 'a.txt\nb.txt', stderr: '', interrupted: false } });
    theirs.reply('m2', said('Two files.'), used('t2', 'mcp__tickets__find', { id: 7 }));
    file = path.join(claude, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), 'theirs.jsonl');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, theirs.text());
    const rollout = codexLog({ cwd });
    rollout.prompt('A question to Codex');
    rollout.says('Its answer.');
    mkdirSync(path.join(codex, 'sessions/2026/11/01'), { recursive: true });
    writeFileSync(path.join(codex, 'sessions/2026/11/01/rollout-1.jsonl'), rollout.text());
  });
  after(() => deft.close());

  const history = () => deft.chat().getByRole('main', { name: 'History' });

  it('stand below in groups of their own, open read-only, and go on in a copy', async () => {
    const before = [readFileSync(file, 'utf8'), statSync(file).mtimeMs, readdirSync(path.dirname(file)).join()];
    await deft.window.command('Deft: Show History');
    const group = history().getByRole('region', { name: 'From Claude Code' });
    const row = group.getByRole('button', { name: /^Which files are there\?/ });
    await row.waitFor();
    await history()
      .getByRole('region', { name: 'From Codex' })
      .getByRole('button', { name: /^A question to Codex/ })
      .waitFor();
    assert.equal(await group.getByRole('button', { name: /^Delete/ }).count(), 0);
    await deft.window.picture('external-history');
    await row.click();
    await deft.says('Two files.');
    await deft
      .chat()
      .getByText('This is a session of Claude Code, shown read-only. 1 call in it has no result.')
      .waitFor();
    assert.equal(await deft.composer().count(), 0);
    await deft.window.picture('external-session');
    deft.script(answers('They are a and b.'));
    await deft.button('Continue in a copy').click();
    await deft.composer().waitFor();
    await deft.send('Name them');
    await deft.says('They are a and b.');
    const sent = (await deft.request(1)).flatMap(({ content }) => textsOf(content));
    for (const part of ['Which files are there?', 'I look.', 'a.txt', 'Two files.', 'Name them'])
      assert.ok(
        sent.some((text) => text.includes(part)),
        part,
      );
    assert.deepEqual(
      [readFileSync(file, 'utf8'), statSync(file).mtimeMs, readdirSync(path.dirname(file)).join()],
      before,
    );
  });

  it('are looked at from the view of sessions, where they say whose they are', async () => {
    const { page } = deft.window;
    await deft.newSession();
    await deft.window.command('Deft: Show Sessions');
    const group = page.getByRole('treeitem', { name: 'From Claude Code', exact: true });
    await group.click();
    const row = page.getByRole('treeitem', { name: /^Which files are there\?, session of Claude Code, read-only/ });
    await row.waitFor();
    await page.getByRole('treeitem', { name: 'From Codex', exact: true }).waitFor();
    await deft.window.picture('external-in-view');
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Rename…' }).count(), 0, 'it is not Deft’s to rename');
    await page.keyboard.press('Escape');
    await row.click();
    await deft.says('Two files.');
    await deft.chat().getByText('This is a session of Claude Code, shown read-only.').waitFor();
    assert.equal(await deft.composer().count(), 0);
    await deft.window.command('Deft: Send to Another Session…');
    await quickPickRow(page, 'Which files are there?').waitFor();
    // The copy of it alone.
    assert.equal(await quickPickRow(page, 'Which files are there?').count(), 1);
    await page.keyboard.press('Escape');
  });

  it('can be left for a session of its own', async () => {
    await deft.window.command('Deft: Show History');
    await history()
      .getByRole('button', { name: /^A question to Codex/ })
      .click();
    await deft.says('Its answer.');
    await deft.newSession();
    await deft.chat().getByText('shown read-only').waitFor({ state: 'detached' });
    deft.script(answers('A new one.'));
    await deft.send('Hello');
    await deft.says('A new one.');
    assert.ok(
      !(await deft.request(1)).flatMap(({ content }) => textsOf(content)).some((text) => text.includes('Its answer.')),
    );
  });

  it('get a copy of a session where the user shares one, and hold it like their own', async () => {
    const before = readdirSync(path.dirname(file));
    await deft.composer().fill('/share');
    await deft.composer().press('Escape');
    await deft.composer().press('Enter');
    await deft.says(/A copy of the session is in .*Continue it in .+ with: claude --resume [0-9a-f-]{36}/);
    const [name = '', ...others] = readdirSync(path.dirname(file)).filter((one) => !before.includes(one));
    assert.deepEqual(others, []);
    assert.match(readFileSync(path.join(path.dirname(file), name), 'utf8'), /"Hello"[\s\S]*A new one\./);
    await deft.window.command('Deft: Show History');
    await history()
      .getByRole('region', { name: 'From Claude Code' })
      .getByRole('button', { name: /^Hello/ })
      .waitFor();
  });
});
