// Token counts from the stream: later ones replace earlier ones, nulls say nothing, and what costs hang on is kept.
import assert from 'node:assert/strict';
import { createReplyAssembler } from '../../../../src/core/model/reply-assembler';
import { addUsage, noUsage, sumUsage } from '../../../../src/core/model/usage';

describe('usage', () => {
  it('is taken from the events of a stream, with writes by how long they last, searches and speed', () => {
    const reply = createReplyAssembler();
    const input = { input_tokens: 5, cache_creation_input_tokens: 30, cache_read_input_tokens: 7, output_tokens: 1 };
    reply.accept({
      type: 'message_start',
      message: {
        id: 'm',
        model: 'claude-opus-5-5',
        usage: {
          ...input,
          cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
          server_tool_use: null,
          speed: 'fast',
        },
      },
    });
    reply.accept({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 9, input_tokens: null, server_tool_use: { web_search_requests: 2 } },
    });
    assert.deepEqual(reply.usage, {
      ...input,
      output_tokens: 9,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      server_tool_use: { web_search_requests: 2 },
      speed: 'fast',
    });
  });

  it('has the four counts alone where no more is said', () => {
    const usage = noUsage();
    addUsage(usage, {
      output_tokens: 3,
      cache_creation: null,
      server_tool_use: { web_search_requests: 0 },
      speed: 'standard',
    });
    addUsage(usage, undefined);
    assert.deepEqual(usage, {
      input_tokens: 0,
      output_tokens: 3,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
  });

  it('adds up', () => {
    const one = {
      ...noUsage(),
      input_tokens: 1,
      cache_creation_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 3 },
    };
    const other = { ...noUsage(), output_tokens: 2, server_tool_use: { web_search_requests: 1 } };
    assert.deepEqual(sumUsage(sumUsage(one, other), one), {
      ...noUsage(),
      input_tokens: 2,
      output_tokens: 2,
      cache_creation_input_tokens: 8,
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 6 },
      server_tool_use: { web_search_requests: 1 },
    });
    assert.deepEqual(sumUsage(noUsage(), noUsage()), noUsage());
  });
});
