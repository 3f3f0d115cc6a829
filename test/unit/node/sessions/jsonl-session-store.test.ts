// The session store on disk: torn files, locks, order, listing, and a process that is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { countSideUsage } from '../../../../src/core/loop/side-usage';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { encodeRecord, encodeWith } from '../../../../src/core/sessions/session-codec';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { removableSessions } from '../../../../src/node/sessions/session-id';
import { readRecords } from '../../../../src/node/sessions/session-reader';
import { reply } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { makeTree, type Tree } from '../search-tree';

const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
const prompt = (text: string): SessionRecord => ({
  ...envelope,
  uuid: text.slice(0, 8),
  type: 'user',
  message: { role: 'user', content: text },
});
const title = (text: string, type: 'custom-title' | 'ai-title' = 'ai-title'): SessionRecord => ({
  ...envelope,
  uuid: 't',
  type,
  title: text,
});
const own = 'aaaaaaaa-0000-4000-8000-aaaaaaaaaaaa';
/** The first line of a log names its format. */
const firstLine = (record: SessionRecord): string => encodeWith(record, { deftFormat: 1 });

/** What the reader puts where lines cannot be read is in no file. */
const isNoHole = (record: SessionRecord): boolean => record.type !== 'system' || record.subtype !== 'unreadable_lines';

