// What gateways make of a stream: events without names, and an error as JSON with the status of a success.
import assert from 'node:assert/strict';
import { createEventNames } from '../../../src/providers/named-events';
import { recordedReply, type Reply } from '../../support/messages-api/script';
import { type MessagesApi, startMessagesApi } from '../../support/messages-api/server';
import { clientFor, readStream } from './client-under-test';

const events: object[] = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'ping' },
  { index: 0, content_block: { type: 'text', text: '' }, type: 'content_block_start' },
  { delta: { type: 'text_delta', text: 'grün 🌱' }, index: 0, type: 'content_block_delta' },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
];
const types = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
];
const dataOnly = (end = '\n'): string => events.map((event) => `data: ${JSON.stringify(event)}${end}${end}`).join('');
const ordinary = events
  .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

describe('streams of gateways', () => {
  let api: MessagesApi | undefined;
  afterEach(async () => {
    await api?.close();
    api = undefined;
  });
  const read = async (reply: Reply, chunking?: number) => {
    api = await startMessagesApi([reply], chunking === undefined ? {} : { chunking });
    return readStream(clientFor(api));
  };

  const shapes: [what: string, stream: string][] = [
    ['as they are', dataOnly()],
    ['with other line ends', dataOnly('\r\n')],
    ['behind a comment, a number and a byte order mark', `\uFEFF: hello\n\nid: 1\nretry: 5\n${dataOnly()}`],
    ['with another word at the end', `${dataOnly()}data: [DONE]\n\n`],
    [
      'over several lines',
      events.map((event) => `${JSON.stringify(event, null, 1).replace(/^/gm, 'data: ')}\n\n`).join(''),
    ],
  ];
  for (const [what, stream] of shapes) {
    for (const chunking of [undefined, 1, 7]) {
      it(`without names of events are read, ${what}, ${chunking ?? 'all'} bytes at a time`, async () => {
        const seen = await read(recordedReply(stream), chunking);
        assert.equal(seen.error, undefined);
        assert.deepEqual(
          seen.events.map(({ type }) => type),
          types,
        );
        assert.match(JSON.stringify(seen.events), /grün 🌱/);
      });
    }
  }

  it('without names tell an error as the one that it is', async () => {
    const { error } = await read(
      recordedReply(
        `data: ${JSON.stringify(events[0])}\n\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n`,
      ),
    );
    assert.deepEqual([error?.details.kind, error?.retryable], ['overloaded', true]);
  });

  it('without names that end too early are a lost connection', async () => {
    const { events: seen, error } = await read(
      recordedReply(`data: ${JSON.stringify(events[0])}\n\ndata: {"type":"content_blo`),
    );
    assert.deepEqual([seen.length, error?.details.kind, error?.retryable], [1, 'dropped', true]);
  });

  it('with names go through untouched: the very same bytes', () => {
    const names = createEventNames();
    const chunks = [
      Buffer.from(ordinary.slice(0, 30)),
      Buffer.from('data: {"type":"ping"}\n\n'),
      Buffer.from(ordinary.slice(30)),
    ];
    for (const chunk of chunks) assert.equal(names.take(chunk), chunk);
    assert.equal(names.rest().length, 0);
  });

  const json = (body: string): Reply => ({ ...recordedReply(body), headers: { 'content-type': 'application/json' } });
  const named = [
    ['overloaded_error', 'overloaded', true],
    ['rate_limit_error', 'rate_limit', true],
    ['api_error', 'server', true],
    ['authentication_error', 'authentication', false],
  ] as const;
  for (const [type, kind, retryable] of named) {
    it(`in whose place an ${type} comes as JSON are told as that error`, async () => {
      const { error } = await read(json(`{"type":"error","error":{"type":"${type}","message":"It broke"}}`), 5);
      assert.deepEqual([error?.details.kind, error?.retryable], [kind, retryable]);
      assert.match(error?.message ?? '', /: It broke\. /);
      assert.doesNotMatch(error?.message ?? '', /base URL/);
    });
  }

  it('in whose place any other JSON comes mean a wrong address', async () => {
    for (const body of [
      '{"error":"no route"}',
      '{"type":"error","error":{}}',
      '{"ok":true',
      `"${'x'.repeat(100_000)}"`,
    ]) {
      const { error } = await read(json(body));
      assert.deepEqual([error?.details.kind, error?.retryable], ['server', false]);
      assert.match(error?.message ?? '', /application\/json. Check the base URL/);
      await api?.close();
    }
  });
});
