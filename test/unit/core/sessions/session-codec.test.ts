// One line of a session file and one record: tolerant in, exact out.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { decodeRecord, encodeRecord } from '../../../../src/core/sessions/session-codec';

const envelope = {
  uuid: 'u',
  parentUuid: null,
  timestamp: '2026-01-01T00:00:00Z',
  sessionId: 's',
  cwd: '/w',
  version: '1',
};
const usage = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const records: SessionRecord[] = [
  { ...envelope, type: 'user', message: { role: 'user', content: 'hello\nworld \u2028 \u0000' } },
  { ...envelope, type: 'user', isMeta: true, message: { role: 'user', content: [{ type: 'text', text: 'x' }] } },
  {
    ...envelope,
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r', is_error: true }] },
    toolUseResult: { any: [1, null] },
    sourceToolAssistantUUID: 'a',
    toolState: 'failed',
    durationMs: 3,
  },
  {
    ...envelope,
    type: 'assistant',
    message: {
      id: 'm',
      role: 'assistant',
      model: 'x',
      stop_reason: null,
      usage,
      content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }],
    },
  },
  { ...envelope, type: 'system', subtype: 'reply_end', messageId: 'm', stopReason: null, usage, model: 'x' },
  { ...envelope, type: 'system', subtype: 'api_retry', attempt: 1, maxAttempts: 10, delayMs: 5, message: 'overloaded' },
  { ...envelope, type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 9 },
  { ...envelope, type: 'system', subtype: 'permission_update', update: { type: 'setMode' } },
  { ...envelope, type: 'system', subtype: 'setting', name: 'cwd', value: '/x' },
  { ...envelope, type: 'system', subtype: 'tool_started', toolUseId: 't' },
  { ...envelope, type: 'system', subtype: 'user_asked', toolUseId: 't' },
  {
    ...envelope,
    type: 'system',
    subtype: 'decision',
    toolUseId: 't',
    by: 'rule',
    behavior: 'allow',
    code: 'rule',
    reason: 'R.',
    rule: 'Bash',
    ruleBehavior: 'allow',
    source: 'session',
  },
  { ...envelope, type: 'system', subtype: 'images_dropped', message: 'Could not process image' },
  {
    ...envelope,
    type: 'system',
    subtype: 'result_stored',
    block: { type: 'tool_result', tool_use_id: 't', content: 'short' },
  },
  { ...envelope, type: 'system', subtype: 'background_end', taskId: 'b', message: 'done' },
  { ...envelope, type: 'custom-title', title: 'T' },
  { ...envelope, type: 'ai-title', title: 'T' },
  {
    ...envelope,
    type: 'queue-operation',
    operation: 'enqueue',
    messageId: 'q',
    content: [{ type: 'text', text: 'later' }],
  },
  { type: 'summary', raw: { type: 'summary', summary: 's', leafUuid: 'l' } },
  { type: 'unknown', raw: { type: 'mode', mode: 'plan', deep: { a: [1] } } },
];

