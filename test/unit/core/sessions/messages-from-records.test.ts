// The fold from a log to messages: pairing, order, merging, and what is left out.
import assert from 'node:assert/strict';
import { type AssistantBlock, type UserBlock } from '../../../../src/core/wire/wire';
import {
  callsWithoutResult,
  messagesFromRecords,
  missingResultText,
} from '../../../../src/core/sessions/messages-from-records';
import { type RecordEnvelope, type SessionRecord, type UserRecord } from '../../../../src/core/ports/record';

let count = 0;
const envelope = (): RecordEnvelope => ({
  uuid: `u${++count}`,
  parentUuid: null,
  timestamp: '',
  sessionId: 's',
  cwd: '/w',
  version: '1',
});
const user = (content: string | UserBlock[], more: Partial<UserRecord> = {}): SessionRecord => ({
  ...envelope(),
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const assistant = (id: string, ...content: AssistantBlock[]): SessionRecord => ({
  ...envelope(),
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content, stop_reason: null },
});
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
const use = (id: string): AssistantBlock => ({ type: 'tool_use', id, name: 'Look', input: {} });
const result = (id: string, content = id): SessionRecord => user([{ type: 'tool_result', tool_use_id: id, content }]);
const started = (toolUseId: string): SessionRecord => ({
  ...envelope(),
  type: 'system',
  subtype: 'tool_started',
  toolUseId,
});
const thought: AssistantBlock = { type: 'thinking', thinking: 't', signature: 's' };

const short = (records: SessionRecord[]): unknown[] =>
  messagesFromRecords(records).map(({ role, content }) => [
    role,
    ...content.map((block) =>
      block.type === 'text'
        ? block.text
        : block.type === 'tool_use'
          ? block.id
          : block.type === 'tool_result'
            ? `=${block.tool_use_id}`
            : block.type,
    ),
  ]);

describe('messagesFromRecords', () => {
  const cases: [string, SessionRecord[], unknown[]][] = [
    ['nothing', [], []],
    ['a prompt as a string', [user('Hi')], [['user', 'Hi']]],
    [
      'blocks of one reply are one message',
      [user('Hi'), assistant('m1', text('a')), assistant('m1', text('b'))],
      [
        ['user', 'Hi'],
        ['assistant', 'a', 'b'],
      ],
    ],
    [
      'results in call order, whatever the log has',
      [user('Hi'), assistant('m1', use('a')), assistant('m1', use('b')), result('b'), result('a')],
      [
        ['user', 'Hi'],
        ['assistant', 'a', 'b'],
        ['user', '=a', '=b'],
      ],
    ],
    [
      'a result that came before the last block of its reply',
      [user('Hi'), assistant('m1', use('a')), result('a'), assistant('m1', text('more'))],
      [
        ['user', 'Hi'],
        ['assistant', 'a', 'more'],
        ['user', '=a'],
      ],
    ],
    [
      'neighbouring texts of the user are merged behind the results',
      [
        user('Hi'),
        assistant('m1', use('a')),
        result('a'),
        user('reminder', { isMeta: true }),
        user('steer', { steering: true }),
      ],
      [
        ['user', 'Hi'],
        ['assistant', 'a'],
        ['user', '=a', 'reminder', 'steer'],
      ],
    ],
    ['two prompts without a reply', [user('Hi'), user('Hello?')], [['user', 'Hi', 'Hello?']]],
    ['a reply of thinking alone', [user('Hi'), assistant('m1', thought), user('And?')], [['user', 'Hi', 'And?']]],
    [
      'thinking at the end of a reply',
      [user('Hi'), assistant('m1', thought, use('a'), thought), result('a')],
      [
        ['user', 'Hi'],
        ['assistant', 'thinking', 'a'],
        ['user', '=a'],
      ],
    ],
    [
      'blank texts',
      [user('Hi'), assistant('m1', text(' \n'), use('a')), result('a'), user(' ')],
      [
        ['user', 'Hi'],
        ['assistant', 'a'],
        ['user', '=a'],
      ],
    ],
    [
      'a missing result',
      [user('Hi'), assistant('m1', use('a'), use('b')), result('b')],
      [
        ['user', 'Hi'],
        ['assistant', 'a', 'b'],
        ['user', '=a', '=b'],
      ],
    ],
    [
      'a lost beginning',
      [assistant('m1', use('a')), result('a')],
      [
        ['user', '[The beginning of this session could not be read.]'],
        ['assistant', 'a'],
        ['user', '=a'],
      ],
    ],
    [
      'an id that is used again in a later reply',
      [
        user('Hi'),
        assistant('m1', use('a')),
        assistant('m2', use('a')),
        result('a'),
        assistant('m3', use('a_2'), use('a')),
        result('a'),
      ],
      [
        ['user', 'Hi'],
        ['assistant', 'a'],
        ['user', '=a'],
        ['assistant', 'a_3'],
        ['user', '=a_3'],
        ['assistant', 'a_2', 'a_4'],
        ['user', '=a_2', '=a_4'],
      ],
    ],
    [
      'an id that is used twice in one reply',
      [user('Hi'), assistant('m1', use('a')), assistant('m1', use('a')), result('a'), result('a')],
      [
        ['user', 'Hi'],
        ['assistant', 'a', 'a_2'],
        ['user', '=a', '=a_2'],
      ],
    ],
    ['a result without a call', [user('Hi'), result('zzz')], [['user', 'Hi']]],
    [
      'records that are no messages',
      [
        user('Hi'),
        { type: 'unknown', raw: { type: 'x' } },
        { ...envelope(), type: 'ai-title', title: 'T' },
        assistant('m1', text('a')),
      ],
      [
        ['user', 'Hi'],
        ['assistant', 'a'],
      ],
    ],
  ];
  for (const [name, records, expected] of cases) {
    it(`folds ${name}`, () => assert.deepEqual(short(records), expected));
  }

  it('keeps the first of two results', () => {
    const messages = messagesFromRecords([
      user('Hi'),
      assistant('m1', use('a')),
      result('a', 'first'),
      result('a', 'second'),
    ]);
    assert.deepEqual(messages[2]?.content, [{ type: 'tool_result', tool_use_id: 'a', content: 'first' }]);
  });

  it('gives each use of a repeated id its own result', () => {
    const messages = messagesFromRecords([
      user('Hi'),
      assistant('m1', use('a')),
      result('a', 'first'),
      assistant('m2', use('a'), use('a')),
      started('a'),
      result('a', 'second'),
    ]);
    const results = messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : [])),
    );
    assert.deepEqual(results, ['first', 'second', missingResultText['not-started']]);
  });

  it('puts text for images that the API refused, and keeps later ones', () => {
    const image: UserBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const shown: UserBlock = { type: 'tool_result', tool_use_id: 'a', content: [text('see'), image] };
    const dropped: SessionRecord = {
      ...envelope(),
      type: 'system',
      subtype: 'images_dropped',
      message: 'Could not process image',
    };
    const messages = messagesFromRecords([
      user([image]),
      assistant('m1', use('a')),
      user([shown]),
      dropped,
      user([image]),
    ]);
    const leftOut = text('[image omitted: the API could not read it]');
    assert.deepEqual(messages[0]?.content, [leftOut]);
    assert.deepEqual(messages[2]?.content, [{ ...shown, content: [text('see'), leftOut] }, image]);
  });

  it('tells what never started from what was interrupted', () => {
    const records = [user('Hi'), assistant('m1', use('a'), use('b')), started('a')];
    const contents = messagesFromRecords(records)[2]?.content.map((block) =>
      block.type === 'tool_result' ? [block.content, block.is_error] : [],
    );
    assert.deepEqual(contents, [
      [missingResultText.interrupted, true],
      [missingResultText['not-started'], true],
    ]);
    assert.deepEqual(callsWithoutResult(records), [
      { toolUseId: 'a', name: 'Look', cause: 'interrupted' },
      { toolUseId: 'b', name: 'Look', cause: 'not-started' },
    ]);
  });

  it('changes no record', () => {
    const records = [user('Hi'), user([text('more')]), assistant('m1', use('a')), result('a'), user([text('x')])];
    const copy = structuredClone(records);
    messagesFromRecords(records);
    messagesFromRecords(records);
    assert.deepEqual(records, copy);
  });
});
