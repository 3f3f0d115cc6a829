// What the webview is sent: few and small messages, a snapshot after every gap, pages that hold whole turns.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatEvent, type ChatItem, type ChatState, emptyChat } from '../../../../../src/shared/chat';
import { type HostMessage } from '../../../../../src/shared/host-messages';
import { reduceEvents } from '../../../../../src/shared/reduce-chat';
import { countLines } from '../../../../../src/shared/writing';
import {
  createEventPoster,
  type EventPoster,
  mergeEvents,
} from '../../../../../src/vscode/chat/conversation/event-poster';
import { getAllBaseTools, createToolRegistry } from '../../../../../src/core/tools/registry';
import { createChatProjection } from '../../../../../src/core/projection/chat-projection';
import { reply, text, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';
import { chatEvent } from '../../../../support/chat-events';
import { createMemoryFiles } from '../../../../support/memory-files';
import { surroundings } from '../../../../support/surroundings';

const empty = emptyChat('s', 'default', 'm');
const textItem = (id: string, value = ''): ChatItem => ({ kind: 'text', id, text: value, streaming: value === '' });
const userItem = (id: string): ChatItem => ({
  kind: 'user',
  id,
  text: 'hi',
  attachments: [],
  images: 0,
  steering: false,
});
const add = (...items: ChatItem[]): ChatEvent[] => items.map((item) => ({ type: 'item', item }));

interface Desk {
  poster: EventPoster;
  posts: HostMessage[];
  /** The page paints all that was posted, and the wait for more events ends. */
  tick: () => void;
  /** The wait for more events ends while the page is busy. */
  tickOnly: () => void;
  /** The page paints what was posted. */
  paint: () => void;
  /** Ends the wait for a page that does not answer; gives its milliseconds. */
  runOutOfPatience: () => number;
  /** The webview's own state, built only from what was posted. */
  shown: () => ChatState | undefined;
  characters: () => number;
}

function desk(initial: ChatState = empty): Desk {
  const posts: HostMessage[] = [];
  const timers = new Map<() => void, number>();
  const poster = createEventPoster(initial, {
    post: (message) => void posts.push(structuredClone(message)),
    surroundings,
    schedule: (callback, ms) => {
      assert.ok((ms >= 16 && ms <= 33) || ms >= 1_000, 'one or two frames, or for a page that does not answer');
      timers.set(callback, ms);
      return () => timers.delete(callback);
    },
  });
  const run = (isDue: (ms: number) => boolean): number => {
    const due = [...timers].filter(([, ms]) => isDue(ms));
    for (const [callback] of due) timers.delete(callback);
    for (const [callback] of due) callback();
    return due[0]?.[1] ?? Number.NaN;
  };
  const paint = (): void => {
    const last = posts.findLast((message) => message.type === 'events' || message.type === 'snapshot');
    if (last?.type === 'events') poster.drawn(last.epoch, last.from + last.events.length);
    if (last?.type === 'snapshot') poster.drawn(last.epoch, last.seq);
  };
  const tickOnly = (): void => void run((ms) => ms < 1_000);
  return {
    poster,
    posts,
    tick: () => {
      paint();
      tickOnly();
    },
    tickOnly,
    paint,
    runOutOfPatience: () => run((ms) => ms >= 1_000),
    shown: () => {
      let state: ChatState | undefined;
      let epoch = -1;
      let next = 0;
      for (const message of posts) {
        if (message.type === 'snapshot') {
          assert.ok(message.epoch > epoch);
          ({ epoch } = message);
          next = message.seq;
          state = message.state;
        } else if (message.type === 'events') {
          assert.deepEqual([message.epoch, message.from], [epoch, next], 'no gap');
          next += message.events.length;
          state = state && reduceEvents(state, message.events);
        } else if (message.type === 'older' && state !== undefined) {
          state = { ...state, items: [...message.items, ...state.items], olderItems: message.olderItems };
        }
      }
      return state;
    },
    characters: () => posts.reduce((sum, message) => sum + JSON.stringify(message).length, 0),
  };
}

/** As a user who scrolls to the top. */
function readOlder(poster: EventPoster, shown: Desk['shown']): void {
  for (let state = shown(); (state?.olderItems ?? 0) > 0; state = shown()) {
    const loaded = state?.items.length;
    poster.older(state?.items[0]?.id ?? '');
    assert.notEqual(shown()?.items.length, loaded, 'every page has something');
  }
}

describe('event poster', () => {
  it('sends nothing before it is asked, and then a snapshot of all', () => {
    const { poster, posts, tick } = desk();
    poster.push(add(userItem('u')));
    tick();
    assert.equal(posts.length, 0);
    poster.snapshot();
    assert.ok(posts[0]?.type === 'snapshot' && posts[0].state.items.length === 1);
  });

  it('gathers what happens within a frame', () => {
    const { poster, posts, tick, shown } = desk();
    poster.snapshot();
    poster.push(add(userItem('u'), textItem('t')));
    for (const letter of 'Hello') poster.push([{ type: 'delta', id: 't', text: letter }]);
    assert.equal(posts.length, 1);
    tick();
    assert.equal(posts.length, 2);
    const [, message] = posts;
    assert.deepEqual(message?.type === 'events' && message.events.at(-1), { type: 'delta', id: 't', text: 'Hello' });
    assert.deepEqual(shown(), poster.state);
    tick();
    assert.equal(posts.length, 2);
  });

  it('keeps the webview in step through any mix of events, silences and snapshots', () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(fc.constantFrom('a', 'b'), fc.string({ minLength: 1 }))
          .map(([id, value]) => ({ kind: 'push' as const, events: [{ type: 'delta' as const, id, text: value }] })),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('a', 'b', 'c').map((id) => ({ kind: 'push' as const, events: add(textItem(id)) })),
      },
      fc.constantFrom('a', 'b').map((id) => ({ kind: 'push' as const, events: [{ type: 'remove' as const, id }] })),
      { weight: 6, arbitrary: chatEvent.map((event) => ({ kind: 'push' as const, events: [event] })) },
      {
        weight: 3,
        arbitrary: fc.constantFrom('tick', 'tickOnly', 'paint', 'patience').map((kind) => ({ kind }) as const),
      },
      fc.constant({ kind: 'silence' as const }),
      fc.constant({ kind: 'snapshot' as const }),
      fc.constant({ kind: 'reset' as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const { poster, shown, tick, tickOnly, paint, runOutOfPatience } = desk();
        const pace = { tick, tickOnly, paint, patience: runOutOfPatience };
        for (const one of steps) {
          if (one.kind === 'push') poster.push(one.events);
          else if (one.kind in pace) pace[one.kind as keyof typeof pace]();
          else if (one.kind === 'reset') poster.reset(empty);
          else poster[one.kind as 'silence' | 'snapshot']();
        }
        tick();
        poster.snapshot();
        readOlder(poster, shown);
        assert.deepEqual(shown(), poster.state);
      }),
    );
  });

  it('gives a webview that pages through a long session all of the same state, while it changes', () => {
    const change = fc.oneof(
      { weight: 3, arbitrary: fc.constant('new' as const) },
      { weight: 2, arbitrary: fc.constant('page' as const) },
      { weight: 5, arbitrary: fc.nat({ max: 249 }) },
      { weight: 2, arbitrary: chatEvent.filter(({ type }) => type !== 'item') },
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60, size: 'max' }), (changes) => {
        const { poster, shown, tick } = desk(
          reduceEvents(
            empty,
            Array.from({ length: 250 }, (_, index) =>
              add(index % 9 === 0 ? userItem(`i${index}`) : textItem(`i${index}`)),
            ).flat(),
          ),
        );
        poster.snapshot();
        changes.forEach((one, index) => {
          if (one === 'new') poster.push(add(textItem(`n${index}`)));
          else if (one === 'page') {
            tick();
            poster.older(shown()?.items[0]?.id ?? '');
          } else if (typeof one === 'number') poster.push([{ type: 'delta', id: `i${one}`, text: `${index}` }]);
          else poster.push([one]);
        });
        tick();
        assert.ok((shown()?.items.length ?? 0) > 0);
        readOlder(poster, shown);
        assert.deepEqual(shown(), poster.state);
      }),
      { numRuns: 25 },
    );
  });

  it('has one message on its way: what happens while the page draws joins, and nothing is sent twice', () => {
    const { poster, posts, tick, tickOnly, paint, shown } = desk();
    poster.snapshot();
    poster.push(add(textItem('t')));
    tick();
    assert.equal(posts.length, 2);
    for (let frame = 0; frame < 50; frame++) {
      poster.push([{ type: 'delta', id: 't', text: 'word ' }]);
      tickOnly();
    }
    assert.equal(posts.length, 2, 'the page is busy');
    const state = poster.state.items[0];
    assert.ok(state?.kind === 'text' && state.text.length === 250, 'the state is not');
    paint();
    assert.equal(posts.length, 3, 'at once, since the frame is over');
    const [, , joined] = posts;
    assert.ok(joined?.type === 'events' && joined.events.length === 1);
    assert.deepEqual(shown(), poster.state);
    poster.drawn(1, 1);
    poster.push([{ type: 'delta', id: 't', text: 'more' }]);
    tickOnly();
    assert.equal(posts.length, 3, 'that was an older message');
  });

  it('loads older items behind what is on hold', () => {
    const { poster, posts, tickOnly, shown } = desk({
      ...empty,
      items: Array.from({ length: 200 }, (_, index) => textItem(`t${index}`)),
    });
    poster.snapshot();
    poster.push([{ type: 'delta', id: 't100', text: 'late' }]);
    tickOnly();
    assert.equal(posts.length, 1);
    readOlder(poster, shown);
    assert.deepEqual(shown(), poster.state);
  });

  it('neither floods a page that never answers nor gathers without end, and a reload shows all', () => {
    const { poster, posts, tickOnly, runOutOfPatience, characters, shown } = desk();
    poster.snapshot();
    const waits: number[] = [];
    for (let call = 0; call < 40_000; call++) {
      poster.push(add(textItem(`t${call}`, 'Some words about it.')));
      if (call % 8 === 0) tickOnly();
      if (call % 8_000 === 7_999) waits.push(runOutOfPatience());
    }
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000]);
    assert.equal(posts.length, 5);
    assert.ok(characters() < 200_000, `${characters()} characters`);
    assert.equal(poster.state.items.length, 40_000);
    poster.snapshot();
    const last = shown();
    assert.deepEqual(last?.items, poster.state.items.slice(-(last?.items.length ?? 0)));
    assert.equal(posts.length, 6);
  });

  it('waits as little as ever for a page that answers again', () => {
    const { poster, posts, tick, tickOnly, runOutOfPatience } = desk();
    poster.snapshot();
    runOutOfPatience();
    poster.push(add(textItem('a')));
    tickOnly();
    assert.equal(posts.length, 2, 'nothing was on hold');
    poster.push(add(textItem('b')));
    tick();
    poster.push(add(textItem('c')));
    tickOnly();
    assert.equal(runOutOfPatience(), 2_000);
  });

  it('answers a gap with a new epoch', () => {
    const { poster, posts } = desk();
    poster.snapshot();
    poster.push(add(textItem('t', 'x')));
    poster.snapshot();
    assert.deepEqual(
      posts.map((message) => [message.type, 'epoch' in message && message.epoch]),
      [
        ['snapshot', 1],
        ['snapshot', 2],
      ],
    );
  });

  it('is still while nobody looks, and holds the state all the same', () => {
    const { poster, posts, tick } = desk();
    poster.snapshot();
    poster.silence();
    poster.push(add(textItem('t', 'x')));
    poster.surroundingsChanged();
    tick();
    assert.equal(posts.length, 1);
    assert.equal(poster.state.items.length, 1);
    poster.reset(empty);
    assert.equal(posts.length, 1);
  });

  it('drops what waits when another session is shown', () => {
    const { poster, tick, shown } = desk();
    poster.snapshot();
    poster.push(add(textItem('old', 'x')));
    poster.reset({ ...empty, sessionId: 'other' });
    tick();
    assert.deepEqual([shown()?.sessionId, shown()?.items], ['other', []]);
  });

  it('pages a long session: the end first, turns whole, and all of it in the end', () => {
    const items = Array.from({ length: 1_000 }, (_, index) =>
      index % 10 === 0 ? userItem(`u${index}`) : textItem(`t${index}`, 'some text'),
    );
    const { poster, posts, shown } = desk({ ...empty, items });
    poster.snapshot();
    let pages = 1;
    for (let state = shown(); state !== undefined && state.olderItems > 0; state = shown()) {
      assert.ok(state.items.length < items.length);
      assert.equal(state.items[0]?.kind, 'user', 'a page starts a turn');
      poster.older(state.items[0].id);
      assert.equal(posts.length, ++pages, 'each page is one answer');
    }
    assert.ok(pages >= 10);
    assert.deepEqual(shown()?.items, items);
    for (const message of posts) assert.ok('items' in message ? message.items.length <= 80 : true);
    poster.older('u0');
    poster.older('nobody');
    assert.equal(posts.length, pages);
  });

  it('ends a page early where items are large', () => {
    const items = Array.from({ length: 60 }, (_, index) => textItem(`t${index}`, 'x'.repeat(50_000)));
    const { poster, posts, characters, shown } = desk({ ...empty, items });
    poster.snapshot();
    assert.ok(characters() < 500_000);
    while ((shown()?.olderItems ?? 0) > 0) poster.older(shown()?.items[0]?.id ?? '');
    assert.deepEqual(shown()?.items, items);
    assert.ok(posts.length >= 8);
  });

  it('posts a 100 KB answer within 0.2 MB', () => {
    const { poster, tick, characters, shown } = desk();
    poster.snapshot();
    poster.push(add(textItem('msg_01ABCDEFGHJKMNPQRSTVWXYZ:0')));
    const word = 'Twenty characters, \n';
    for (let delta = 0; delta < 5_000; delta++) {
      poster.push([{ type: 'delta', id: 'msg_01ABCDEFGHJKMNPQRSTVWXYZ:0', text: word }]);
      // A fast stream: a delta every 3 ms, so eight in a frame.
      if (delta % 8 === 7) tick();
    }
    tick();
    const item = shown()?.items[0];
    assert.ok(item?.kind === 'text' && item.text.length === 100_000);
    assert.ok(characters() <= 200_000, `${characters()} characters`);
  });

  it('posts 100 turns within 540 KB', async function () {
    this.timeout(60_000);
    const { poster, tick, characters, shown } = desk();
    poster.snapshot();
    const files = createMemoryFiles({ '/w/a.txt': `${'A line of some length in a file.\n'.repeat(60)}end 0\n` });
    const model = createScriptedModel((_request, index) => {
      const turn = Math.floor(index / 3);
      if (index % 3 === 0)
        return reply(
          text(`Looking at it for the ${turn}th time. `),
          toolUse('Read', { file_path: '/w/a.txt', offset: 1 + (turn % 50) }),
        );
      if (index % 3 === 1)
        return reply(
          toolUse('Edit', { file_path: '/w/a.txt', old_string: `end ${turn}`, new_string: `end ${turn + 1}` }),
        );
      return reply(`Changed it. ${'A sentence of the answer. '.repeat(10)}`);
    });
    const registry = createToolRegistry(getAllBaseTools());
    const projection = createChatProjection({ registry, folders: [{ name: 'w', path: '/w' }] });
    const harness = createHarness({
      model,
      files,
      tools: getAllBaseTools(),
      session: { mode: 'acceptEdits' },
      onEvent: (event) => {
        poster.push(projection.project(event));
        if (event.type !== 'block_delta' && event.type !== 'input_delta') tick();
      },
    });
    for (let turn = 0; turn < 100; turn++) await harness.run(`Turn ${turn}`);
    tick();
    assert.deepEqual(model.violations, []);
    assert.equal(files.text('/w/a.txt')?.endsWith('end 100\n'), true);
    assert.equal(shown()?.items.length, 100 * 6);
    assert.ok(characters() <= 540_000, `${characters()} characters`);
  });
});

