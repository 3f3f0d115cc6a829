// The chat's reducer: many events at once give what one by one gives, and nothing is changed in place.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatEvent, emptyChat } from '../../../src/shared/chat';
import { chatEvent as event } from '../../support/chat-events';
import { reduceChat, reduceEvents } from '../../../src/shared/reduce-chat';

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
      fc.property(
        fc.array(event, { maxLength: 40, size: 'max' }),
        fc.array(event, { maxLength: 40, size: 'max' }),
        (first, second) => {
          const before = reduceEvents(empty, first);
          const copy = structuredClone(before);
          const after = reduceEvents(before, second);
          assert.deepEqual(before, copy);
          assert.equal(new Set(after.items.map((one) => one.id)).size, after.items.length);
        },
      ),
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

  it('keeps the lines of features in the order of their ids, whichever comes or changes', () => {
    const line = (id: string, text = ''): ChatEvent => ({
      type: 'line',
      id,
      line: { id, name: id, icon: 'target', text, stop: 'Stop', stopped: 'Stopped' },
    });
    const both = reduceEvents(empty, [line('loop'), line('goal'), line('loop', 'again')]);
    assert.deepEqual(
      both.lines.map(({ id, text }) => [id, text]),
      [
        ['goal', ''],
        ['loop', 'again'],
      ],
    );
    const left = reduceChat(both, { type: 'line', id: 'goal', line: null });
    assert.deepEqual(
      left.lines.map(({ id }) => id),
      ['loop'],
    );
    assert.deepEqual(reduceChat(left, { type: 'line', id: 'goal', line: null }).lines, left.lines);
  });

  it('takes back what offers to continue once the conversation has gone on', () => {
    const paused = (id: string): ChatEvent => ({
      type: 'item',
      item: {
        kind: 'notice',
        id,
        level: 'error',
        title: 'The request failed.',
        detail: '',
        action: { label: 'Try again', command: 'retry' },
        more: [{ label: 'Select provider', command: 'selectProvider' }],
      },
    });
    const offers = (events: readonly ChatEvent[]): unknown[] =>
      reduceEvents(empty, events).items.map((item) =>
        item.kind === 'notice'
          ? [item.action, ...(item.more ?? [])].map((one) => one && 'command' in one && one.command)
          : [],
      );
    const note: ChatEvent = {
      type: 'item',
      item: { kind: 'notice', id: 'n', level: 'info', title: 'A fact.', detail: '' },
    };
    const said: ChatEvent = { type: 'item', item: { kind: 'text', id: 't', text: 'On I go.', streaming: true } };
    assert.deepEqual(offers([paused('a'), note]), [['retry', 'selectProvider'], [undefined]]);
    assert.deepEqual(offers([paused('a'), note, said]), [['selectProvider'], [undefined], []]);
    assert.deepEqual(offers([paused('a'), { type: 'status', status: 'working' }]), [['selectProvider']]);
    assert.deepEqual(offers([paused('a'), paused('b')]), [['selectProvider'], ['retry', 'selectProvider']]);
    assert.deepEqual(offers([paused('a'), said, paused('b')]), [['selectProvider'], [], ['retry', 'selectProvider']]);
  });

  it('ignores what concerns items that are not loaded', () => {
    const events: ChatEvent[] = [
      { type: 'delta', id: 'x', text: 'y' },
      { type: 'remove', id: 'x' },
      { type: 'tool', id: 'x', change: { state: 'done' } },
      { type: 'block_end', id: 'x' },
    ];
    assert.deepEqual(reduceEvents(empty, events), empty);
  });
});
