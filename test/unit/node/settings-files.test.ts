// Settings files on a real disk: where they are for a worktree, what counts as broken, and word of every kind of change.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadSettings } from '../../../src/core/settings/load-settings';
import { readSettings } from '../../../src/core/settings/read-settings';
import { saveUpdate } from '../../../src/core/settings/save-update';
import { localSettings } from '../../../src/core/settings/settings-places';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { findRepository } from '../../../src/node/repository';
import { findSettings, watchSettings } from '../../../src/node/settings-files';

describe('settings files on the disk', () => {
  let base: string;
  beforeEach(() => (base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'deft-settings-')))));
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const put = (name: string, content: string | Uint8Array): string => {
    const file = path.join(base, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const find = (folder: string, environment = {}) =>
    findSettings({
      folders: [path.join(base, folder)],
      environment,
      home: path.join(base, 'home'),
      managedFolder: path.join(base, 'managed'),
    });
  const load = async (folder: string) => {
    const { places } = await find(folder);
    return loadSettings(await readSettings(places, createNodeFileSystem(), (ms) => setTimeout(ms)), {
      trusted: true,
      projectSetsMode: false,
    });
  };
  const git = (folder: string, ...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: path.join(base, folder),
      stdio: 'pipe',
    });
  const repository = (): void => {
    put('main/a.txt', 'a');
    git('main', 'init', '-q', '-b', 'trunk');
    git('main', 'add', '.');
    git('main', 'commit', '-q', '-m', 'a');
    git('main', 'worktree', 'add', '-q', '-b', 'side', '../wt');
  };

  it('of a worktree are its own, but the local ones are also those of the main checkout', async () => {
    repository();
    assert.deepEqual(await findRepository(path.join(base, 'wt')), {
      root: path.join(base, 'wt'),
      mainRoot: path.join(base, 'main'),
      branch: 'side',
    });
    assert.deepEqual(await findRepository(path.join(base, 'main')), {
      root: path.join(base, 'main'),
      mainRoot: path.join(base, 'main'),
      branch: 'trunk',
    });
    mkdirSync(path.join(base, 'wt/sub'));
    const { places, projects } = await find('wt/sub');
    const listed = places
      .filter(({ source }) => source.includes('local') || source.includes('project'))
      .map(({ file }) => path.relative(base, file));
    assert.deepEqual(listed, [
      'wt/sub/.claude/settings.local.json',
      'wt/.claude/settings.local.json',
      'main/.claude/settings.local.json',
      'wt/sub/.claude/settings.json',
      'wt/.claude/settings.json',
    ]);
    const [project] = projects;
    assert.equal(project && localSettings(project).file, path.join(base, 'main/.claude/settings.local.json'));
  });

  it('takes no folder for a worktree of a repository that does not know it', async () => {
    repository();
    put('fake/.git', `gitdir: ${path.join(base, 'main/.git/worktrees/wt')}\n`);
    assert.equal((await findRepository(path.join(base, 'fake')))?.mainRoot, path.join(base, 'fake'));
  });

  it('of an organisation, of the user, and where CLAUDE_CONFIG_DIR says', async () => {
    put('managed/managed-settings.json', '{"model":"base","language":"base"}');
    put('managed/managed-settings.d/10.json', '{"language":"ten"}');
    put('managed/managed-settings.d/20.json', '{"language":"twenty"}');
    put('home/.claude/settings.json', '{"model":"mine","outputStyle":"mine"}');
    put('ws/x', '');
    assert.deepEqual((await load('ws')).values, { language: 'twenty', model: 'base', outputStyle: 'mine' });
    const moved = await find('ws', { CLAUDE_CONFIG_DIR: path.join(base, 'own') });
    assert.equal(moved.places.at(-1)?.file, path.join(base, 'own/settings.json'));
  });

  const deny = '{"permissions":{"deny":["Read(.env)"]}}';
  const unreadable: [string, (file: string) => void, RegExp][] = [
    ['a folder', (file) => mkdirSync(file), /is a folder, not a file/],
    ['a pipe', (file) => execFileSync('mkfifo', [file]), /is a FIFO/],
    ['a link in a circle', (file) => symlinkSync(file, file), /is a circular symlink/],
    [
      'text that is not UTF-8',
      (file) =>
        writeFileSync(
          file,
          Buffer.concat([
            Buffer.from('{"permissions":{"deny":["Read('),
            Buffer.from([0xe9, 0xff]),
            Buffer.from(')"]}}'),
          ]),
        ),
      /encoding cannot be determined/,
    ],
    ['binary', (file) => writeFileSync(file, Buffer.from([0, 1, 2, 3])), /is a binary file/],
    [
      'more than 2 MiB',
      (file) => writeFileSync(file, `${' '.repeat(2 * 1024 * 1024)}{}`),
      /at most 2097152 can be read/,
    ],
    ['half of a file', (file) => writeFileSync(file, deny.slice(0, 30)), /not valid JSON/],
  ];
  for (const [what, make, message] of unreadable) {
    it(`${what} counts as broken`, async () => {
      put('ws/.claude/settings.local.json', '{}');
      const file = path.join(base, 'ws/.claude/settings.json');
      make(file);
      const loaded = await load('ws');
      assert.deepEqual(loaded.broken, [file]);
      assert.match(loaded.problems[0]?.message ?? '', message);
      assert.equal(loaded.problems[0]?.line, 1);
    });
  }

  it('are read with a mark, with comments, and as UTF-16', async () => {
    const text = `\ufeff// mine\n${deny}`;
    for (const content of [text, Buffer.from(text, 'utf16le')]) {
      put('ws/.claude/settings.json', content);
      const loaded = await load('ws');
      assert.deepEqual([loaded.rules.length, loaded.problems], [1, []]);
    }
  });

  it('that are being written are read once more before they are judged', async () => {
    const file = put('ws/.claude/settings.json', '');
    for (const half of ['', deny.slice(0, 20)]) {
      writeFileSync(file, half);
      const { places } = await find('ws');
      const texts = await readSettings(places, createNodeFileSystem(), async () => writeFileSync(file, deny));
      const loaded = loadSettings(texts, { trusted: true, projectSetsMode: false });
      assert.deepEqual([loaded.rules.length, loaded.broken], [1, []]);
    }
    rmSync(file);
    const { places } = await find('ws');
    const replaced = await readSettings(
      places,
      createNodeFileSystem(),
      async () => writeFileSync(file, deny),
      new Set([file]),
    );
    assert.equal(replaced.length, 1, 'also one that is missing for a moment');
  });

  it('are saved into, with the mode kept and through no link out of the project', async () => {
    const outside = put('outside/settings.local.json', '{}');
    mkdirSync(path.join(base, 'ws'));
    symlinkSync(path.dirname(outside), path.join(base, 'ws/.claude'));
    const target = { file: path.join(base, 'ws/.claude/settings.local.json'), inside: path.join(base, 'ws') };
    const update = {
      type: 'addRules' as const,
      behavior: 'allow' as const,
      rules: [{ toolName: 'Bash', ruleContent: 'a' }],
      destination: 'localSettings' as const,
    };
    const refused = await saveUpdate(update, target, createNodeFileSystem());
    assert.match(refused.saved ? '' : refused.message, /points outside the project/);
    rmSync(path.join(base, 'ws/.claude'));
    assert.deepEqual(await saveUpdate(update, target, createNodeFileSystem()), { saved: true });
    assert.equal((await load('ws')).rules.length, 1);
  });

  it('are watched: made with their folder, changed, replaced, removed', async () => {
    const file = path.join(base, 'ws/.claude/settings.json');
    let changed = (): void => undefined;
    const watch = watchSettings(() => changed());
    const next = async (change: () => void): Promise<void> => {
      const seen = new Promise<void>((resolve) => (changed = resolve));
      change();
      await seen;
    };
    try {
      await watch.follow([file]);
      await next(() => put('ws/.claude/settings.json', '{}'));
      await next(() => put('ws/.claude/settings.json', deny));
      put('other.json', deny.replace('.env', '.key'));
      await next(() => renameSync(path.join(base, 'other.json'), file));
      await next(() => rmSync(path.dirname(file), { recursive: true }));
    } finally {
      watch.dispose();
    }
  }).timeout(30_000);
});
