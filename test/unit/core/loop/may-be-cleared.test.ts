// Which results the API may clear next: judged by the newest calls, however long the conversation is.
import assert from 'node:assert/strict';
import { mayBeCleared } from '../../../../src/core/loop/context-management';
import { type Message } from '../../../../src/core/wire/wire';
import { type SessionRecord } from '../../../../src/core/ports/record';

const records = [
  { type: 'system', subtype: 'reply_end', messageId: 'm', cleared: { toolUses: 1 } },
] as unknown as SessionRecord[];
const tools = ['Read', 'TodoWrite'].map((name) => ({ name, description: '', input_schema: {} }));
const reply = (...names: string[]): Message => ({
  role: 'assistant',
  content: names.map((name, index) => ({ type: 'tool_use', id: `${name}${index}`, name, input: {} })),
});
const unread = {
  role: 'assistant',
  get content(): never {
    throw new Error('read');
  },
} as Message;
const eight = Array.from({ length: 8 }, () => 'Read');

const cases: [string, Message[], string | undefined][] = [
  ['nothing while the newest calls are all', [reply(...eight)], undefined],
  ['the last one before them', [reply('Read', 'Read'), reply(...eight)], 'Read1'],
  ['within one reply', [reply(...eight, 'Read', 'Read')], 'Read1'],
  ['not one that keeps its results', [reply('Read', 'TodoWrite'), reply(...eight)], 'Read0'],
  [
    'no message before it is looked at',
    [unread, reply('Read'), { role: 'user', content: [] }, reply(...eight)],
    'Read0',
  ],
];

describe('what may be cleared', () => {
  for (const [name, messages, wanted] of cases) {
    it(`is found from the end: ${name}`, () =>
      assert.equal(mayBeCleared({ messages, tools }, records, 100_000), wanted));
  }
});
