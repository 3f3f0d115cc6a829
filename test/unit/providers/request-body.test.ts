// The body that is put together from pieces: what plain JSON would say, whatever was sent before.
import assert from 'node:assert/strict';
import { withCacheBreakpoints } from '../../../src/core/loop/cache-breakpoints';
import { type Message, type ModelRequest } from '../../../src/core/wire/wire';
import { messageBody, sizeOf, soundRequest, writeBody } from '../../../src/providers/request-body';
import { request } from './client-under-test';

const text = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString('utf8');
const written = (sent: ModelRequest): string => text(writeBody(sent));
const plain = (sent: ModelRequest): unknown => JSON.parse(JSON.stringify({ ...messageBody(sent), stream: true }));

describe('writeBody', () => {
  const cases: Record<string, Partial<ModelRequest>> = {
    'a whole request': {
      thinking: { type: 'adaptive', display: 'summarized' },
      metadata: { user_id: 'u' },
      betas: ['b'],
    },
    'no system prompt and no tools': { system: [], tools: [] },
    'no messages': { messages: [] },
    'characters of several bytes': {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'ä€😀"\\\n\u2028 C:\\udev' }] }],
    },
  };
  for (const [name, fields] of Object.entries(cases)) {
    it(`writes ${name}`, () => {
      const sent = { ...request, ...fields };
      assert.deepEqual(JSON.parse(written(sent)), plain(sent));
      assert.equal(written(sent), written(sent), 'the second time too');
    });
  }

  it('sends no half of a surrogate pair, wherever it stands: the API refuses it, and each later request of the session', () => {
    const half = 'a\ud83d';
    const sent: ModelRequest = {
      ...request,
      system: [{ type: 'text', text: half }],
      tools: [{ name: 'Read', description: half, input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: half }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { [half]: [half, '😀 \\ud83d'] } }],
        },
      ],
    };
    const mended = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('a\\ud83d', 'a\ufffd'));
    assert.deepEqual(JSON.parse(written(sent)), mended(plain(sent)));
    assert.deepEqual(messageBody(soundRequest(sent)), mended(messageBody(sent)));
    const [message] = request.messages;
    assert.equal(soundRequest(request).messages[0], message, 'what is sound is not copied');
  });

  it('keeps marks where they are now, while they move along a growing conversation', () => {
    const messages: Message[] = [];
    for (let turn = 0; turn < 60; turn++) {
      messages.push(
        { role: 'user', content: [{ type: 'text', text: `question ${turn}` }] },
        { role: 'assistant', content: [{ type: 'text', text: `answer ${turn}` }] },
      );
      const sent = withCacheBreakpoints({ ...request, messages: [...messages] });
      assert.deepEqual(JSON.parse(written(sent)), plain(sent));
      assert.ok(!written({ ...request, messages }).includes('cache_control'), 'the same messages without marks');
    }
  });

  it('begins with the bytes of the request before, but for the marks', () => {
    const first = {
      ...request,
      messages: [...request.messages, { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] } satisfies Message],
    };
    assert.ok(written(first).startsWith(written(request).slice(0, -2)));
  });

  const conversation = (turns: number, first: Message = question('begin')): Message[] => [
    first,
    ...Array.from({ length: turns }, (_, turn): Message =>
      turn % 2 === 0 ? answer(`answer ${turn}`) : question(`question ${turn}`),
    ),
  ];
  const question = (said: string): Message => ({ role: 'user', content: [{ type: 'text', text: said }] });
  const answer = (said: string): Message => ({ role: 'assistant', content: [{ type: 'text', text: said }] });

  it('shares the beginning of a long conversation between its requests, and leaves what was given out as it was', () => {
    const messages = conversation(300);
    const early = { ...request, messages: messages.slice(0, 200) };
    const late = { ...request, messages };
    writeBody({ ...request, messages: messages.slice(0, 150) });
    const first = writeBody(early);
    const second = writeBody(late);
    const shared = (pieces: readonly Uint8Array[]): Uint8Array | undefined => pieces.at(-2);
    writeBody({ ...request, messages: messages.slice(0, 250) });
    assert.deepEqual(JSON.parse(text(first)), plain(early));
    assert.deepEqual(JSON.parse(text(second)), plain(late));
    assert.ok(sizeOf(first.slice(-1)) < sizeOf(first) / 2, 'only the end is put together anew');
    assert.equal(shared(writeBody(late))?.buffer, shared(writeBody(late))?.buffer);
  });

  it('notices where a long conversation went back or took another way', () => {
    const messages = conversation(200);
    const sent = (list: Message[]): void =>
      assert.deepEqual(JSON.parse(written({ ...request, messages: list })), plain({ ...request, messages: list }));
    sent(messages);
    sent(messages.slice(0, 101));
    sent([...messages.slice(0, 51), ...conversation(120, answer('another way'))]);
    sent(messages);
  });
});
