// The parts of an answer as stream events: every kind of part, alone and in any order.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createReplyAssembler, type ReplyStep } from '../../../../src/core/model/reply-assembler';
import { type StreamEvent } from '../../../../src/core/wire/wire';
import { answerEvents, type AnswerPart } from '../../../../src/vscode/model/chat-answer';

async function events(parts: readonly AnswerPart[], calls = true): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  async function* stream(): AsyncGenerator<AnswerPart> {
    yield* parts;
  }
  for await (const event of answerEvents(stream(), { id: 'm1', model: 'vscode:v/m', inputTokens: 7, calls }))
    all.push(event);
  return all;
}

async function reply(parts: readonly AnswerPart[], calls = true) {
  const assembler = createReplyAssembler();
  const steps: ReplyStep[] = (await events(parts, calls)).flatMap((event) => assembler.accept(event));
  return {
    assembler,
    blocks: steps.flatMap((step) => (step.type === 'block_ended' ? [step.block] : [])),
    errors: steps.filter((step) => step.type === 'block_ended' && step.inputError !== undefined),
  };
}

const text = (value: string): AnswerPart => ({ type: 'text', text: value });
const thinking = (value: string): AnswerPart => ({ type: 'thinking', text: value });
const call = (id: string, input: unknown = { x: 1 }): AnswerPart => ({ type: 'call', id, name: 'Read', input });
const used = (id: string, input: unknown = { x: 1 }) => ({ type: 'tool_use', id, name: 'Read', input });

const table: [what: string, parts: AnswerPart[], blocks: unknown[], stop: string][] = [
  ['nothing', [], [], 'end_turn'],
  ['text in pieces', [text('One '), text(''), text('two.')], [{ type: 'text', text: 'One two.' }], 'end_turn'],
  [
    'thinking, unsigned',
    [thinking('Hm'), thinking('…'), text('Yes.')],
    [
      { type: 'thinking', thinking: 'Hm…', signature: '' },
      { type: 'text', text: 'Yes.' },
    ],
    'end_turn',
  ],
  ['a call behind text', [text('I look.'), call('a')], [{ type: 'text', text: 'I look.' }, used('a')], 'tool_use'],
  ['text behind a call', [call('a'), text('So.')], [used('a'), { type: 'text', text: 'So.' }], 'tool_use'],
  ['two calls with one id', [call('a'), call('a')], [used('a'), used('a_2')], 'tool_use'],
  ['a call without input', [call('a', null)], [used('a', {})], 'tool_use'],
];

describe('answers of VS Code’s models', () => {
  for (const [what, parts, blocks, stop] of table) {
    it(`become a reply: ${what}`, async () => {
      const made = await reply(parts);
      assert.deepEqual(made.blocks, blocks);
      assert.deepEqual(
        [made.assembler.stopReason, made.assembler.complete, made.assembler.model, made.assembler.usage.input_tokens],
        [stop, true, 'vscode:v/m', 7],
      );
    });
  }

  it('keep input that is no object away from the tool', async () => {
    assert.equal((await reply([call('a', [1])])).errors.length, 1);
  });

  it('hold no call where none was wanted', async () => {
    const made = await reply([text('A summary.'), call('a')], false);
    assert.deepEqual([made.blocks, made.assembler.stopReason], [[{ type: 'text', text: 'A summary.' }], 'end_turn']);
  });

  it('open and close each block once and in order, whatever comes', async () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.string().map(thinking),
      fc.constantFrom('a', 'b').map((id) => call(id)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const all = await events(parts);
        let open: number | undefined;
        let next = 0;
        for (const event of all) {
          if (event.type === 'content_block_start') {
            assert.deepEqual([open, event.index], [undefined, next]);
            open = next++;
          } else if (event.type === 'content_block_delta') assert.equal(event.index, open);
          else if (event.type === 'content_block_stop') {
            assert.equal(event.index, open);
            open = undefined;
          }
        }
        assert.deepEqual(
          [all[0]?.type, all.at(-2)?.type, all.at(-1)?.type, open],
          ['message_start', 'message_delta', 'message_stop', undefined],
        );
      }),
    );
  });

  it('break where the model breaks', async () => {
    async function* broken(): AsyncGenerator<AnswerPart> {
      yield text('One');
      throw new Error('gone');
    }
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const event of answerEvents(broken(), { id: 'm', model: 'm', inputTokens: 0, calls: true }))
        seen.push(event.type);
    }, /gone/);
    assert.deepEqual(seen, ['message_start', 'content_block_start', 'content_block_delta']);
  });
});
