// Recorded streams of the SDK's own tests, replayed at several chunk sizes: Deft's events make the SDK's message.
import { Anthropic } from '@anthropic-ai/sdk';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createReplyAssembler } from '../../../src/core/model/reply-assembler';
import { type StreamEvent } from '../../../src/core/wire/wire';
import { recordedReply } from '../../support/messages-api/script';
import { ownStream, ownStreams } from '../../support/own-streams';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { refuseBody } from '../../support/messages-api/validate-request';
import { clientFor, readStream, testKey } from './client-under-test';

const folder = path.resolve('../shared/corpus/anthropic-sse/anthropic-sdk');
const present = existsSync(folder);
const streams = present ? readdirSync(folder).filter((name) => /\.(sse|txt)$/.test(name)) : [];
const chunkings = ['event', 1, 7] as const;

describe('recorded streams', () => {
  let server: MessagesApi;
  afterEach(() => server.close());

  const recordings: [string, string][] = [
    ...ownStreams
      .filter(({ name }) => name !== 'error')
      .map(({ name, wire }): [string, string] => [`own ${name}`, wire]),
    ...streams.map((name): [string, string] => [name, readFileSync(path.join(folder, name), 'utf8')]),
  ];
  if (!present) console.log('    skipped: the corpus of recorded streams is not here; those of our own run');

  for (const [name, recording] of recordings) {
    for (const chunking of chunkings) {
      it(`${name}, chunked by ${chunking}, makes the message that the SDK makes`, async () => {
        server = await startMessagesApi([recordedReply(recording), recordedReply(recording)], { chunking });
        const { events, error } = await readStream(clientFor(server));
        assert.equal(error, undefined);
        const sdk = new Anthropic({ apiKey: testKey, baseURL: server.url, maxRetries: 0 });
        const expected = await sdk.beta.messages
          .stream({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] })
          .finalMessage();
        const message = accumulate(events);
        assert.deepEqual(
          assembled(events),
          message.content.filter((_block, index) => !message.open.has(index)).map(withoutCitations),
          'what the session is told',
        );
        assert.equal(message.id, expected.id);
        assert.equal(message.stopReason, expected.stop_reason);
        assert.equal(message.outputTokens, expected.usage.output_tokens);
        assert.deepEqual(
          message.content.map((block) => withoutOpenInput(block)),
          expected.content.map((block, index) => withoutOpenInput({ ...block }, message.open.has(index))),
        );
      });
    }
  }

  it('ends at an error event with all that came before', async () => {
    server = await startMessagesApi([recordedReply(ownStream('error').wire)], { chunking: 1 });
    const { events, error } = await readStream(clientFor(server));
    assert.deepEqual([error?.details.kind, error?.retryable], ['overloaded', true]);
    assert.deepEqual(assembled(events), [{ type: 'text', text: 'Until here.' }]);
  });

  for (const name of ['tools', 'odd']) {
    it(`own ${name}, in two parts at every byte, makes the same events`, async function () {
      this.timeout(120_000);
      const { wire, bytes } = ownStream(name);
      let at = 0;
      server = await startMessagesApi(() => recordedReply(wire));
      const client = clientFor(server, {
        // What the network cuts, the client sees cut: two reads, wherever the system would put them.
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          const whole = new Uint8Array(await response.arrayBuffer());
          const parts = [whole.subarray(0, at), whole.subarray(at)];
          const body = new ReadableStream<Uint8Array>(
            {
              pull: (stream) => {
                const part = parts.shift();
                if (part === undefined) stream.close();
                else stream.enqueue(part);
              },
            },
            { highWaterMark: 0 },
          );
          return new Response(body, { status: response.status, headers: response.headers });
        },
      });
      const { events: expected } = await readStream(client);
      for (at = 1; at < bytes; at++) {
        const { events, error } = await readStream(client);
        assert.equal(error, undefined);
        assert.deepEqual(events, expected);
      }
      console.log(`      ${bytes - 1} cuts`);
    });
  }

  if (present) {
    const cases = JSON.parse(readFileSync(path.join(folder, 'sse-decoder-chunks.json'), 'utf8')) as {
      name: string;
      chunks_base64: string[];
    }[];
    for (const { name, chunks_base64: chunks } of cases) {
      it(`decoder case "${name}" ends as a model error and no event of ours`, async () => {
        const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, 'base64')));
        server = await startMessagesApi([recordedReply(bytes.toString('utf8'))], { chunking: 1 });
        const { events, error } = await readStream(clientFor(server));
        assert.deepEqual(events, []);
        const overloaded = bytes.includes('overloaded_error');
        assert.deepEqual([error?.details.kind, error?.retryable], [overloaded ? 'overloaded' : 'dropped', true]);
      });
    }

    it('the scripted server accepts every recorded request that the real API accepted', async () => {
      server = await startMessagesApi([]);
      const exchanges = JSON.parse(readFileSync(path.join(folder, 'ToolRunner.json'), 'utf8')) as {
        status: number;
        path: string;
        body: unknown;
      }[];
      const accepted = exchanges.filter(
        ({ status, path: where }) => status === 200 && where.startsWith('/v1/messages'),
      );
      assert.ok(accepted.length > 3);
      for (const { body } of accepted) {
        const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x' };
        assert.equal(refuseBody(body, headers, [], { acceptUnknownThinking: true }, false), undefined);
      }
    });
  }
});

