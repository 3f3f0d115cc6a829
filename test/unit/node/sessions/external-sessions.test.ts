// Sessions of other programs on a real disk: found for the workspace at hand, read, and never touched.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createExternalSessions,
  type ExternalSessions,
  readSessionFile,
} from '../../../../src/node/sessions/external-sessions';
import { claudeCodeLog, codexLog, said, used } from '../../../support/external-logs';

const codexId = '0198a1b2-0000-7000-8000-00000000000a';

describe('sessions of other programs', () => {
  let home: string;
  let folder: string;
  let cache: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'deft-external-'));
    folder = path.join(home, 'my project.x');
    cache = path.join(home, 'deft', 'sessions');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const open = (environment: NodeJS.ProcessEnv = {}): ExternalSessions =>
    createExternalSessions({ home, environment, folders: () => [folder], cache });
  const write = (file: string, text: string, seconds = 1_000): string => {
    const full = path.join(home, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
    utimesSync(full, seconds, seconds);
    return full;
  };
  const search = async (
    sessions: ExternalSessions,
    text: string,
    limit = 9,
    signal = new AbortController().signal,
  ): Promise<string[]> => {
    const found: string[] = [];
    await sessions.search(text, { limit, signal, found: ({ session, line }) => found.push(`${session.id}: ${line}`) });
    return found;
  };
  const projectKey = (): string => folder.replace(/[^A-Za-z0-9]/g, '-');
  const claude = (prompt: string, cwd = folder): string => {
    const log = claudeCodeLog({ id: 's', cwd });
    log.prompt(prompt);
    log.reply('m1', said('Yes'), used('t', 'Bash', { command: 'ls' }));
    return log.text();
  };
  const codex = (prompt: string, cwd = folder): string => {
    const log = codexLog({ id: codexId, cwd });
    log.prompt(prompt);
    log.says('Yes');
    return log.text();
  };
  const rollout = (id = codexId): string => `.codex/sessions/2026/11/02/rollout-2026-11-02T10-00-00-${id}.jsonl`;

  it('are those of the workspace, newest first, with size and title', async () => {
    const file = write(`.claude/projects/${projectKey()}/one.jsonl`, claude('First of all'), 2_000);
    write(`.claude/projects/${projectKey()}/agent-1.jsonl`, claude('Inside'));
    write(`.claude/projects/${projectKey()}/other-folder.jsonl`, claude('Same key', `${folder.slice(0, -1)}-x/..`));
    write(`.claude/projects/${projectKey()}/empty.jsonl`, '{"type":"file-history-snapshot"}\n');
    write(`.claude/projects/-elsewhere/two.jsonl`, claude('Elsewhere', '/elsewhere'));
    write(rollout(), codex('Codex here', path.join(folder, 'src')), 3_000);
    write(rollout('0198a1b2-0000-7000-8000-00000000000b'), codex('Codex there', '/elsewhere'));
    const rows = await open().list();
    assert.deepEqual(rows, [
      {
        id: `codex:${codexId}`,
        source: 'codex',
        title: 'Codex here',
        updatedAt: 3_000_000,
        sizeBytes: lstatSync(path.join(home, rollout())).size,
      },
      {
        id: 'claude-code:one',
        source: 'claude-code',
        title: 'First of all',
        updatedAt: 2_000_000,
        sizeBytes: lstatSync(file).size,
      },
    ]);
    const sessions = open();
    assert.equal((await sessions.read('claude-code:one'))?.incomplete.length, 1);
    assert.equal((await sessions.read(`codex:${codexId}`))?.cwd, path.join(folder, 'src'));
    assert.equal((await sessions.find(codexId))?.id, `codex:${codexId}`);
    assert.equal(await sessions.read('claude-code:two'), undefined);
    assert.equal(await sessions.find('agent-1'), undefined);
  });

  it('stand where the environment says', async () => {
    write(`other/projects/${projectKey()}/one.jsonl`, claude('By variable'));
    write(`codex-home/sessions/2026/01/01/rollout-x-${codexId}.jsonl`, codex('By variable too'));
    const titles = (
      await open({ CLAUDE_CONFIG_DIR: path.join(home, 'other'), CODEX_HOME: path.join(home, 'codex-home') }).list()
    ).map(({ title }) => title);
    assert.deepEqual(titles.sort(), ['By variable', 'By variable too']);
    assert.deepEqual(await open().list(), []);
  });

  it('are looked at once: what has not changed comes from the index, what has is read again', async () => {
    const file = write(`.claude/projects/${projectKey()}/one.jsonl`, claude('Before'));
    await open().list();
    const { size } = lstatSync(file);
    // The same size and time: only the index can say what was there.
    write(`.claude/projects/${projectKey()}/one.jsonl`, 'x'.repeat(size));
    assert.deepEqual(
      (await open().list()).map(({ title }) => title),
      ['Before'],
    );
    write(`.claude/projects/${projectKey()}/one.jsonl`, claude('After'), 5_000);
    assert.deepEqual(
      (await open().list()).map(({ title }) => title),
      ['After'],
    );
    rmSync(path.join(cache, '.external.json'));
    assert.deepEqual(
      (await open().list()).map(({ title }) => title),
      ['After'],
    );
  });

  it('stay as they are, byte for byte, with their times, and get no company', async () => {
    const torn = claude('Torn');
    write(`.claude/projects/${projectKey()}/one.jsonl`, claude('One'));
    write(`.claude/projects/${projectKey()}/torn.jsonl`, torn.slice(0, torn.length - 30));
    write(`.claude/projects/${projectKey()}/binary.jsonl`, '\u0000\n\ufffd{');
    write(`.claude/projects/${projectKey()}/one/tool-results/x.txt`, 'x');
    symlinkSync('/dev/zero', path.join(home, `.claude/projects/${projectKey()}/endless.jsonl`));
    write(rollout(), codex('Two'));
    for (const root of ['.claude', '.codex'])
      for (const directory of directories(path.join(home, root))) chmodSync(directory, 0o555);
    const trees = (): unknown => ['.claude', '.codex'].map((root) => treeOf(path.join(home, root)));
    const before = trees();
    try {
      const sessions = open();
      for (let round = 0; round < 2; round++) {
        for (const { id } of await sessions.list()) await sessions.read(id);
        await sessions.find('one');
        assert.equal((await search(sessions, 'yes')).length, 3);
        await readSessionFile(path.join(home, rollout()));
      }
      assert.ok(existsSync(path.join(cache, '.external.json')));
      assert.deepEqual(trees(), before);
      assert.deepEqual((await sessions.list()).map(({ title }) => title).sort(), ['One', 'Torn', 'Two']);
    } finally {
      for (const root of ['.claude', '.codex'])
        for (const directory of directories(path.join(home, root))) chmodSync(directory, 0o755);
    }
  });

  it('are searched by what is said in them, not by ids, other folders or what a program put in', async () => {
    const log = claudeCodeLog({ id: 'needle-id', cwd: folder });
    log.prompt('Say "hello\tthere" in Ünïcode');
    log.reply(
      'm1',
      said('First line\nthe Needle is in this line\nlast line'),
      used('t', 'Bash', { command: 'grep -r haystack .' }),
    );
    log.result('t', 'a result of the call');
    log.add('user', { isSidechain: true, message: { role: 'user', content: 'only a subagent heard this' } });
    write(`.claude/projects/${projectKey()}/one.jsonl`, log.text(), 2_000);
    write('.claude/projects/-elsewhere/two.jsonl', claude('the needle elsewhere', '/elsewhere'));
    const rollouts = codexLog({ id: codexId, cwd: folder });
    rollouts.prompt('Where is the needle?');
    rollouts.call('c1', 'shell', JSON.stringify({ command: ['bash', '-lc', 'echo "straw"'] }));
    rollouts.output('c1', 'what the shell said');
    // As a program leaves it that is in the middle of its next line.
    write(rollout(), rollouts.text().trimEnd(), 3_000);
    const sessions = open();
    // In the order in which they are found.
    assert.deepEqual((await search(sessions, 'NEEDLE')).sort(), [
      'claude-code:one: the Needle is in this line',
      `codex:${codexId}: Where is the needle?`,
    ]);
    const found = async (text: string): Promise<string[]> =>
      (await search(sessions, text)).map((line) => line.split(':')[0] ?? '');
    for (const text of ['"hello\tthere"', 'ünïcode', 'haystack', 'result of the call'])
      assert.deepEqual(await found(text), ['claude-code'], text);
    for (const text of ['echo "straw"', 'the shell said']) assert.deepEqual(await found(text), ['codex'], text);
    for (const text of ['needle-id', 'subagent heard', 'rollout', ' ']) assert.deepEqual(await found(text), [], text);
    assert.equal((await search(sessions, 'needle', 1)).length, 1);
    assert.deepEqual(await search(sessions, 'needle', 9, AbortSignal.abort()), []);
  });

  it('are told apart when a file is picked; what is none says so', async () => {
    const sources = [];
    for (const text of [
      claude('a'),
      codex('b'),
      `\ufeff${claude('c')}`,
      JSON.stringify(
        {
          records: claude('d')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown),
        },
        undefined,
        2,
      ),
      `${claude('e')}{"type":"system","subtype":"turn_end","reason":"completed","durationMs":1}\n`,
    ]) {
      sources.push((await readSessionFile(write('picked.jsonl', text))).source);
    }
    assert.deepEqual(sources, ['claude-code', 'codex', 'claude-code', 'deft', 'deft']);
    await assert.rejects(
      readSessionFile(write('notes.json', '{"a":1}')),
      /notes\.json cannot be opened\. It is not a session file of Claude Code/,
    );
    await assert.rejects(readSessionFile(write('empty.jsonl', '')), /is not a session file/);
    await assert.rejects(
      readSessionFile(write('head.jsonl', '{"type":"session_meta","payload":{"id":"x"}}\n')),
      /none of its messages can be read/,
    );
    await assert.rejects(readSessionFile(path.join(home, 'gone.jsonl')), /gone\.jsonl cannot be opened/);
    await assert.rejects(readSessionFile(folder), /It is not a file/);
  });
});

function directories(root: string): string[] {
  return [
    root,
    ...readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? directories(path.join(root, entry.name)) : [],
    ),
  ];
}

/** Every name with its kind, mode, times and bytes. */
function treeOf(root: string): unknown[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => {
      const stats = lstatSync(file);
      return [
        path.relative(root, file),
        stats.mode,
        stats.mtimeMs,
        stats.ctimeMs,
        stats.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : '',
      ];
    });
}
