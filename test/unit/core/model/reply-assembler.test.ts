// Putting a reply together from its events: blocks, tool input, usage, and what is open when a stream ends.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createReplyAssembler, type ReplyStep } from '../../../../src/core/model/reply-assembler';
import { type AssistantBlock, type ContentDelta, type StreamEvent } from '../../../../src/core/wire/wire';

const start: StreamEvent = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } },
};
const open = (index: number, block: AssistantBlock): StreamEvent => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, one: ContentDelta): StreamEvent => ({ type: 'content_block_delta', index, delta: one });
const close = (index: number): StreamEvent => ({ type: 'content_block_stop', index });
const use: AssistantBlock = { type: 'tool_use', id: 't1', name: 'Look', input: {} };

function ended(events: StreamEvent[]): Extract<ReplyStep, { type: 'block_ended' }>[] {
  const assembler = createReplyAssembler();
  return [start, ...events].flatMap((event) => assembler.accept(event)).filter((step) => step.type === 'block_ended');
}

function inputOf(parts: string[]): { input: unknown; error: string | undefined } {
  const [step] = ended([
    open(0, structuredClone(use)),
    ...parts.map((partial_json) => delta(0, { type: 'input_json_delta', partial_json })),
    close(0),
  ]);
  assert.ok(step?.block.type === 'tool_use');
  return { input: step.block.input, error: step.inputError };
}

