// Records without their contents: the same to whoever reads them, and read from the file no oftener than somebody needs them.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type StoredRecords } from '../../../../src/core/ports/session-store';
import {
  isLight,
  isSameRecord,
  lightRecord,
  wholeRecord,
  wholeRecords,
} from '../../../../src/core/sessions/light-records';
import { decodeRecord, encodeRecord, inSession } from '../../../../src/core/sessions/session-codec';
import { storedLines } from '../../../support/session-harness';

const envelope = {
  uuid: 'u1',
  parentUuid: 'u0',
  timestamp: '2026-01-01T00:00:00.000Z',
  sessionId: 's',
  cwd: '/w',
  version: '1',
};
const result = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'é\u2028"long"' }] },
  toolUseResult: { stdout: 'long', exitCode: 0 },
  toolState: 'done',
  durationMs: 12,
  ...envelope,
};
const samples: Record<string, object> = {
  result,
  reply: {
    type: 'assistant',
    message: { id: 'm', role: 'assistant', model: 'x', content: [{ type: 'text', text: 'Yes.' }], stop_reason: null },
    ...envelope,
  },
  fact: { type: 'system', subtype: 'tool_started', toolUseId: 't1', ...envelope },
  end: { type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 5, ...envelope },
  progress: { type: 'progress', data: { step: 1 }, parentToolUseID: 't1', ...envelope },
  unknown: { type: 'of-tomorrow', more: [1, 2], ...envelope },
};

function counted(line: string): { stored: StoredRecords; reads: () => number } {
  const stored = storedLines([line]);
  let reads = 0;
  return { stored: { ...stored, read: (place) => (reads++, stored.read(place)) }, reads: () => reads };
}

const place = { at: 0, length: 0, check: 0, format: 1 };

function lightOf(line: string): { own: SessionRecord; light: SessionRecord; reads: () => number } {
  const own = decodeRecord(line) ?? assert.fail();
  const { stored, reads } = counted(line);
  return { own, light: lightRecord(own, stored, place), reads };
}

describe('light records', () => {
  for (const [name, fields] of Object.entries(samples))
    it(`have the fields of the record, in their order: ${name}`, () => {
      // Spaces that the codec would not write.
      const line = JSON.stringify(fields).replace('{', '{ ');
      const { own, light } = lightOf(line);
      assert.ok(isLight(light) && !isLight(own));
      assert.deepEqual(light, own);
      assert.deepEqual(Object.keys(light), Object.keys(own));
      assert.equal(encodeRecord(light), encodeRecord(own));
      assert.deepEqual({ ...light }, own);
      assert.ok(!isLight({ ...light }), 'a copy has the contents itself');
      assert.deepEqual(structuredClone(light), own);
      assert.equal(encodeRecord(inSession(light, 's2')), encodeRecord(inSession(own, 's2')));
      assert.equal(encodeRecord(wholeRecord(light)), encodeRecord(own));
    });

  it('are looked through without the file', () => {
    const { light, reads } = lightOf(JSON.stringify(result));
    assert.ok(light.type === 'user');
    assert.deepEqual([light.uuid, light.toolState, light.durationMs, light.isMeta], ['u1', 'done', 12, undefined]);
    assert.ok('toolUseResult' in light);
    assert.equal(reads(), 0);
    assert.equal(light.message.content.length, 1);
    assert.equal(reads(), 1);
  });

  it('hold nothing of the contents', () => {
    const { light } = lightOf(JSON.stringify(result));
    const held = Object.entries(Object.getOwnPropertyDescriptors(light)).filter(([, { value }]) => value !== undefined);
    assert.deepEqual(
      held.map(([key]) => key),
      ['type', 'toolState', 'durationMs', 'uuid'],
    );
  });

  it('say so where the file has them no more, and nothing else', () => {
    const own = decodeRecord(JSON.stringify(result)) ?? assert.fail();
    const light = lightRecord(own, storedLines([]), place);
    assert.ok(light.type === 'user');
    assert.equal(light.uuid, 'u1');
    assert.throws(() => light.message, { code: 'session-changed' });
    assert.throws(() => encodeRecord(light), { code: 'session-changed' });
    assert.throws(() => ({ ...light }), { code: 'session-changed' });
  });

  it('are the record that they were', () => {
    const { own, light } = lightOf(JSON.stringify(result));
    const other = decodeRecord(JSON.stringify({ ...result, uuid: 'u2' }));
    assert.ok(isSameRecord(own, own) && isSameRecord(light, own) && isSameRecord(undefined, undefined));
    assert.ok(!isSameRecord(light, other) && !isSameRecord(other, own) && !isSameRecord(undefined, own));
    assert.ok(!isSameRecord(structuredClone(own), own), 'a log that was rewritten is another one');
  });

  it('are read all at once where the whole log is needed, in slices', async () => {
    const { own, light } = lightOf(JSON.stringify(result));
    const full = [own, own];
    const never = { pause: () => Promise.reject(new Error('paused')), now: () => 0 };
    assert.equal(await wholeRecords(full, never), full);
    let pauses = 0;
    let time = 0;
    const whole = await wholeRecords([light, own, light], { pause: async () => pauses++, now: () => (time += 10) });
    assert.deepEqual([whole.map(isLight), pauses], [[false, false, false], 3]);
    assert.deepEqual(whole, [own, own, own]);
  });
});
