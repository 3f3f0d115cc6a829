// What the API says of its edits: which results went, what a compaction took, and its block as it came.
import assert from 'node:assert/strict';
import { clearedBy, compactionUsage } from '../../../../src/core/wire/context-edits';
import { createReplyAssembler } from '../../../../src/core/model/reply-assembler';
import { type Message } from '../../../../src/core/wire/wire';

const call = (id: string, name = 'Read'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: {} }],
});
const messages = [call('a'), call('b', 'TodoWrite'), call('c'), call('d')];
const context_management = { edits: [{ type: 'clear_tool_uses_20250919' as const, exclude_tools: ['TodoWrite'] }] };

describe('edits of the context', () => {
  it('name the last call whose result went, but for tools that keep theirs', () => {
    const answer = {
      applied_edits: [
        { type: 'clear_thinking_20251015', cleared_thinking_turns: 3, cleared_input_tokens: 5 },
        { type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 40 },
      ],
    };
    assert.deepEqual(clearedBy({ messages, context_management }, answer), {
      toolUses: 2,
      thinkingTurns: 3,
      tokens: 45,
      through: 'c',
    });
  });

  it('are none where nothing went, whatever is said', () => {
    for (const answer of [
      undefined,
      null,
      {},
      { applied_edits: [] },
      { applied_edits: 'x' },
      { applied_edits: [null, { cleared_tool_uses: -1 }, { cleared_tool_uses: 'two' }] },
    ])
      assert.equal(clearedBy({ messages, context_management }, answer), undefined);
    assert.deepEqual(clearedBy({ messages }, { applied_edits: [{ cleared_tool_uses: 9 }] }), {
      toolUses: 9,
      thinkingTurns: 0,
      tokens: 0,
    });
  });

  it('take tokens that the counts of the reply leave out', () => {
    const one = {
      type: 'compaction',
      input_tokens: 10,
      output_tokens: 2,
      cache_creation_input_tokens: 1,
      cache_read_input_tokens: 5,
    };
    assert.deepEqual(compactionUsage([one, { ...one, type: 'message' }, one]), {
      input_tokens: 20,
      output_tokens: 4,
      cache_creation_input_tokens: 2,
      cache_read_input_tokens: 10,
    });
    for (const none of [undefined, null, [], [{ type: 'message', input_tokens: 1 }]])
      assert.equal(compactionUsage(none), undefined);
  });

  it('take them with how long what they wrote is kept, and at the speed of the request', () => {
    const one = {
      type: 'compaction',
      input_tokens: 10,
      output_tokens: 2,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
    };
    const sum = {
      input_tokens: 20,
      output_tokens: 4,
      cache_creation_input_tokens: 14,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 6, ephemeral_1h_input_tokens: 8 },
    };
    assert.deepEqual(compactionUsage([one, one]), sum);
    assert.deepEqual(compactionUsage([one, { ...one, type: 'message' }, one], 'fast'), { ...sum, speed: 'fast' });
  });

  it('leave a block that is kept with everything in it', () => {
    const reply = createReplyAssembler();
    const start = { type: 'compaction' as const, content: null, signature: 's', tool_changes: [] };
    const steps = [
      ...reply.accept({ type: 'content_block_start', index: 0, content_block: start }),
      ...reply.accept({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'compaction_delta', content: 'Sum.', encrypted_content: 'e' },
      }),
      ...reply.accept({ type: 'content_block_stop', index: 0 }),
    ];
    assert.deepEqual(steps.at(-1), {
      type: 'block_ended',
      index: 0,
      block: { type: 'compaction', content: 'Sum.', signature: 's', tool_changes: [], encrypted_content: 'e' },
    });
  });
});
