// The chat's reducer: many events at once give what one by one gives, and nothing is changed in place.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatEvent, type ChatItem, emptyChat } from '../../../src/shared/chat';
import { reduceChat, reduceEvents } from '../../../src/shared/reduce-chat';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const item: fc.Arbitrary<ChatItem> = fc.oneof(
  id.map((one): ChatItem => ({ kind: 'user', id: one, text: 'hi', attachments: [], images: 0, steering: false })),
  fc.tuple(id, fc.constantFrom('text' as const, 'thinking' as const)).map(([one, kind]): ChatItem => ({ kind, id: one, text: '', streaming: true })),
  id.map((one): ChatItem => ({ kind: 'tool', id: one, name: 'Read', sentence: { now: 'n', past: 'p' }, state: 'waiting', readOnly: true, detail: '' })),
  id.map((one): ChatItem => ({ kind: 'notice', id: one, level: 'info', title: 't', detail: '' })),
);
const event: fc.Arbitrary<ChatEvent> = fc.oneof(
  { weight: 4, arbitrary: item.map((one): ChatEvent => ({ type: 'item', item: one })) },
  { weight: 4, arbitrary: fc.tuple(id, fc.string()).map(([one, text]): ChatEvent => ({ type: 'delta', id: one, text })) },
  id.map((one): ChatEvent => ({ type: 'block_end', id: one, durationMs: 5 })),
  id.map((one): ChatEvent => ({ type: 'block_end', id: one })),
  { weight: 2, arbitrary: id.map((one): ChatEvent => ({ type: 'remove', id: one })) },
  { weight: 2, arbitrary: fc.tuple(id, fc.constantFrom('running' as const, 'done' as const)).map(([one, state]): ChatEvent => ({ type: 'tool', id: one, change: { state } })) },
  fc.constantFrom<ChatEvent>(
    { type: 'status', status: 'working' },
    { type: 'activity', text: 'Linting' },
    { type: 'queue', queue: [{ id: 'q', text: 'x' }] },
    { type: 'title', title: 'T' },
    { type: 'mode', mode: 'plan' },
    { type: 'model', model: 'm2' },
    { type: 'usage', usage: { contextTokens: 1, contextWindow: 2, costUsd: 3, costKnown: false, byModel: [] } },
    { type: 'changes', changes: [{ path: 'a', added: 1, removed: 0 }] },
    { type: 'approvals', approvals: [] },
    { type: 'questions', questions: [] },
    { type: 'todos', todos: [{ content: 'A', activeForm: 'Doing A', status: 'pending' }] },
  ),
);
const empty = emptyChat('s', 'default', 'm');

describe('reduceEvents', () => {
  it('gives for many events at once what one by one gives', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60, size: 'max' }), (events) => {
        assert.deepEqual(reduceEvents(empty, events), events.reduce(reduceChat, empty));
      }),
      { numRuns: 500 },
    );
  });

  it('changes no state in place and holds each id once', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40, size: 'max' }), fc.array(event, { maxLength: 40, size: 'max' }), (first, second) => {
        const before = reduceEvents(empty, first);
        const copy = structuredClone(before);
        const after = reduceEvents(before, second);
        assert.deepEqual(before, copy);
        assert.equal(new Set(after.items.map((one) => one.id)).size, after.items.length);
      }),
    );
  });

  it('keeps items that did not change as they are, for what draws them', () => {
    const state = reduceEvents(empty, [
      { type: 'item', item: { kind: 'text', id: 'a', text: 'x', streaming: false } },
      { type: 'item', item: { kind: 'text', id: 'b', text: '', streaming: true } },
    ]);
    const next = reduceChat(state, { type: 'delta', id: 'b', text: 'y' });
    assert.equal(next.items[0], state.items[0]);
    assert.deepEqual(next.items[1], { kind: 'text', id: 'b', text: 'y', streaming: true });
  });

  it('ignores what concerns items that are not loaded', () => {
    const events: ChatEvent[] = [{ type: 'delta', id: 'x', text: 'y' }, { type: 'remove', id: 'x' }, { type: 'tool', id: 'x', change: { state: 'done' } }, { type: 'block_end', id: 'x' }];
    assert.deepEqual(reduceEvents(empty, events), empty);
  });
});
