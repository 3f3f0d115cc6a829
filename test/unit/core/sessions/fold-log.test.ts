// The fold of a growing log: the same messages as the whole fold after every record, and the old ones untouched.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AssistantBlock, type Message, type UserBlock } from '../../../../src/core/wire/wire';
import { foldLog } from '../../../../src/core/sessions/fold-log';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { type SessionRecord } from '../../../../src/core/ports/record';

const envelope = { uuid: 'u', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' };
const user = (content: string | UserBlock[]): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content },
});
const assistant = (id: string, content: AssistantBlock[]): SessionRecord => ({
  ...envelope,
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content, stop_reason: null },
});
const use = (id: string): AssistantBlock => ({ type: 'tool_use', id, name: 'Look', input: {} });
const image: UserBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const result = (id: string): SessionRecord =>
  user([{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: id }, image] }]);
const started = (toolUseId: string): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'tool_started',
  toolUseId,
});
const stored = (id: string): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'result_stored',
  block: { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: `stored ${id}` }, image] },
});
const dropped = (): SessionRecord => ({ ...envelope, type: 'system', subtype: 'images_dropped', message: 'No' });

const boundary = (uuid: string, keptFrom?: string): SessionRecord => ({
  ...envelope,
  uuid,
  type: 'system',
  subtype: 'compact_boundary',
  compactMetadata: { trigger: 'auto', preTokens: 1 },
  ...defined({ keptFrom }),
});
const summary = (): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text: 'All of it.' }] },
  isMeta: true,
  isCompactSummary: true,
});
const undone = (uuid: string): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'compact_undone',
  boundary: uuid,
});
const edited = (uuid: string): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'compact_edited',
  boundary: uuid,
  summary: 'Mine.',
});

/** Few ids, so that they repeat, and results come late, early, twice or never. */
const anyRecord = (ids: number): fc.Arbitrary<SessionRecord> => {
  const callId = fc.integer({ min: 1, max: ids }).map((number) => `c${number}`);
  const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
    callId.map(use),
    fc.constantFrom<AssistantBlock>(
      { type: 'text', text: 'said' },
      { type: 'text', text: ' ' },
      { type: 'thinking', thinking: 't', signature: 's' },
    ),
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('m1', 'm2', 'm3'), fc.array(block, { maxLength: 2 }))
        .map(([id, content]) => assistant(id, content)),
    },
    { weight: 4, arbitrary: callId.map(result) },
    { weight: 1, arbitrary: callId.map(started) },
    { weight: 1, arbitrary: callId.map(stored) },
    { weight: 2, arbitrary: fc.constantFrom('prompt', '').map((text) => user(text)) },
    { weight: 1, arbitrary: fc.constant(image).map((block) => user([block])) },
    { weight: 1, arbitrary: fc.constant(undefined).map(() => dropped()) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('b1', 'b2', 'b3'), fc.constantFrom(undefined, 'u', 'b1'))
        .map(([uuid, keptFrom]) => boundary(uuid, keptFrom)),
    },
    { weight: 2, arbitrary: fc.constant(undefined).map(() => summary()) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('b1', 'b2', 'b3'), fc.boolean())
        .map(([uuid, undo]) => (undo ? undone(uuid) : edited(uuid))),
    },
  );
};

describe('foldLog', () => {
  for (const ids of [4, 400]) {
    it(`makes the messages of the whole fold wherever it is asked, with ${ids} call ids`, () => {
      const records = fc.array(fc.tuple(anyRecord(ids), fc.boolean()), { maxLength: 30 });
      fc.assert(
        fc.property(records, (steps) => {
          const log: SessionRecord[] = [];
          const returned: { messages: Message[]; copy: Message[] }[] = [];
          for (const [record, asked] of steps) {
            log.push(record);
            if (!asked) continue;
            const messages = foldLog(log);
            assert.deepEqual(messages, messagesFromRecords(log));
            returned.push({ messages, copy: structuredClone(messages) });
          }
          for (const { messages, copy } of returned) assert.deepEqual(messages, copy);
        }),
        { numRuns: 2_000 },
      );
    });
  }

  it('returns the same objects for all but the last reply and what followed it', () => {
    const log = [user('Hi')];
    let before: Message[] = [];
    for (let turn = 0; turn < 50; turn++) {
      log.push(assistant(`m${turn}`, [use(`c${turn}`)]), started(`c${turn}`), result(`c${turn}`));
      const messages = foldLog(log);
      assert.equal(messages.length, 3 + 2 * turn);
      before
        .slice(0, -2)
        .forEach((message, index) => assert.equal(messages[index], message, `turn ${turn}, message ${index}`));
      before = messages;
    }
  });

  it('begins anew where the array holds another log', () => {
    const log = [user('Hi'), assistant('m1', [use('a')]), result('a'), assistant('m2', [use('b')])];
    foldLog(log);
    log.splice(1, 3, user('Other'), assistant('m3', [use('c')]), result('c'));
    assert.deepEqual(foldLog(log), messagesFromRecords(log));
    log.length = 1;
    assert.deepEqual(foldLog(log), [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
  });
});
