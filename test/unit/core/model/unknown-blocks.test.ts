// Blocks of kinds that Deft does not know, of a newer API or a gateway's own: whole in the next request, whatever their kind and deltas.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { fitRequest } from '../../../../src/core/model/fit-request';
import { createReplyAssembler } from '../../../../src/core/model/reply-assembler';
import { type RecordEnvelope, type SessionRecord } from '../../../../src/core/ports/record';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { readableAssistantBlocks } from '../../../../src/core/sessions/readable-blocks';
import { type AssistantBlock, type ContentDelta } from '../../../../src/core/wire/wire';
import { type ProviderId } from '../../../../src/core/wire/model-capabilities';

const envelope: RecordEnvelope = {
  uuid: 'u',
  parentUuid: null,
  timestamp: '',
  sessionId: 's',
  cwd: '/w',
  version: '1',
};
const prompt: SessionRecord = { ...envelope, type: 'user', message: { role: 'user', content: 'Hi' } };
const replied = (...content: AssistantBlock[]): SessionRecord => ({
  ...envelope,
  type: 'assistant',
  message: { id: 'r', role: 'assistant', model: 'm', content, stop_reason: null },
});
const providers: ProviderId[] = ['anthropic', 'gateway', 'bedrock', 'vertex', 'foundry'];

/** The blocks of the reply as the next request has them. */
function sentBack(provider: ProviderId, ...content: AssistantBlock[]): unknown[] {
  const messages = messagesFromRecords([prompt, replied({ type: 'text', text: 'so' }, ...content), prompt]);
  const sent = fitRequest(
    { model: 'claude-opus-5', max_tokens: 1_000, system: [], tools: [], messages },
    capabilitiesOf(provider, 'claude-opus-5'),
  );
  // As it goes over the wire: a block that is undefined would be null there.
  const body = JSON.parse(JSON.stringify(sent)) as { messages: { role: string; content: unknown[] }[] };
  return body.messages.find(({ role }) => role === 'assistant')?.content.slice(1) ?? [];
}

const knownKinds = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'image',
  'document',
  'fallback',
  'compaction',
  'opaque',
]);
const kind = fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/).filter((one) => !knownKinds.has(one) && !/_tool_/.test(one));

describe('blocks of unknown kinds', () => {
  it('go back unchanged to every provider', () => {
    fc.assert(
      fc.property(
        kind,
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(...providers),
        (type, fields, to) => {
          const block = JSON.parse(JSON.stringify({ ...fields, type })) as AssistantBlock;
          assert.deepEqual(sentBack(to, block), [block]);
        },
      ),
    );
  });

  it('go back with their results, and without what has lost its other half', () => {
    for (const to of providers) {
      const call = { type: 'server_tool_use', id: 's1', name: 'shell', input: { a: 1 } } as AssistantBlock;
      const result = { type: 'shell_tool_result', tool_use_id: 's1', content: 'ok' } as unknown as AssistantBlock;
      const own = { type: 'gateway_tool_use', id: 's2', name: 'x' } as unknown as AssistantBlock;
      const found = { type: 'gateway_tool_result', tool_use_id: 's2' } as unknown as AssistantBlock;
      assert.deepEqual(sentBack(to, call, result, own, found), [call, result, own, found], to);
      assert.deepEqual(sentBack(to, call, own), [], to);
      assert.deepEqual(sentBack(to, result, found), [], to);
    }
  });

  it('are put together of deltas of any kind', () => {
    const assembler = createReplyAssembler();
    const block = { type: 'drawing', strokes: ['a'], caption: 'One', input: {} } as unknown as AssistantBlock;
    const delta = (one: object): unknown[] =>
      assembler.accept({ type: 'content_block_delta', index: 0, delta: one as ContentDelta });
    assembler.accept({ type: 'message_start', message: { id: 'm', model: 'm', usage: {} } });
    assembler.accept({ type: 'content_block_start', index: 0, content_block: block });
    for (const one of [
      { type: 'strokes_delta', strokes: ['b', 'c'] },
      { type: 'caption_delta', caption: ' two' },
      { type: 'text_delta', text: 'aside' },
      { type: 'signature_delta', signature: 'sig' },
      { type: 'size_delta', size: { x: 1 } },
      { type: 'input_json_delta', partial_json: '{"k":1}' },
    ])
      assert.deepEqual(delta(one), [], 'nothing of it is text of the answer');
    const [step] = assembler.accept({ type: 'content_block_stop', index: 0 });
    assert.deepEqual(step, {
      type: 'block_ended',
      index: 0,
      block: {
        type: 'drawing',
        strokes: ['a', 'b', 'c'],
        caption: 'One two',
        text: 'aside',
        signature: 'sig',
        size: { x: 1 },
        input: { k: 1 },
      },
    });
    assert.deepEqual(block, { type: 'drawing', strokes: ['a'], caption: 'One', input: {} }, 'the event itself stays');
  });

  it('leave a known block alone where a delta of an unknown kind comes', () => {
    const assembler = createReplyAssembler();
    assembler.accept({ type: 'message_start', message: { id: 'm', model: 'm', usage: {} } });
    assembler.accept({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    const steps = [
      { type: 'text_delta', text: 'Hi' },
      { type: 'mood_delta', mood: 'good' },
    ].flatMap((one) => assembler.accept({ type: 'content_block_delta', index: 0, delta: one as ContentDelta }));
    assert.deepEqual(steps, [{ type: 'text', index: 0, text: 'Hi' }]);
    assert.deepEqual(
      assembler.open().map(({ block }) => block),
      [{ type: 'text', text: 'Hi' }],
    );
  });

  it('that a log holds as null are left out when it is read', () => {
    const text = { type: 'text', text: 'so' };
    assert.deepEqual(readableAssistantBlocks([null, text, undefined, 3]), [text]);
  });
});
