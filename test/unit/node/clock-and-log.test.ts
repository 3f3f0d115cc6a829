// The clock and the log.
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFileLog, createLog, type LogLevel } from '../../../src/node/file-log';
import { createSystemClock } from '../../../src/node/system-clock';
import { makeTree } from './search-tree';

describe('the system clock', () => {
  const clock = createSystemClock();

  it('sleeps', async () => {
    const before = clock.now();
    await clock.sleep(5, new AbortController().signal);
    assert.ok(clock.now() >= before + 4);
  });

  it('rejects with the reason when aborted, before or while it sleeps', async () => {
    const reason = new Error('enough');
    await assert.rejects(clock.sleep(60_000, AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    const sleeping = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(sleeping, reason);
  });
});

describe('the log', () => {
  const collect = (level: LogLevel, secrets: string[] = []) => {
    const lines: string[] = [];
    return { lines, log: createLog((line) => void lines.push(line), { level: () => level, secrets: () => secrets, now: () => 0 }) };
  };

  it('writes from its level upwards', () => {
    for (const [level, expected] of [['debug', 4], ['info', 3], ['warn', 2], ['error', 1], ['off', 0]] as const) {
      const { lines, log } = collect(level);
      log.debug('a');
      log.info('b');
      log.warn('c');
      log.error('d');
      assert.equal(lines.length, expected, level);
    }
  });

  it('writes one line each, with details', () => {
    const { lines, log } = collect('info');
    const circular: Record<string, unknown> = { a: 1 };
    circular['self'] = circular;
    log.info('two\nlines', circular);
    log.info('an error', new Error('boom'));
    assert.equal(lines[0], '1970-01-01T00:00:00.000Z info two\\nlines {"a":1,"self":"[seen]"}');
    assert.match(lines[1] ?? '', /"message":"boom"/);
    for (const line of lines) assert.ok(!line.includes('\n'));
  });

  it('never shows a secret, however it is wrapped', () => {
    const secret = 'p"a\\ss word/1';
    const { lines, log } = collect('debug', [secret, 'ab', '']);
    log.info(`key ${secret}`, { header: `Bearer ${secret}`, nested: [new Error(`with ${secret}`)] });
    log.info(`ab stays, ${['sk', 'x'.repeat(24)].join('-')} goes`);
    assert.ok(!lines.join().includes('ss word'), lines.join());
    assert.match(lines[1] ?? '', /ab stays, \[redacted\] goes/);
  });

  it('appends to a file in order, and does without one that cannot be written', async () => {
    const place = await makeTree({});
    try {
      const file = path.join(place.root, 'logs', 'deft.log');
      const { log, flush } = createFileLog(file, { level: () => 'info', secrets: () => [] });
      for (let number = 0; number < 50; number++) log.info(`line ${number}`);
      await flush();
      log.info('last');
      await flush();
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      assert.deepEqual([lines.length, lines[49]?.endsWith('line 49'), lines[50]?.endsWith('last')], [51, true, true]);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      await writeFile(path.join(place.root, 'blocked'), '');
      const broken = createFileLog(path.join(place.root, 'blocked', 'deft.log'), { level: () => 'info', secrets: () => [] });
      broken.log.info('lost');
      await broken.flush();
    } finally {
      await place.remove();
    }
  });
});
