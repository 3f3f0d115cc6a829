// Events of a chat, of every kind, for property tests.
import fc from 'fast-check';
import { type ChatEvent, type ChatItem } from '../../src/shared/chat';
import { countLines } from '../../src/shared/writing';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const item: fc.Arbitrary<ChatItem> = fc.oneof(
  id.map((one): ChatItem => ({ kind: 'user', id: one, text: 'hi', attachments: [], images: 0, steering: false })),
  fc
    .tuple(id, fc.constantFrom('text' as const, 'thinking' as const))
    .map(([one, kind]): ChatItem => ({ kind, id: one, text: '', streaming: true })),
  id.map((one): ChatItem => ({
    kind: 'tool',
    id: one,
    name: 'Read',
    sentence: { now: 'n', past: 'p' },
    state: 'waiting',
    readOnly: true,
    detail: '',
  })),
  id.map((one): ChatItem => ({ kind: 'notice', id: one, level: 'info', title: 't', detail: '' })),
  id.map((one): ChatItem => ({
    kind: 'notice',
    id: one,
    level: 'error',
    title: 't',
    detail: '',
    action: { label: 'Try again', command: 'retry' },
  })),
);
/** Short and long ones, few lines and many. */
const written = fc
  .tuple(fc.string({ maxLength: 9 }), fc.constantFrom('', '\n', '\n\n\n'), fc.nat({ max: 900 }))
  .map(([text, end, times]) => `${text}${end}`.repeat(times));
/** Items share five ids, so that events meet. */
export const chatEvent: fc.Arbitrary<ChatEvent> = fc.oneof(
  { weight: 4, arbitrary: item.map((one): ChatEvent => ({ type: 'item', item: one })) },
  {
    weight: 4,
    arbitrary: fc.tuple(id, fc.string()).map(([one, text]): ChatEvent => ({ type: 'delta', id: one, text })),
  },
  id.map((one): ChatEvent => ({ type: 'block_end', id: one, durationMs: 5 })),
  id.map((one): ChatEvent => ({ type: 'block_end', id: one })),
  { weight: 2, arbitrary: id.map((one): ChatEvent => ({ type: 'remove', id: one })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, fc.constantFrom('running' as const, 'done' as const))
      .map(([one, state]): ChatEvent => ({ type: 'tool', id: one, change: { state } })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(id, fc.constantFrom('removed' as const, 'added' as const), written)
      .map(([one, part, text]): ChatEvent => ({ type: 'writing', id: one, part, text, lines: countLines(text) })),
  },
  id.map((one): ChatEvent => ({ type: 'written', id: one })),
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
