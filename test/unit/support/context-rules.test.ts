// The scripted API's rules of context management: what it refuses, and what it clears.
import assert from 'node:assert/strict';
import { applyEdits, validateContext } from '../../support/messages-api/context-management';

const editing = 'context-management-2025-06-27';
const compact = 'compact-2026-01-12';
const thinking = { type: 'clear_thinking_20251015', keep: 'all' };
const results = { type: 'clear_tool_uses_20250919' };
const body = (edits: readonly object[], more: object = {}) => ({
  messages: [],
  thinking: { type: 'adaptive' },
  context_management: { edits },
  ...more,
});
const rules = (edits: readonly object[], betas: readonly string[], more: object = {}) =>
  validateContext(body(edits, more), betas, []).map(({ rule }) => rule);

describe('context management of the scripted API', () => {
  it('wants thinking first, each edit once, known kinds, and the beta of each', () => {
    assert.deepEqual(rules([thinking, results], [editing]), []);
    assert.deepEqual(rules([results, thinking], [editing]), ['context-order']);
    assert.deepEqual(rules([results, results], [editing]), ['context-edit']);
    assert.deepEqual(rules([{ type: 'clear_all' }], [editing]), ['context-edit']);
    assert.deepEqual(rules([results], [compact]), ['context-beta']);
    assert.deepEqual(rules([{ type: 'compact_20260112' }], [editing]), ['context-beta']);
    assert.deepEqual(rules([thinking], [editing], { thinking: undefined }), ['context-thinking']);
    assert.deepEqual(
      rules([{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 49_999 } }], [compact]),
      ['context-trigger'],
    );
  });

  it('takes its own summary back as it was, with its beta', () => {
    const block = { type: 'compaction', content: 'Sum.', encrypted_content: 'x' };
    const sent = [{ blocks: [{ type: 'compaction' as const, content: 'Sum.', encrypted: 'x' }] }];
    const check = (one: object, betas: readonly string[]) =>
      validateContext({ messages: [{ role: 'assistant', content: [one] }] }, betas, sent).map(({ rule }) => rule);
    assert.deepEqual(check(block, [compact]), []);
    assert.deepEqual(check({ ...block, content: 'Another.' }, [compact]), ['compaction-changed']);
    assert.deepEqual(check(block, []), ['compaction-beta']);
  });

  it('clears the oldest results beyond those to keep, but for tools that keep theirs', () => {
    const calls = ['a', 'b', 'c', 'd'].map((id) => ({
      type: 'tool_use',
      id,
      name: id === 'b' ? 'TodoWrite' : 'Read',
      input: {},
    }));
    const answers = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(40) }));
    const messages = [
      { role: 'assistant', content: calls },
      { role: 'user', content: answers },
    ];
    const edit = { ...results, keep: { type: 'tool_uses', value: 1 }, exclude_tools: ['TodoWrite'] };
    assert.deepEqual(applyEdits({ messages, context_management: { edits: [edit] } }), {
      applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 22 }],
    });
    assert.equal(applyEdits({ messages }), undefined);
  });
});
