// The clock and the log.
import assert from 'node:assert/strict';
import { createLog, type LogLevel } from '../../../src/node/file-log';
import { createSystemClock } from '../../../src/node/system-clock';

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
    return {
      lines,
      log: createLog((line) => void lines.push(line), { level: () => level, secrets: () => secrets, now: () => 0 }),
    };
  };

  it('writes from its level upwards', () => {
    for (const [level, expected] of [
      ['debug', 4],
      ['info', 3],
      ['warn', 2],
      ['error', 1],
      ['off', 0],
    ] as const) {
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
});
