// The order of a stream: what gateways make of numbers and ends, and that no block is lost by it.
import assert from 'node:assert/strict';
import { createReplyAssembler } from '../../../src/core/model/reply-assembler';
import { type AssistantBlock, type StreamEvent } from '../../../src/core/wire/wire';
import { createStreamOrder } from '../../../src/providers/stream-order';

const begin: StreamEvent = {
  type: 'message_start',
  message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } },
};
const end: StreamEvent = { type: 'message_stop' };
const block = (kind: string): AssistantBlock =>
  kind === 'text' ? { type: 'text', text: '' } : { type: 'tool_use', id: kind, name: 'Read', input: {} };
const start = (index: number, kind: string): StreamEvent => ({
  type: 'content_block_start',
  index,
  content_block: block(kind),
});
const text = (index: number, said: string): StreamEvent => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text: said },
});
const json = (index: number, partial_json: string): StreamEvent => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
const stop = (index: number): StreamEvent => ({ type: 'content_block_stop', index });

const read: AssistantBlock = { type: 'tool_use', id: 'a', name: 'Read', input: { file: 'a' } };
const readB: AssistantBlock = { type: 'tool_use', id: 'b', name: 'Read', input: { file: 'b' } };
const said: AssistantBlock = { type: 'text', text: 'I read.' };
const call = (index: number, id: string): StreamEvent[] => [start(index, id), json(index, `{"file":"${id}"}`)];
const words = (index: number): StreamEvent[] => [start(index, 'text'), text(index, 'I read.')];

/** Name, events, the blocks that ended, the blocks that were open at the end. */
const cases: [string, StreamEvent[], AssistantBlock[], AssistantBlock[]][] = [
  ['as the API sends it', [begin, ...words(0), stop(0), ...call(1, 'a'), stop(1), end], [said, read], []],
  ['one number for all', [begin, ...words(0), stop(0), ...call(0, 'a'), stop(0), end], [said, read], []],
  ['one number for all, the text never ends', [begin, ...words(0), ...call(0, 'a'), stop(0), end], [read], [said]],
  [
    'one number for all, only the last ends',
    [begin, ...words(0), ...call(0, 'a'), stop(0), ...call(0, 'b'), stop(0), end],
    [read, readB],
    [said],
  ],
  [
    'a number that another one has taken meanwhile',
    [begin, ...words(0), ...call(0, 'a'), ...call(1, 'b'), stop(1), stop(0), end],
    [readB, read],
    [said],
  ],
  ['an end too many', [begin, ...words(0), ...call(0, 'a'), stop(0), stop(0), end], [read], [said]],
  ['nothing started', [begin, text(0, 'lost'), stop(0), end], [], []],
  ['two messages', [begin, ...words(0), stop(0), begin, end, ...call(1, 'a'), stop(1)], [said], []],
];

describe('the order of a stream', () => {
  for (const [name, events, ended, open] of cases) {
    it(`is kept: ${name}`, () => {
      const inOrder = createStreamOrder();
      const reply = createReplyAssembler();
      const steps = events.flatMap((event) => inOrder(event) ?? []).flatMap((event) => reply.accept(event));
      assert.deepEqual(
        steps.flatMap((step) => (step.type === 'block_ended' ? [step.block] : [])),
        ended,
      );
      assert.deepEqual(
        reply.open().map((one) => one.block),
        open,
      );
      const numbers = steps.flatMap((step) => (step.type === 'block_started' ? [step.index] : []));
      assert.equal(new Set(numbers).size, numbers.length, 'each block has a number of its own');
    });
  }
});
