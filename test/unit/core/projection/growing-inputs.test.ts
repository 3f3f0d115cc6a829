// What calls are going to write, in the chat while they are written: file first, then the lines, never more than a card shows, nothing left behind.
import assert from 'node:assert/strict';
import { type SessionEvent } from '../../../../src/core/events/session-event';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { notebookEditTool } from '../../../../src/core/tools/notebook/notebook-edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { type ChatEvent, type ChatState, emptyChat, type ToolItem } from '../../../../src/shared/chat';
import { type HostMessage } from '../../../../src/shared/host-messages';
import { reduceEvents } from '../../../../src/shared/reduce-chat';
import { keptChars, linesWritten } from '../../../../src/shared/writing';
import { createEventPoster } from '../../../../src/vscode/chat/conversation/event-poster';
import {
  brokenToolUse,
  cutToolUse,
  dropAfter,
  gate,
  reply,
  toolUse,
  withFields,
} from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const tools = [readTool, editTool, writeTool, notebookEditTool];
const folders = [{ name: 'w', path: '/w' }];

/** The tool items after each event, where they changed. */
function shown(events: readonly SessionEvent[]): ToolItem[][] {
  const projection = createChatProjection({ registry: createToolRegistry(tools), folders });
  let state = emptyChat('session-1', 'default', 'm');
  const seen: ToolItem[][] = [];
  for (const event of events) {
    state = reduceEvents(state, projection.project(event));
    const items = state.items.filter((item) => item.kind === 'tool');
    if (JSON.stringify(items) !== JSON.stringify(seen.at(-1))) seen.push(items);
  }
  return seen;
}

const writingOf = (states: ToolItem[][]): string[] =>
  states.flatMap(([item]) =>
    item?.writing === undefined ? [] : [`${item.sentence.now} -${item.writing.removed} +${item.writing.added}`],
  );

async function run(...replies: Parameters<typeof createScriptedModel>[0] & readonly unknown[]): Promise<Harness> {
  const harness = createHarness({ model: createScriptedModel(replies as never, { deltaSize: 5 }), tools });
  await harness.run('Do it');
  return harness;
}

describe('growing inputs', () => {
  it('of Write show the file, then the lines as they come, then what was written', async () => {
    const harness = await run(
      reply(toolUse('Write', { file_path: '/w/new.txt', content: 'one\ntwo\nthree\n' })),
      reply('Done.'),
    );
    const states = shown(harness.events);
    const texts = writingOf(states);
    assert.equal(texts[0], 'Writing new.txt … - +');
    assert.ok(texts.some((text) => /^Writing new\.txt … - \+one\nt/.test(text)));
    assert.ok(texts.at(-1)?.endsWith('+one\ntwo\nthree\n'));
    const last = states.at(-1)?.[0];
    assert.deepEqual([last?.state, last?.view?.kind, last?.writing], ['done', 'diff', undefined]);
    const order = harness.events.map((event) => event.type);
    assert.ok(
      order.indexOf('approval_asked') > order.lastIndexOf('input_delta'),
      'nothing is asked before the call is whole',
    );
  });

  it('of Edit show lines that go and lines that come; an approval takes their place', async () => {
    const harness = await run(
      reply(toolUse('Read', { file_path: '/w/a.txt' }, 'r1')),
      reply(toolUse('Edit', { file_path: '/w/a.txt', old_string: 'one\n', new_string: 'two\nthree\n' }, 'x1')),
      reply('Done.'),
    );
    const states = shown(harness.events)
      .map((items) => items.filter(({ id }) => id === 'x1'))
      .filter(({ length }) => length > 0);
    assert.ok(writingOf(states).includes('Writing a.txt … -one\n +two\nthree\n'));
    // Whole: its own sentence, and still what was seen of it.
    assert.ok(writingOf(states).includes('Editing a.txt -one\n +two\nthree\n'));
    const asked = harness.events.findIndex(({ type }) => type === 'approval_asked');
    const before = shown(harness.events.slice(0, asked + 1))
      .at(-1)
      ?.find(({ id }) => id === 'x1');
    assert.deepEqual([before?.state, before?.writing], ['waiting', undefined]);
    assert.equal(writingOf(states.slice(0, 1)).length, 0, 'nothing before the file is known');
  });

  it('of NotebookEdit show the source, and tools that write nothing show nothing', async () => {
    const harness = await run(
      reply(
        toolUse('NotebookEdit', { notebook_path: '/w/n.ipynb', new_source: 'x = 1\ny = 2\n' }),
        toolUse('Read', { file_path: '/w/a.txt' }),
      ),
      reply('Done.'),
    );
    const states = shown(harness.events);
    assert.ok(writingOf(states).some((text) => text.startsWith('Writing n.ipynb … - +x = 1\n')));
    assert.ok(states.every((items) => items.every(({ name, writing }) => name !== 'Read' || writing === undefined)));
  });

  it('show what comes where all of it comes late, in one piece', async () => {
    const model = createScriptedModel(
      [reply(toolUse('Write', { file_path: '/w/new.txt', content: 'x'.repeat(9) + '\n'.repeat(3) })), reply('Done.')],
      { deltaSize: 100_000 },
    );
    const harness = createHarness({ model, tools });
    await harness.run('Do it');
    assert.deepEqual(writingOf(shown(harness.events)).slice(-1), ['Writing new.txt - +xxxxxxxxx\n\n\n']);
  });

  it('leave nothing behind where the output limit cuts them, the stream breaks or the user stops', async () => {
    const cutShort = await run(
      reply(brokenToolUse('Write', '{"file_path":"/w/new.txt","content":"on', 'b1')),
      reply('Done.'),
    );
    const broken = await run(
      dropAfter(reply(toolUse('Write', { file_path: '/w/new.txt', content: 'one' }, 'b1')), { events: 9 }),
      reply('Done.'),
    );
    const stop = new AbortController();
    const stopped = createHarness({
      model: createScriptedModel(
        [reply(toolUse('Write', { file_path: '/w/n.txt', content: 'one' }, 'b1'), gate(new Promise(() => undefined)))],
        { deltaSize: 5 },
      ),
      tools,
      onEvent: (event) => void (event.type === 'input_delta' && event.json.includes('one') && stop.abort()),
    });
    await stopped.run('Do it', stop.signal);
    for (const harness of [cutShort, broken, stopped]) {
      const states = shown(harness.events);
      assert.ok(writingOf(states).length > 0);
      assert.deepEqual(states.at(-1), []);
      assert.deepEqual(harness.approvals, []);
      assert.equal(harness.files.calls.filter((call) => call.startsWith('write')).length, 0);
    }
  });

  it('whose JSON breaks at the output limit, its block ended, are asked for again with more room', async () => {
    // As with eager streaming: unchecked pieces, and a stop behind them.
    const cut = cutToolUse('Write', '{"file_path":"/w/new.txt","content":"half', 'b1');
    const model = createScriptedModel(
      [
        withFields(reply(cut), { stopReason: 'max_tokens' }),
        reply(toolUse('Write', { file_path: '/w/new.txt', content: 'whole' }, 'b2')),
        reply('Done.'),
      ],
      { provider: 'anthropic' },
    );
    const harness = createHarness({ model, tools });
    await harness.run('Do it');
    assert.deepEqual(model.violations, []);
    assert.equal(model.requests[1]?.max_tokens, 2 * (model.requests[0]?.max_tokens ?? 0));
    assert.deepEqual(
      harness.approvals.map(({ toolUseId }) => toolUseId),
      ['b2'],
    );
    assert.ok(
      model.requests.every(({ tools: sent }) =>
        sent.every((tool) => 'eager_input_streaming' in tool === ['Edit', 'Write', 'NotebookEdit'].includes(tool.name)),
      ),
    );
  });
});

