// What a session is opened from: the same from a log that grew as from one read at once, and little of a long one is read again.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lastSetting } from '../../../../src/core/calls/permission-state';
import { foldInSlices } from '../../../../src/core/sessions/fold-slices';
import { callsWithoutResult, followOpenCalls } from '../../../../src/core/sessions/messages-from-records';
import { readStateFromRecords } from '../../../../src/core/sessions/read-state-from-records';
import { replayInSlices } from '../../../../src/core/projection/replay-slices';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { waitingMessages } from '../../../../src/core/sessions/waiting-messages';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { emptyChat } from '../../../../src/shared/chat';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const envelope = { uuid: 'u', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' };
const prompt = (text: string): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: text },
});
const setting = (value: string): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'setting',
  name: 'mode',
  value,
});
const queued = (messageId: string, operation: 'enqueue' | 'remove'): SessionRecord => ({
  ...envelope,
  type: 'queue-operation',
  operation,
  messageId,
  content: [],
  display: { text: messageId, attachments: [], images: 0 },
});
const call = (id: string): SessionRecord => ({
  ...envelope,
  type: 'assistant',
  message: {
    id: `m-${id}`,
    role: 'assistant',
    model: 'm',
    stop_reason: null,
    content: [{ type: 'tool_use', id, name: 'Look', input: {} }],
  },
});
const result = (id: string, filePath: string, startLine: number): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
  toolUseResult: { file: { filePath, hash: 'h', startLine, numLines: 2, totalLines: 9 } },
});
const summary = (): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: 'All of it.' },
  isMeta: true,
  isCompactSummary: true,
});
const boundary = (): SessionRecord => ({
  ...envelope,
  uuid: 'b',
  type: 'system',
  subtype: 'compact_boundary',
  compactMetadata: { trigger: 'auto', preTokens: 1 },
});
const turnEnd = (): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'turn_end',
  reason: 'completed',
  durationMs: 1,
});

const id = fc.constantFrom('a', 'b', 'c');
const anyRecord: fc.Arbitrary<SessionRecord> = fc.oneof(
  id.map(setting),
  fc
    .tuple(id, fc.constantFrom('enqueue' as const, 'remove' as const))
    .map(([one, operation]) => queued(one, operation)),
  id.map(call),
  fc.tuple(id, id, fc.integer({ min: 1, max: 8 })).map(([one, file, start]) => result(one, `/w/${file}`, start)),
  fc.constant(undefined).map(summary),
  fc.constant(undefined).map(boundary),
);
const stateOf = (records: readonly SessionRecord[]): unknown => [
  lastSetting(records, 'mode'),
  waitingMessages(records),
  ['/w/a', '/w/b', '/w/c'].map((path) => readStateFromRecords(records).get(path)),
];

describe('what a session is opened from', () => {
  it('is the same from a log that grows, after every record, and no caller changes what the next one gets', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 30 }), (records) => {
        const log: SessionRecord[] = [];
        for (const record of records) {
          log.push(record);
          assert.deepEqual(stateOf(log), stateOf([...log]));
          readStateFromRecords(log).set('/w/a', { hash: 'mine' });
        }
        // Cut, as no session does: everything is read anew.
        log.splice(Math.floor(log.length / 2), log.length, prompt('Other'));
        assert.deepEqual(stateOf(log), stateOf([...log]));
      }),
    );
  });

  it('names the calls without a result whatever the order', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 30 }), (records) => {
        const answered = new Set(
          records.flatMap((record) =>
            record.type === 'user' && typeof record.message.content !== 'string'
              ? record.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
              : [],
          ),
        );
        const made = new Set(
          records.flatMap((record) =>
            record.type === 'assistant'
              ? record.message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
              : [],
          ),
        );
        const calls = followOpenCalls();
        for (const record of records) calls.add(record);
        assert.deepEqual(
          calls
            .open()
            .map(({ toolUseId }) => toolUseId)
            .sort(),
          [...made].filter((one) => !answered.has(one)).sort(),
        );
        assert.deepEqual(callsWithoutResult(records), calls.open());
      }),
    );
  });

  it("reads few of a long log's records again once it was folded, and replays it with a rest before its end", async () => {
    const counted = Array.from({ length: 3_000 }, (_, turn) => [
      prompt(`p${turn}`),
      call(`c${turn}`),
      result(`c${turn}`, `/w/${turn % 50}`, 1),
      turnEnd(),
    ]).flat();
    let reads = 0;
    const records = counted.map((record) =>
      Object.defineProperty({ ...record }, 'type', { get: () => (reads++, record.type), enumerable: true }),
    );
    const log = await foldInSlices(records, { pause: async () => undefined, now: () => 0 });
    reads = 0;
    readStateFromRecords(log);
    lastSetting(log, 'cwd');
    waitingMessages(log);
    assert.equal(reads, 0);
    // Before, a session that was opened read each record eight times and more in one go.
    createHarness({ model: createScriptedModel([]), session: { records: log } });
    assert.ok(reads <= 4 * log.length, `${reads / log.length} reads a record`);

    let inOneGo = 0;
    let most = 0;
    reads = 0;
    const pause = async (): Promise<void> => {
      most = Math.max(most, reads - inOneGo);
      inOneGo = reads;
    };
    await replayInSlices(
      createChatProjection({ registry: createToolRegistry([]), folders: [] }),
      emptyChat('s', 'default', 'm'),
      log,
      { pause, now: () => reads },
    );
    assert.ok(reads - inOneGo < log.length, 'what comes behind the last pause does not go through the log');
    assert.ok(most < log.length);
  });
});