describe('session codec', () => {
  for (const record of records) {
    const name = 'subtype' in record ? `${record.type} ${record.subtype}` : record.type;
    it('reads decisions of builds that called the user "person"', () => {
      const record = records.find((one) => one.type === 'system' && one.subtype === 'decision');
      assert.ok(record !== undefined);
      const line = JSON.stringify({ ...record, by: 'person' });
      const read = decodeRecord(line);
      assert.equal(read?.type === 'system' && read.subtype === 'decision' ? read.by : undefined, 'user');
    });

    it(`reads back a ${name} record`, () => {
      const line = encodeRecord(record);
      assert.ok(!line.includes('\n'));
      assert.deepEqual(decodeRecord(line), record);
    });
  }

  for (const line of ['', ' ', '{', '{"type":"user"', 'null', '3', '"x"', '[]', '\0\0\0', '{"a":1}}']) {
    it(`drops ${JSON.stringify(line)}`, () => assert.equal(decodeRecord(line), undefined));
  }

  const unknown: Record<string, unknown>[] = [
    {},
    { type: 5 },
    { type: 'user' },
    { type: 'user', message: { content: [3] } },
    { type: 'assistant', message: { content: 'text' } },
    { type: 'system', subtype: 'compact_boundary' },
    { type: 'system', subtype: 'turn_end' },
    { type: 'system', subtype: 'result_stored' },
    { type: 'system', subtype: 'result_stored', block: { type: 'text', text: 'x' } },
    { type: 'system', subtype: 'constructor' },
    { type: 'queue-operation', operation: 'enqueue', content: 'text' },
    { type: 'custom-title', customTitle: 'x' },
  ];
  for (const raw of unknown) {
    it(`keeps ${JSON.stringify(raw)} as it is`, () => {
      const record = decodeRecord(JSON.stringify(raw));
      assert.deepEqual(record, { type: 'unknown', raw });
      assert.equal(encodeRecord({ type: 'unknown', raw }), JSON.stringify(raw));
    });
  }

  const userContent = (content: unknown): unknown => contentOf({ type: 'user', message: { content } });
  const assistantContent = (content: unknown): unknown => contentOf({ type: 'assistant', message: { content } });
  const text = { type: 'text', text: 'x' };
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
  const oddBlocks: [name: string, actual: unknown, expected: unknown][] = [
    ['text without a string', userContent([text, { type: 'text', text: null }, { type: 'text' }]), [text]],
    [
      'images without their data',
      userContent([
        image,
        { type: 'image' },
        { type: 'image', source: { ...image.source, data: 5 } },
        { type: 'image', source: { ...image.source, media_type: 'image/bmp' } },
      ]),
      [image],
    ],
    [
      'blocks of the other role',
      assistantContent([text, image, { type: 'tool_result', tool_use_id: 'a', content: '' }]),
      [text],
    ],
    ['calls of the other role', userContent([text, { type: 'tool_use', id: 'a', name: 'Look', input: {} }]), [text]],
    [
      'calls with an odd id',
      assistantContent([
        text,
        { type: 'tool_use', id: 'a b', name: 'Look', input: {} },
        { type: 'tool_use', id: 3, name: 'Look', input: {} },
      ]),
      [text],
    ],
    [
      'odd input',
      assistantContent([{ type: 'tool_use', id: 'a', name: 'Look', input: '{' }]),
      [{ type: 'tool_use', id: 'a', name: 'Look', input: {} }],
    ],
    ['thinking without its signature', assistantContent([text, { type: 'thinking', thinking: 't' }]), [text]],
    [
      'a null result',
      userContent([{ type: 'tool_result', tool_use_id: 'a', content: null }]),
      [{ type: 'tool_result', tool_use_id: 'a', content: '[no output]' }],
    ],
    [
      'a result that is a number',
      userContent([{ type: 'tool_result', tool_use_id: 'a', content: 4 }]),
      [{ type: 'tool_result', tool_use_id: 'a', content: '[This result could not be read.]' }],
    ],
    [
      'a bad part of a result',
      userContent([{ type: 'tool_result', tool_use_id: 'a', content: [text, null, { type: 'image' }] }]),
      [{ type: 'tool_result', tool_use_id: 'a', content: [text] }],
    ],
  ];
  for (const [name, actual, expected] of oddBlocks)
    it(`reads around ${name}`, () => assert.deepEqual(actual, expected));

  it('leaves out an odd display', () => {
    const record = decodeRecord('{"type":"user","message":{"content":"hi"},"display":3}');
    assert.ok(record !== undefined && !('display' in record));
  });

  for (const field of ['attachedFiles', 'changedFiles'] as const)
    it(`leaves out odd ${field}, and keeps good ones`, () => {
      const files = (value: unknown): unknown => {
        const record = decodeRecord(JSON.stringify({ type: 'user', message: { content: 'hi' }, [field]: value }));
        return record?.type === 'user' ? record[field] : assert.fail();
      };
      for (const odd of [
        3,
        null,
        'x',
        {},
        [null],
        [{ filePath: '/w/a' }],
        [
          { filePath: '/w/a', hash: 'h' },
          { filePath: 1, hash: 'h' },
        ],
      ])
        assert.equal(files(odd), undefined);
      assert.deepEqual(files([{ filePath: '/w/a', hash: 'h' }]), [{ filePath: '/w/a', hash: 'h' }]);
    });

  it('fills in what a line lacks', () => {
    const record = decodeRecord('{"type":"user","message":{"content":"hi"},"parentUuid":7}');
    assert.deepEqual(record, {
      ...{ uuid: '', parentUuid: null, timestamp: '', sessionId: '', cwd: '', version: '' },
      type: 'user',
      message: { role: 'user', content: 'hi' },
    });
  });

  it('never throws, and writes back every object that it does not know', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (raw) => {
        const line = JSON.stringify(raw);
        const record = decodeRecord(line);
        assert.ok(record);
        if ('raw' in record) assert.equal(encodeRecord(record), line);
      }),
    );
  });

  it('opens the transcripts of the corpus', async function () {
    const corpus = path.resolve('../shared/corpus/transcripts');
    if (!existsSync(corpus)) {
      console.log('      skipped: no transcripts corpus beside the project');
      this.skip();
    }
    let known = 0;
    for (const name of await readdir(corpus, { recursive: true })) {
      if (!name.endsWith('.jsonl')) continue;
      for (const line of (await readFile(path.join(corpus, name), 'utf8')).split('\n')) {
        if (line.trim() === '') continue;
        const record = decodeRecord(line);
        if (!record) assert.ok(!isWhole(line), `${name}: a whole line was dropped`);
        else if ('raw' in record) assert.deepEqual(record.raw, JSON.parse(line));
        else known++;
      }
    }
    assert.ok(known > 10, `${known} known records`);
  });
});

function contentOf(raw: Record<string, unknown>): unknown {
  const record = decodeRecord(JSON.stringify(raw));
  return record !== undefined && 'message' in record && typeof record.message === 'object'
    ? record.message.content
    : record;
}

function isWhole(line: string): boolean {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