describe('a poster whose webview is gone', () => {
  it('posts nothing more, keeps what was there, and gathers nothing', () => {
    const posts: HostMessage[] = [];
    let scheduled = 0;
    const poster = createEventPoster(empty, {
      post: (message) => void posts.push(message),
      surroundings,
      schedule: () => (scheduled++, () => undefined),
    });
    poster.snapshot();
    poster.push(add(textItem('a', 'said')));
    poster.dispose();
    poster.push(add(textItem('b', 'unheard')));
    // For more events, and for the page to draw the snapshot.
    assert.deepEqual([posts.length, scheduled, poster.state.items.map(({ id }) => id)], [1, 2, ['a']]);
  });
});

describe('mergeEvents', () => {
  it('means the same as what it merges', () => {
    const id = fc.constantFrom('a', 'b');
    const event = fc.oneof(
      id.map((one): ChatEvent => ({ type: 'item', item: textItem(one) })),
      fc.tuple(id, fc.string()).map(([one, value]): ChatEvent => ({ type: 'delta', id: one, text: value })),
      fc.tuple(id, fc.string()).map(([one, detail]): ChatEvent => ({ type: 'tool', id: one, change: { detail } })),
      fc.tuple(id).map(([one]): ChatEvent => ({ type: 'tool', id: one, change: { state: 'done' } })),
      id.map((one): ChatEvent => ({ type: 'remove', id: one })),
      id.map((one): ChatEvent => ({ type: 'written', id: one })),
      fc
        .tuple(
          id,
          fc.constantFrom('removed' as const, 'added' as const),
          fc.constantFrom('x', '\n', 'ab\n', '\n\nlonger '),
          fc.nat({ max: 1_200 }),
        )
        .map(([one, part, some, times]): ChatEvent => ({
          type: 'writing',
          id: one,
          part,
          text: some.repeat(times),
          lines: countLines(some) * times,
        })),
    );
    const start = reduceEvents(
      empty,
      add(textItem('a'), {
        kind: 'tool',
        id: 'b',
        name: 'Read',
        sentence: { now: '', past: '' },
        state: 'waiting',
        readOnly: true,
        detail: '',
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40, size: 'max' }), (events) => {
        const merged = mergeEvents(events);
        assert.ok(merged.length <= events.length);
        assert.deepEqual(reduceEvents(start, merged), reduceEvents(start, events));
      }),
    );
  });
});