describe('reply assembler', () => {
  it('parses tool input when its block stops, however it was cut', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat({ max: 60 })), (input, cuts) => {
        const json = JSON.stringify(input);
        const points = [0, ...cuts.map((cut) => cut % (json.length + 1)).sort((a, b) => a - b), json.length];
        const parts = points.slice(1).map((end, index) => json.slice(points[index], end));
        assert.deepEqual(inputOf(['', ...parts]), { input: JSON.parse(json) as unknown, error: undefined });
      }),
    );
  });

  it('gives a call a fresh id where its own is taken or odd', () => {
    const assembler = createReplyAssembler(new Set(['t1', 't1_2']));
    const ids = ['t1', 't1', 't2', 'Look:0', ''].flatMap((id, index) =>
      [open(index, { ...use, id }), close(index)]
        .flatMap((event) => assembler.accept(event))
        .map((step) => ('block' in step ? step.block['id' as never] : '')),
    );
    assert.deepEqual(ids, ['t1_3', 't1_3', 't1_4', 't1_4', 't2', 't2', 'Look_0', 'Look_0', 'call', 'call']);
  });

  it('takes what a gateway leaves out for empty', () => {
    const bare = (type: string): AssistantBlock => ({ type }) as AssistantBlock;
    const none = (type: string): ContentDelta => ({ type, text: null }) as unknown as ContentDelta;
    const blocks = ended([
      ...[open(0, bare('text')), delta(0, { type: 'text_delta', text: 'Hi' }), delta(0, none('text_delta')), close(0)],
      ...[open(1, bare('text')), close(1)],
      ...[open(2, bare('thinking')), delta(2, { type: 'thinking_delta', thinking: 'Hm' }), close(2)],
      ...[open(3, structuredClone(use)), delta(3, none('input_json_delta')), close(3)],
    ]).map(({ block }) => block);
    assert.deepEqual(blocks, [
      { type: 'text', text: 'Hi' },
      { type: 'text', text: '' },
      { type: 'thinking', thinking: 'Hm', signature: '' },
      use,
    ]);
  });

  it('takes no input at all for an empty object', () => {
    assert.deepEqual(inputOf([]), { input: {}, error: undefined });
    assert.deepEqual(inputOf(['']), { input: {}, error: undefined });
  });

  it('takes an object that is encoded twice', () => {
    assert.deepEqual(inputOf([JSON.stringify(JSON.stringify({ a: '"' }))]), { input: { a: '"' }, error: undefined });
  });

  for (const json of ['"{a"', '[1]', '"text"', 'null', '3', '{"a":', '{a:1}']) {
    it(`refuses ${json} as input`, () => {
      const { input, error } = inputOf([json]);
      assert.deepEqual(input, {});
      assert.match(error ?? '', /not (valid JSON|a JSON object)/);
    });
  }

  it('puts input only on blocks that have one', () => {
    const server = { type: 'mcp_tool_use', id: 'm', name: 'look', input: {} } as unknown as AssistantBlock;
    const blocks: AssistantBlock[] = [
      { type: 'text', text: 'a' },
      { type: 'thinking', thinking: 'b', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      server,
    ];
    const steps = ended(
      blocks.flatMap((block, index) => [
        open(index, structuredClone(block)),
        delta(index, { type: 'input_json_delta', partial_json: '{"a":1}' }),
        close(index),
      ]),
    );
    assert.deepEqual(
      steps.map(({ block }) => block),
      [...blocks.slice(0, 3), { ...server, input: { a: 1 } }],
    );
    assert.ok(steps.every(({ inputError }) => inputError === undefined));
  });

  it('puts text, thinking and signatures together', () => {
    const steps = ended([
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'a' }),
      delta(0, { type: 'thinking_delta', thinking: 'b' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      close(0),
      open(1, { type: 'redacted_thinking', data: 'xyz' }),
      close(1),
      open(2, { type: 'text', text: '' }),
      delta(2, { type: 'text_delta', text: 'Hel' }),
      delta(2, { type: 'citations_delta', citation: {} }),
      delta(2, { type: 'text_delta', text: 'lo' }),
      close(2),
    ]);
    assert.deepEqual(
      steps.map(({ block }) => block),
      [
        { type: 'thinking', thinking: 'ab', signature: 'sig' },
        { type: 'redacted_thinking', data: 'xyz' },
        { type: 'text', text: 'Hello', citations: [{}] },
      ],
    );
  });

  it('keeps blocks that only the API makes as they are', () => {
    const search: AssistantBlock = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ url: 'u' }] };
    const [first, second, third] = ended([
      open(0, search),
      close(0),
      open(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
      close(1),
      open(2, { type: 'compaction', content: null }),
      delta(2, { type: 'compaction_delta', content: 'Summary' }),
      close(2),
    ]);
    assert.deepEqual(first?.block, search);
    assert.deepEqual(second?.block, { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } });
    assert.deepEqual(third?.block, { type: 'compaction', content: 'Summary' });
  });

  it('counts cumulative usage and keeps the last stop reason', () => {
    const assembler = createReplyAssembler();
    assembler.accept(start);
    assembler.accept({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } });
    assembler.accept({
      type: 'message_delta',
      delta: { stop_reason: null },
      usage: { output_tokens: 33, cache_read_input_tokens: null as never },
    });
    assert.equal(assembler.complete, false);
    assert.deepEqual(assembler.accept({ type: 'message_stop' }), [{ type: 'ended', stopReason: 'tool_use' }]);
    assert.equal(assembler.complete, true);
    assert.deepEqual(assembler.usage, {
      input_tokens: 10,
      output_tokens: 33,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 5,
    });
  });

  it('knows what is open, and ignores deltas of what is not', () => {
    const assembler = createReplyAssembler();
    assembler.accept(start);
    assembler.accept(open(0, { type: 'text', text: '' }));
    assert.deepEqual(assembler.accept(delta(0, { type: 'text_delta', text: 'Hi' })), [
      { type: 'text', index: 0, text: 'Hi' },
    ]);
    assert.deepEqual(assembler.accept(delta(7, { type: 'text_delta', text: 'x' })), []);
    assert.deepEqual(assembler.accept(delta(0, { type: 'thinking_delta', thinking: 'x' })), []);
    assert.deepEqual(assembler.accept(close(7)), []);
    assert.deepEqual(assembler.open(), [{ index: 0, block: { type: 'text', text: 'Hi' } }]);
  });

  it('leaves the events that it reads alone', () => {
    const event = open(0, { type: 'text', text: '' });
    const assembler = createReplyAssembler();
    [start, event, delta(0, { type: 'text_delta', text: 'Hi' })].forEach((one) => assembler.accept(one));
    assert.deepEqual(event, open(0, { type: 'text', text: '' }));
  });

  it('takes the model that was asked, and an id of its own, where the server says none', () => {
    for (const message of [{ usage: {} }, { id: '', model: '', usage: {} }, { id: null, model: null }]) {
      const assembler = createReplyAssembler(new Set(), { messageId: 'msg_own', model: 'asked' });
      const [step] = assembler.accept({ type: 'message_start', message } as unknown as StreamEvent);
      assert.deepEqual(step, { type: 'started', messageId: 'msg_own', model: 'asked' });
    }
  });
});