interface Accumulated {
  id: string;
  stopReason: string | null;
  outputTokens: number | undefined;
  content: Record<string, unknown>[];
  /** Blocks that never stopped. */
  open: Set<number>;
}

function accumulate(events: readonly StreamEvent[]): Accumulated {
  const message: Accumulated = { id: '', stopReason: null, outputTokens: undefined, content: [], open: new Set() };
  const inputs = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'message_start') message.id = event.message.id;
    if (event.type === 'content_block_start') {
      message.content[event.index] = { ...event.content_block };
      message.open.add(event.index);
    }
    if (event.type === 'content_block_delta') {
      const block = message.content[event.index] ?? {};
      const append = (field: string, value: string): void =>
        void (block[field] = `${String(block[field] ?? '')}${value}`);
      if (event.delta.type === 'text_delta') append('text', event.delta.text);
      if (event.delta.type === 'thinking_delta') append('thinking', event.delta.thinking);
      if (event.delta.type === 'signature_delta') append('signature', event.delta.signature);
      if (event.delta.type === 'citations_delta')
        block['citations'] = [...((block['citations'] as unknown[] | undefined) ?? []), event.delta.citation];
      if (event.delta.type === 'compaction_delta') block['content'] = event.delta.content;
      if (event.delta.type === 'input_json_delta') {
        inputs.set(event.index, (inputs.get(event.index) ?? '') + event.delta.partial_json);
      }
    }
    if (event.type === 'content_block_stop') {
      message.open.delete(event.index);
      const input = inputs.get(event.index);
      if (input) (message.content[event.index] ?? {})['input'] = JSON.parse(input) as unknown;
    }
    if (event.type === 'message_delta') {
      message.stopReason = event.delta.stop_reason;
      message.outputTokens = event.usage.output_tokens ?? message.outputTokens;
    }
  }
  return message;
}

/** The finished blocks as the session's own assembler makes them. */
function assembled(events: readonly StreamEvent[]): Record<string, unknown>[] {
  const assembler = createReplyAssembler();
  const blocks = new Map<number, Record<string, unknown>>();
  for (const event of events)
    for (const step of assembler.accept(event))
      if (step.type === 'block_ended') blocks.set(step.index, withoutCitations({ ...step.block }));
  return [...blocks].sort(([one], [other]) => one - other).map(([, block]) => block);
}

function withoutCitations({ citations: _citations, ...block }: Record<string, unknown>): Record<string, unknown> {
  return block;
}

/** The SDK guesses at the input of a block that broke off; Deft does not parse it at all. */
function withoutOpenInput(block: Record<string, unknown>, open = false): Record<string, unknown> {
  if (!open) return block;
  return { ...block, input: {} };
}