describe('a long text that is written', () => {
  const text = Array.from(
    { length: 10_000 },
    (_, line) => `  const value${line} = compute("${line}"); // some words\n`,
  ).join('');
  const events = (size: number): SessionEvent[] => {
    const json = JSON.stringify({ file_path: '/w/long.ts', content: text });
    const pieces = json.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    return [
      { type: 'block_started', id: 'm:0', block: { type: 'tool_use', id: 't1', name: 'Write', input: {} } },
      ...pieces.map((piece): SessionEvent => ({ type: 'input_delta', id: 'm:0', json: piece })),
    ];
  };
  /** What a webview gets of it: posted after each `every` events, as a timer would. */
  const post = (size: number, every: number): { bytes: number; state: ChatState; most: number } => {
    const messages: HostMessage[] = [];
    let due: (() => void) | undefined;
    const poster = createEventPoster(emptyChat('s', 'default', 'm'), {
      post: (message) => void messages.push(message),
      surroundings: () => ({}) as never,
      schedule: (callback) => ((due = callback), () => (due = undefined)),
    });
    poster.snapshot();
    const projection = createChatProjection({ registry: createToolRegistry(tools), folders });
    events(size).forEach((event, index) => {
      poster.push(projection.project(event));
      if (index % every === 0) due?.();
    });
    due?.();
    const sizes = messages.slice(1).map((message) => JSON.stringify(message).length);
    return { bytes: sizes.reduce((sum, one) => sum + one, 0), most: Math.max(...sizes), state: poster.state };
  };

  for (const [size, every] of [
    [5, 40],
    [40, 10],
    [400, 1],
    [5, 100_000],
  ] as const) {
    it(`is posted in at most twice its bytes, in pieces of ${size} characters, ${every} at once`, () => {
      const { bytes, state } = post(size, every);
      assert.ok(bytes <= 2 * text.length, `${bytes} bytes for ${text.length}`);
      const [item] = state.items;
      assert.ok(item?.kind === 'tool' && item.writing !== undefined);
      assert.equal(linesWritten(item.writing), 10_000);
      assert.ok(text.endsWith(item.writing.added) && item.writing.added.length <= keptChars);
      assert.ok(item.writing.added.split('\n').length <= 32);
    });
  }

  it('is posted as its end alone where all of it comes at once', () =>
    assert.ok(post(10_000_000, 1).most < 2 * keptChars));

  it('has an end that is the same in the host and in the webview, however events are merged', () => {
    const projection = createChatProjection({ registry: createToolRegistry(tools), folders });
    const all: ChatEvent[] = events(33).flatMap((event) => projection.project(event));
    const item = reduceEvents(emptyChat('s', 'default', 'm'), all).items[0];
    assert.ok(item?.kind === 'tool');
    const posted = post(33, 7).state.items[0];
    assert.ok(posted?.kind === 'tool');
    assert.deepEqual(posted.writing?.addedLines, item.writing?.addedLines);
    assert.ok(text.endsWith(posted.writing?.added ?? '?') && text.endsWith(item.writing?.added ?? '?'));
  });
});
