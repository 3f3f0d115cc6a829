// What is put together from a stream is what the vendor's SDK puts together from it, for every block that only the API makes.
import { BetaMessageStream } from '@anthropic-ai/sdk/lib/BetaMessageStream';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createReplyAssembler } from '../../../../src/core/model/reply-assembler';
import { type AssistantBlock, type StreamEvent } from '../../../../src/core/wire/wire';

interface Part {
  block: Record<string, unknown>;
  deltas?: Record<string, unknown>[];
}

const json = (input: unknown, size = 4): Record<string, unknown>[] =>
  ['', ...(JSON.stringify(input).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
const text = (...parts: string[]): Record<string, unknown>[] => parts.map((one) => ({ type: 'text_delta', text: one }));
const cited = (citation: unknown): Record<string, unknown> => ({ type: 'citations_delta', citation });

const webLocation = {
  type: 'web_search_result_location',
  url: 'https://example.com/a',
  title: 'A',
  encrypted_index: 'Eo8B==',
  cited_text: 'As it is written.',
};
const charLocation = {
  type: 'char_location',
  cited_text: 'x',
  document_index: 0,
  document_title: null,
  start_char_index: 0,
  end_char_index: 1,
  file_id: null,
};
const pageLocation = {
  type: 'page_location',
  cited_text: 'y',
  document_index: 1,
  document_title: 'A paper',
  start_page_number: 2,
  end_page_number: 3,
  file_id: null,
};
const resultLocation = {
  type: 'search_result_location',
  cited_text: 'z',
  source: 'notes.md',
  title: 'Notes',
  search_result_index: 0,
  start_block_index: 0,
  end_block_index: 1,
};

const parts: Record<string, Part> = {
  thinking: {
    block: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      { type: 'thinking_delta', thinking: 'hm ' },
      { type: 'thinking_delta', thinking: 'é👋' },
      { type: 'signature_delta', signature: 'c2ln' },
    ],
  },
  'server tool use': {
    block: {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'tool_search_tool_bm25',
      input: {},
      caller: { type: 'direct' },
    },
    deltas: json({ query: 'weather in "Rome"' }),
  },
  'tools found': {
    block: {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'mcp__a__b' }],
      },
    },
  },
  'no tools found': {
    block: {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'tool_search_tool_result_error', error_code: 'unavailable', error_message: null },
    },
  },
  'web pages found': {
    block: {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: [
        {
          type: 'web_search_result',
          url: 'https://example.com/a',
          title: 'A',
          encrypted_content: 'EqgfCioI==',
          page_age: null,
        },
      ],
    },
  },
  'web search failed': {
    block: {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    },
  },
  'plain text': { block: { type: 'text', text: '', citations: null }, deltas: text('Hel', 'lo.') },
  'text with citations before it': {
    block: { type: 'text', text: '', citations: [] },
    deltas: [cited(webLocation), ...text('It ', 'is so.'), cited(charLocation)],
  },
  'text with citations behind it': {
    block: { type: 'text', text: '' },
    deltas: [...text('So it is.'), cited(pageLocation), cited(resultLocation)],
  },
  'tool use': {
    block: { type: 'tool_use', id: 'toolu_1', name: 'mcp__a__b', input: {}, caller: { type: 'direct' } },
    deltas: json({ city: 'Rome', days: [1, 2], deep: { a: null } }),
  },
  'tool use without input': {
    block: { type: 'tool_use', id: 'toolu_2', name: 'Look', input: {} },
    deltas: [{ type: 'input_json_delta', partial_json: '' }],
  },
  compaction: {
    block: { type: 'compaction', content: null, encrypted_content: null },
    deltas: [{ type: 'compaction_delta', content: 'What happened so far.', encrypted_content: 'opaque' }],
  },
  'failed compaction': {
    block: { type: 'compaction', content: null },
    deltas: [{ type: 'compaction_delta', content: null }],
  },
  fallback: {
    block: {
      type: 'fallback',
      from: { model: 'claude-fable-5' },
      to: { model: 'claude-opus-5' },
      trigger: { type: 'refusal', category: 'cyber' },
    },
  },
  'call of a connector': {
    block: { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'echo', server_name: 's', input: {} },
    deltas: json({ message: 'hi' }),
  },
  'unknown block': { block: { type: 'something_new', value: { deep: [1] } } },
};

function events(chosen: readonly Part[]): StreamEvent[] {
  const blocks = chosen.flatMap(({ block, deltas = [] }, index) => [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-fable-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ] as unknown as StreamEvent[];
}

async function bySdk(chosen: readonly Part[]): Promise<{ model: string; content: unknown[] }> {
  const lines = events(chosen)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
  const stream = BetaMessageStream.fromReadableStream(new Blob([lines]).stream());
  const { model, content } = await stream.finalMessage();
  return JSON.parse(JSON.stringify({ model, content })) as { model: string; content: unknown[] };
}

function byDeft(chosen: readonly Part[]): { model: string; content: AssistantBlock[] } {
  const assembler = createReplyAssembler();
  const steps = events(chosen).flatMap((event) => assembler.accept(structuredClone(event)));
  return {
    model: assembler.model,
    content: steps.flatMap((step) => (step.type === 'block_ended' ? [step.block] : [])),
  };
}

describe('a reply put together', () => {
  for (const [name, part] of Object.entries(parts)) {
    it(`is the SDK's message: ${name}`, async () => {
      const made = byDeft([part]);
      assert.deepEqual(made, await bySdk([part]));
      // What comes whole is sent again byte for byte, in the order of its fields.
      if (part.deltas === undefined) assert.equal(JSON.stringify(made.content[0]), JSON.stringify(part.block));
    });
  }

  it("is the SDK's message for any blocks in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.values(parts)), { maxLength: 8 }), async (chosen) => {
        // Two calls of one id are given ids of their own, which is Deft's alone.
        const unique = chosen.filter(
          (part, index) => part.block['type'] !== 'tool_use' || chosen.indexOf(part) === index,
        );
        assert.deepEqual(byDeft(unique), await bySdk(unique));
      }),
      { numRuns: 60 },
    );
  });
});
