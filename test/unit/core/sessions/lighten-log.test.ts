// Which contents are let go: those before the compaction that holds, as far as the log's file has shown that it has them.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type SessionLog, type StoredRecords } from '../../../../src/core/ports/session-store';
import { presentRecords, withoutCompaction } from '../../../../src/core/sessions/compacted-log';
import { isLight } from '../../../../src/core/sessions/light-records';
import { createLogLightener, restoreRecords } from '../../../../src/core/sessions/lighten-log';
import { decodeRecord, encodeRecord } from '../../../../src/core/sessions/session-codec';
import { storedLines } from '../../../support/session-harness';

let ids = 0;
const record = (fields: object): SessionRecord =>
  decodeRecord(
    JSON.stringify({
      ...fields,
      uuid: `u${++ids}`,
      parentUuid: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      sessionId: 's',
      cwd: '/w',
      version: '1',
    }),
  ) ?? assert.fail();
const prompt = (text: string): SessionRecord => record({ type: 'user', message: { role: 'user', content: text } });
const turn = (id: string): SessionRecord[] => [
  prompt(`Do ${id}`),
  record({
    type: 'assistant',
    message: { id: `m${id}`, role: 'assistant', model: 'x', stop_reason: null, content: [call(id)] },
  }),
  record({ type: 'system', subtype: 'tool_started', toolUseId: id }),
  record({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `result ${id}` }] },
    toolUseResult: { stdout: id },
  }),
  record({ type: 'system', subtype: 'setting', name: 'model', value: 'x' }),
  record({ type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 1 }),
];
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Look', input: { id } });
const compacted = (more: object = {}): SessionRecord[] => [
  record({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 1 }, ...more }),
  record({
    type: 'user',
    isMeta: true,
    isCompactSummary: true,
    message: { role: 'user', content: [{ type: 'text', text: `Sum. ${'x'.repeat(3_000)}` }] },
  }),
];
const uuidOf = (one: SessionRecord | undefined): string => (one !== undefined && 'uuid' in one ? one.uuid : '');
const logOf = (stored: StoredRecords | undefined): SessionLog => ({
  id: 's',
  path: '/s.jsonl',
  append: () => undefined,
  sync: async () => undefined,
  close: async () => undefined,
  stored,
});
/** By kind, a light one with a tick. */
const shapes = (records: readonly SessionRecord[]): string =>
  records.map((one) => `${one.type[0]}${isLight(one) ? '✓' : ''}`).join(' ');

function write(more: readonly SessionRecord[], lines: string[], records: SessionRecord[]): void {
  lines.push(...more.map(encodeRecord));
  records.push(...more);
}

describe('lightening a log', () => {
  function lightening(records: SessionRecord[], lines = records.map(encodeRecord)) {
    return { lines, lightener: createLogLightener(records, logOf(storedLines(lines))) };
  }

  it('lets go of calls, results and facts before the compaction, and of nothing where there is none', async () => {
    const records = turn('1');
    const { lines, lightener } = lightening(records);
    assert.equal(await lightener.run(), 0);
    write([...compacted(), ...turn('2')], lines, records);
    const before = records.map(encodeRecord);
    assert.equal(await lightener.run(), 4);
    // What the user wrote, and rare facts that all of a log is searched for, stay.
    assert.equal(shapes(records), 'u a✓ s✓ u✓ s s✓ s u u a s u s s');
    assert.deepEqual(records.map(encodeRecord), before);
    assert.equal(await lightener.run(), 0, 'it is done');
  });

  it('keeps what the compaction has kept, and lets go of that and of the summary at the next one', async () => {
    const kept = turn('2');
    const records = [...turn('1'), ...kept, ...compacted({ keptFrom: uuidOf(kept[0]) })];
    const { lines, lightener } = lightening(records);
    await lightener.run();
    assert.equal(shapes(records), 'u a✓ s✓ u✓ s s✓ u a s u s s s u');
    write([...turn('3'), ...compacted()], lines, records);
    await lightener.run();
    assert.equal(shapes(records), 'u a✓ s✓ u✓ s s✓ u a✓ s✓ u✓ s s✓ s u✓ u a✓ s✓ u✓ s s✓ s u');
  });

  it('lets go of long messages of the user too', async () => {
    const records = [prompt('y'.repeat(5_000)), prompt('short'), ...turn('1'), ...compacted()];
    await lightening(records).lightener.run();
    assert.equal(shapes(records.slice(0, 2)), 'u✓ u');
  });

  it('keeps what the file does not have, has otherwise, or has not yet', async () => {
    const records = [...turn('1'), ...turn('2'), ...turn('3'), ...compacted()];
    const { lines, lightener } = lightening(records);
    lines[1] = lines[1]?.replace('"Look"', '"Took"') ?? '';
    lines[3] = '{"type":"user","mess';
    const late = lines.splice(13);
    await lightener.run();
    assert.equal(shapes(records), 'u a s✓ u s s✓ u a✓ s✓ u✓ s s✓ u a s u s s s u');
    assert.ok(records.every((one) => encodeRecord(one) !== ''));
    lines.push(...late);
    write([...turn('4'), ...compacted()], lines, records);
    await lightener.run();
    assert.equal(shapes(records.slice(12, 18)), 'u a✓ s✓ u✓ s s✓');
  });

  it('keeps everything where no file can be read', async () => {
    const records = [...turn('1'), ...compacted()];
    assert.equal(await createLogLightener(records, logOf(undefined)).run(), 0);
    const broken: StoredRecords = {
      ...storedLines([]),
      async *scan() {
        throw new Error('EIO');
      },
    };
    const lightener = createLogLightener(records, logOf(broken));
    await assert.rejects(lightener.run(), /EIO/);
    assert.ok(!records.some(isLight));
    await assert.rejects(lightener.run(), /EIO/, 'it tries again');
  });

  it('stops where a compaction is undone meanwhile', async () => {
    const records = [...turn('1'), ...compacted()];
    const lines = records.map(encodeRecord);
    const stored = storedLines(lines);
    const undone = record({ type: 'system', subtype: 'compact_undone', boundary: uuidOf(records.at(-2)) });
    const slow: StoredRecords = {
      ...stored,
      async *scan(from) {
        records.push(undone);
        yield* stored.scan(from);
      },
    };
    assert.equal(await createLogLightener(records, logOf(slow)).run(), 0);
    assert.ok(!records.some(isLight));
  });

  it('puts back what is sent again, or changes nothing where it cannot be read', async () => {
    const records = [...turn('1'), ...compacted(), ...turn('2')];
    const { lines, lightener } = lightening(records);
    const whole = [...records];
    const boundary = uuidOf(records[6]);
    await lightener.run();
    assert.ok(!presentRecords(records).some(isLight));
    const lost = lines[3] ?? '';
    lines[3] = '';
    assert.throws(() => restoreRecords(records, withoutCompaction(records, boundary)), { code: 'session-changed' });
    assert.equal(shapes(records.slice(0, 6)), 'u a✓ s✓ u✓ s s✓');
    lines[3] = lost;
    restoreRecords(records, withoutCompaction(records, boundary));
    assert.ok(!records.some(isLight));
    assert.deepEqual(records, whole);
  });
});