describe('JSONL session store', () => {
  let place: Tree;
  const at = (...names: string[]): string => path.join(place.root, ...names);
  const store = () => createJsonlSessionStore(at('sessions'));
  const fill = async (id: string, records: SessionRecord[]): Promise<void> => {
    const log = await store().create(id);
    log.append(records);
    await log.close();
  };
  const readBack = async (id: string): Promise<SessionRecord[] | undefined> => {
    const opened = await store().open(id);
    await opened?.log.close();
    return opened?.records.filter(isNoHole);
  };
  beforeEach(async () => {
    place = await makeTree({});
  });
  afterEach(() => place.remove());

  it('keeps no session in which only settings were chosen, and keeps the settings of one that is used', async () => {
    const open = async (id: string) => {
      const log = await store().create(id);
      const model = createScriptedModel([reply('Hello.')]);
      const { session } = createHarness({ model, session: { log, records: [] } });
      session.permission.setMode('acceptEdits');
      session.choices.setModel('claude-haiku-4-5-20251001');
      countSideUsage(session, 'claude-haiku-4-5-20251001', {
        input_tokens: 1,
        output_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      });
      return session;
    };
    const unused = await open('unused');
    assert.equal(
      (await stat(at('sessions', 'unused.jsonl'))).size,
      0,
      'a window that is killed now leaves nothing to list',
    );
    assert.deepEqual(await store().list(), []);
    await unused.close();
    assert.deepEqual(await readdir(at('sessions')), []);

    const used = await open('used');
    await used.run(
      { content: [{ type: 'text', text: 'Hello' }], display: { text: 'Hello', attachments: [], images: 0 } },
      new AbortController().signal,
    );
    await used.close();
    const settings = (await readBack('used'))?.flatMap((record) =>
      record.type === 'system' && record.subtype === 'setting' ? [record.value] : [],
    );
    assert.deepEqual(settings, ['acceptEdits', 'claude-haiku-4-5-20251001']);
    assert.deepEqual(
      (await store().list()).map(({ title }) => title),
      ['Hello'],
    );
  });

  it('titles a session by what was not sent where nothing was', async () => {
    const display = { text: 'Mind the gap', attachments: [], images: 0 };
    await fill('queued', [
      { ...envelope, uuid: 'q', type: 'queue-operation', operation: 'enqueue', messageId: 'm', content: [], display },
    ]);
    await fill('blocked', [{ ...envelope, uuid: 'b', type: 'system', subtype: 'prompt_blocked', display }]);
    assert.deepEqual(
      (await store().list()).map(({ title }) => title),
      ['Mind the gap', 'Mind the gap'],
    );
  });

  it('keeps records in order over many small appends', async () => {
    const records = Array.from({ length: 500 }, (_, index) => prompt(`message ${index}`));
    const log = await store().create('a');
    for (const [index, record] of records.entries()) {
      log.append([record]);
      if (index % 50 === 0) await log.sync();
    }
    await log.close();
    assert.deepEqual(await readBack('a'), records);
  });

  it('writes each record once, also those that come while others are on their way', async () => {
    const log = await store().create('a');
    const texts: string[] = [];
    let saved: Promise<void> = Promise.resolve();
    for (let number = 0; number < 200; number++) {
      texts.push(`record ${number}`);
      log.append([prompt(`record ${number}`)]);
      if (number % 5 === 0) saved = log.sync();
      // Now here, now there in what a write does.
      for (let ticks = 0; ticks < number % 17; ticks++) await Promise.resolve();
      if (number % 3 === 0) await new Promise(setImmediate);
    }
    await saved;
    await log.close();
    assert.deepEqual(
      (await readBack('a'))?.map((record) => (record.type === 'user' ? record.message.content : record.type)),
      texts,
    );
  });

  it('has on disk what it synced', async () => {
    const log = await store().create('a');
    log.append([prompt('one'), prompt('two')]);
    await log.sync();
    assert.equal(await readFile(log.path, 'utf8'), `${firstLine(prompt('one'))}\n${encodeRecord(prompt('two'))}\n`);
    await log.close();
  });

  it('encodes at the time of the append', async () => {
    const record = prompt('before') as Extract<SessionRecord, { type: 'user' }>;
    const log = await store().create('a');
    log.append([record]);
    record.message.content = 'after';
    await log.close();
    assert.deepEqual(await readBack('a'), [prompt('before')]);
  });

  it('goes on where the session ended', async () => {
    await fill('a', [prompt('one')]);
    const opened = await store().open('a');
    opened?.log.append([prompt('two')]);
    await opened?.log.close();
    assert.deepEqual(await readBack('a'), [prompt('one'), prompt('two')]);
  });

  it('drops a torn last line, and the next append starts on a line of its own', async () => {
    await fill('a', [prompt('one')]);
    await appendFile(at('sessions', 'a.jsonl'), '{"type":"user","mess');
    const opened = await store().open('a');
    assert.deepEqual(opened?.records, [prompt('one')]);
    opened?.log.append([prompt('two')]);
    await opened?.log.close();
    const text = await readFile(at('sessions', 'a.jsonl'), 'utf8');
    assert.equal(text, `${firstLine(prompt('one'))}\n${encodeRecord(prompt('two'))}\n`);
  });

  it('keeps a last line that only lost its newline', async () => {
    await mkdir(at('sessions'));
    await writeFile(at('sessions', 'a.jsonl'), encodeRecord(prompt('one')));
    const opened = await store().open('a');
    opened?.log.append([prompt('two')]);
    await opened?.log.close();
    assert.deepEqual(await readBack('a'), [prompt('one'), prompt('two')]);
  });

  it('passes over broken lines in the middle and never rewrites them', async () => {
    await mkdir(at('sessions'));
    const before = `${encodeRecord(prompt('one'))}\n\0\0\0broken\n{"type":"mode","x":1}\n`;
    await writeFile(at('sessions', 'a.jsonl'), before);
    const opened = await store().open('a');
    const [first, hole, last, ...more] = opened?.records ?? [];
    assert.deepEqual([first, last, more], [prompt('one'), { type: 'unknown', raw: { type: 'mode', x: 1 } }, []]);
    assert.ok(hole?.type === 'system' && hole.subtype === 'unreadable_lines' && hole.lines === 1);
    opened?.log.append([prompt('two')]);
    await opened?.log.close();
    assert.equal(await readFile(at('sessions', 'a.jsonl'), 'utf8'), `${before}${encodeRecord(prompt('two'))}\n`);
  });

  it('any prefix of a file opens as a prefix of its records', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), fc.nat(), (texts, cut) => {
        const records = texts.map(prompt);
        const bytes = Buffer.from(records.map((record) => `${encodeRecord(record)}\n`).join(''));
        const prefix = bytes.subarray(0, cut % (bytes.length + 1));
        const read = readRecords(prefix);
        assert.deepEqual(read.records, records.slice(0, read.records.length));
        assert.equal(read.unreadable, 0);
        // Whatever is appended then is on lines of its own.
        const after = Buffer.concat([
          prefix.subarray(0, read.size),
          Buffer.from(read.unterminated ? '\n' : ''),
          Buffer.from(`${encodeRecord(prompt('next'))}\n`),
        ]);
        assert.deepEqual(readRecords(after).records, [...read.records, prompt('next')]);
        const lost = records.length - read.records.length;
        if (prefix.length === bytes.length) assert.equal(lost, 0);
      }),
    );
  });

  it('tells a missing session from a strange id', async () => {
    assert.equal(await store().open('nothing'), undefined);
    await assert.rejects(store().open('../escape'), { code: 'session-id' });
    await assert.rejects(store().create('a/b'), { code: 'session-id' });
    assert.throws(() => store().resultsDirectory('..'), { code: 'session-id' });
    assert.equal(store().resultsDirectory('a'), at('sessions', 'a', 'tool-results'));
  });

  it('does not create a session twice', async () => {
    await fill('a', [prompt('one')]);
    await assert.rejects(store().create('a'), { code: 'session-exists' });
    assert.deepEqual(await readBack('a'), [prompt('one')]);
  });

  it('leaves nothing of a session in which nothing was said', async () => {
    await fill('a', []);
    assert.deepEqual(await readdir(at('sessions')), []);
  });

  it('removes a session with its results', async () => {
    await fill(own, [prompt('one')]);
    await mkdir(store().resultsDirectory(own), { recursive: true });
    await store().remove(own);
    assert.deepEqual(await readdir(at('sessions')), []);
    await store().remove(own);
  });

  it('leaves in the folder of a session what is not its own, and the folder of another name whole', async () => {
    for (const id of [own, 'photos']) {
      await fill(id, [prompt('one')]);
      for (const name of ['tool-results', 'checkpoints', 'notes'])
        await mkdir(at('sessions', id, name), { recursive: true });
      await store().remove(id);
    }
    assert.deepEqual([await readdir(at('sessions')), await readdir(at('sessions', own))], [[own, 'photos'], ['notes']]);
    assert.deepEqual((await readdir(at('sessions', 'photos'))).sort(), ['checkpoints', 'notes', 'tool-results']);
  });

  it('takes only its own sessions of these folders where all are to go', async () => {
    const other = own.replaceAll('a', 'b');
    for (const id of [own, 'data']) await fill(id, [prompt('one')]);
    await fill(other, [{ ...prompt('two'), cwd: '/elsewhere' } as SessionRecord]);
    const ids = async (...folders: string[]) => removableSessions(await store().list(), folders).map(({ id }) => id);
    assert.deepEqual(
      [await ids('/w'), await ids('/elsewhere'), await ids('/')].map((found) => found.sort()),
      [[own], [other], [own, other]],
    );
  });

  it('refuses appends after close', async () => {
    const log = await store().create('a');
    await log.close();
    await log.close();
    assert.throws(() => log.append([prompt('x')]), { code: 'session-closed' });
  });

  it('overwrites nothing of another machine that took a silent session over, and nothing of its own is lost', async () => {
    const silent = await store().create('a');
    silent.append([prompt('one')]);
    await silent.sync();
    const other = [prompt('of the other'), prompt('and more of it, which is longer')];
    await appendFile(at('sessions', 'a.jsonl'), other.map((record) => `${encodeRecord(record)}\n`).join(''));
    silent.append([prompt('two')]);
    await silent.sync();
    await appendFile(at('sessions', 'a.jsonl'), '{"type":"us');
    silent.append([prompt('three')]);
    await silent.close();
    assert.deepEqual(await readBack('a'), [prompt('one'), ...other, prompt('two'), prompt('three')]);
  });

  it('is made anew, as a whole, where somebody removed the file of an open session', async () => {
    const log = await store().create('a');
    log.append([prompt('one')]);
    await log.sync();
    await rm(at('sessions'), { recursive: true });
    log.append([prompt('two')]);
    await log.sync();
    assert.deepEqual((await readFile(at('sessions', 'a.jsonl'), 'utf8')).split('\n'), [
      firstLine(prompt('one')),
      encodeRecord(prompt('two')),
      '',
    ]);
    log.append([prompt('three')]);
    await log.close();
    assert.deepEqual(await readBack('a'), [prompt('one'), prompt('two'), prompt('three')]);
  });

  it('is readable by this user alone', async () => {
    await fill('a', [prompt('one')]);
    assert.equal((await stat(at('sessions', 'a.jsonl'))).mode & 0o777, 0o600);
    assert.equal((await stat(at('sessions'))).mode & 0o777, 0o700);
  });

  it('parts what two machines have written at once', async () => {
    const line = (uuid: string, parentUuid: string | null): SessionRecord => ({
      ...(prompt(uuid) as Extract<SessionRecord, { type: 'user' }>),
      uuid,
      parentUuid,
    });
    await fill('a', [
      line('begun', null),
      line('a1', 'begun'),
      line('b1', 'begun'),
      line('a2', 'a1'),
      line('b2', 'b1'),
    ]);
    const opened = await store().open('a');
    await opened?.log.close();
    const order = (records: readonly SessionRecord[] = []): unknown[] =>
      records.map((record) => ('uuid' in record ? record.uuid : ''));
    assert.deepEqual(order(opened?.records), ['begun', 'a1', 'a2', 'b1', 'b2']);
    assert.deepEqual(order(await store().read?.('a')), order(opened?.records));
  });

  describe('locks', () => {
    const lockFile = (): string => at('sessions', 'a.lock');
    const holder = (fields: object): Promise<void> =>
      writeFile(
        lockFile(),
        JSON.stringify({ pid: process.ppid, host: hostname(), started: '', token: 'x', ...fields }),
      );

    it('opens a session once', async () => {
      const log = await store().create('a');
      log.append([prompt('one')]);
      await log.sync();
      await assert.rejects(store().open('a'), { code: 'session-locked' });
      await assert.rejects(store().remove('a'), { code: 'session-locked' });
      await log.close();
      await (await store().open('a'))?.log.close();
      await assert.rejects(stat(lockFile()), { code: 'ENOENT' });
    });

    it('is held by another live process', async () => {
      await fill('a', [prompt('one')]);
      await holder({});
      await assert.rejects(store().open('a'), { code: 'session-locked' });
    });

    const stale: [string, (gone: number) => Promise<void>][] = [
      ['of a process that is gone', (gone) => holder({ pid: gone })],
      ['of an earlier process with this pid', () => holder({ pid: process.pid })],
      [
        'of another machine that has been silent',
        async () => {
          await holder({ host: 'elsewhere' });
          await utimes(at('sessions', 'a.jsonl'), 1_000, 1_000);
        },
      ],
      [
        'that is broken',
        async () => {
          await writeFile(lockFile(), '');
          await utimes(lockFile(), 1_000, 1_000);
        },
      ],
    ];
    for (const [name, arrange] of stale) {
      it(`takes over a lock ${name}`, async () => {
        await fill('a', [prompt('one')]);
        const child = spawn(process.execPath, ['-e', '']);
        await new Promise((resolve) => child.on('close', resolve));
        await arrange(child.pid ?? 0);
        const opened = await store().open('a');
        assert.equal(opened?.records.length, 1);
        await opened?.log.close();
        assert.deepEqual((await readdir(at('sessions'))).sort(), ['a.jsonl']);
      });
    }

    it('respects another machine that wrote a moment ago', async () => {
      await fill('a', [prompt('one')]);
      await holder({ host: 'elsewhere' });
      await assert.rejects(store().open('a'), { code: 'session-locked' });
    });
  });

  describe('list', () => {
    it('is empty without a folder', async () => assert.deepEqual(await store().list(), []));

    it('gives titles, folders and times, newest first', async () => {
      await fill('first', [prompt('  fix\n the   date '), prompt('second prompt')]);
      await fill('titled', [prompt('x'), title('Made up'), prompt('y')]);
      await fill('named', [prompt('x'), title('Own name', 'custom-title'), title('Made up later')]);
      await fill('long', [prompt('word '.repeat(60))]);
      for (const [index, id] of ['first', 'titled', 'named', 'long'].entries())
        await utimes(at('sessions', `${id}.jsonl`), 1_000 + index, 1_000 + index);
      const listed = await store().list();
      assert.deepEqual(
        listed.map(({ id, title: shown, cwd, updatedAt }) => [id, shown, cwd, updatedAt]),
        [
          ['long', `${'word '.repeat(15)}word…`, '/w', 1_003_000],
          ['named', 'Own name', '/w', 1_002_000],
          ['titled', 'Made up', '/w', 1_001_000],
          ['first', 'fix the date', '/w', 1_000_000],
        ],
      );
      assert.deepEqual(await store().list(), listed);
    });

    it('does without its index, missing, broken or old', async () => {
      await fill('a', [prompt('one')]);
      const listed = await store().list();
      for (const content of ['{', '{"version":99}', '{"version":1,"sessions":{"a":{"title":3},"b":null}}']) {
        await writeFile(at('sessions', '.index.json'), content);
        assert.deepEqual(await store().list(), listed);
      }
      await fill('b', [prompt('two')]);
      await store().remove('a');
      assert.deepEqual(
        (await store().list()).map((session) => session.id),
        ['b'],
      );
    });

    it('reads changed files again and unchanged ones not', async () => {
      await fill('a', [prompt('one')]);
      await store().list();
      const index = JSON.parse(await readFile(at('sessions', '.index.json'), 'utf8')) as {
        sessions: Record<string, { title: string }>;
      };
      for (const entry of Object.values(index.sessions)) entry.title = 'from the index';
      await writeFile(at('sessions', '.index.json'), JSON.stringify(index));
      assert.equal((await store().list())[0]?.title, 'from the index');
      await appendFile(at('sessions', 'a.jsonl'), `${encodeRecord(title('renamed'))}\n`);
      assert.equal((await store().list())[0]?.title, 'renamed');
    });

    it('keeps a title that has come to stand in the middle of a long file', async () => {
      const filler = prompt('z'.repeat(300_000));
      await fill('a', [prompt('start'), filler, title('Seen once')]);
      assert.equal((await store().list())[0]?.title, 'Seen once');
      const opened = await store().open('a');
      opened?.log.append([filler]);
      await opened?.log.close();
      assert.equal((await store().list())[0]?.title, 'Seen once');
    });

    it('shows a torn session and leaves empty ones out', async () => {
      await mkdir(at('sessions'));
      await writeFile(at('sessions', 'torn.jsonl'), '{"type":"us');
      await writeFile(at('sessions', 'empty.jsonl'), '');
      assert.deepEqual(
        (await store().list()).map((session) => [session.id, session.title]),
        [['torn', 'Untitled session']],
      );
    });
  });
});
