// The turn loop over real HTTP: what goes back to the model after each reply, block by block.
import assert from 'node:assert/strict';
import { type Message, type StreamEvent } from '../../../../src/core/wire/wire';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { fakeTool, latch, safeTool, said } from '../../../support/fake-tools';
import {
  gate,
  redactedThinking,
  reply,
  text,
  thinking,
  toolUse,
  type ScriptedReply,
} from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi, type MessagesApiOptions } from '../../../support/messages-api/server';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt, type Harness, type HarnessOptions } from '../../../support/session-harness';

describe('turn loop over HTTP', () => {
  let server: MessagesApi;
  let harness: Harness;

  const start = async (
    script: readonly ScriptedReply[],
    options: Omit<HarnessOptions, 'model'> = {},
    api: MessagesApiOptions = {},
  ): Promise<void> => {
    server = await startMessagesApi(script, api);
    harness = createHarness({ model: createAnthropicClient({ apiKey: 'key', baseUrl: server.url }), ...options });
  };
  const messages = (request: number): Message[] =>
    withoutMarks(server.requests[request]?.body['messages'] as Message[]);

  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
  });

  it('goes three rounds, ids and thinking as they came', async () => {
    const first = [
      thinking('Look first. ✓', 'c2lnLTE='),
      redactedThinking('b3BhcXVl'),
      text('Looking.'),
      toolUse('Look', { text: 'one' }, 'toolu_A-1'),
    ];
    await start([
      reply(...first),
      reply(thinking('', 'sig-2'), toolUse('Act', { text: 'two' }, 'toolu_B_2')),
      reply('Done.'),
    ]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(server.requests.length, 3);
    const sent = messages(2);
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.deepEqual(sent[1]?.content, [
      { type: 'thinking', thinking: 'Look first. ✓', signature: 'c2lnLTE=' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'toolu_A-1', name: 'Look', input: { text: 'one' } },
    ]);
    assert.deepEqual(sent[2]?.content, [{ type: 'tool_result', tool_use_id: 'toolu_A-1', content: 'one' }]);
    assert.deepEqual(sent[3]?.content, [
      { type: 'thinking', thinking: '', signature: 'sig-2' },
      { type: 'tool_use', id: 'toolu_B_2', name: 'Act', input: { text: 'two' } },
    ]);
    assert.deepEqual(sent[4]?.content, [{ type: 'tool_result', tool_use_id: 'toolu_B_2', content: 'two' }]);
    assert.deepEqual(messages(1), sent.slice(0, 3), 'a later request only adds to an earlier one');
  });

  it('sends the results of one reply in one message, in call order, whatever ends first', async () => {
    const gates = [latch(), latch(), latch()];
    const order: string[] = [];
    const slow = safeTool('Slow', {
      call: async ({ text: name = '' }) => {
        await gates[Number(name)]?.opened;
        order.push(name);
        gates[Number(name) - 1]?.open();
        return said(name);
      },
    });
    const calls = ['0', '1', '2'].map((name) => toolUse('Slow', { text: name }, `t${name}`));
    await start([reply('Three.', ...calls), reply('Done.')], { tools: [slow] });
    gates[2]?.open();
    await harness.run('Go');
    assert.deepEqual(order, ['2', '1', '0']);
    const last = messages(1).at(-1);
    assert.deepEqual(last, {
      role: 'user',
      content: ['0', '1', '2'].map((name) => ({ type: 'tool_result', tool_use_id: `t${name}`, content: name })),
    });
  });

  it('puts results before all text: what tools add, reminders, and what the user typed meanwhile', async () => {
    const tool = fakeTool('Act', {
      call: async () => {
        harness.session.remind('A command ended.');
        harness.session.steer(prompt('Use tabs.'));
        harness.session.steer(prompt('And hurry.'));
        return { data: { said: 'done' }, newMessages: [{ type: 'text', text: 'Added by the tool.' }] };
      },
    });
    await start([reply(toolUse('Act', {}, 't1'), toolUse('Act', { text: 'x' }, 't2')), reply('Fine.')], {
      tools: [tool],
    });
    await harness.run('Go');
    const content = messages(1).at(-1)?.content ?? [];
    assert.deepEqual(
      content.map((block) => (block.type === 'text' ? block.text : block.type)),
      [
        'tool_result',
        'tool_result',
        'Added by the tool.',
        'Added by the tool.',
        '<system-reminder>\nA command ended.\n</system-reminder>',
        '<system-reminder>\nA command ended.\n</system-reminder>',
        'Use tabs.',
        'And hurry.',
        'Use tabs.',
        'And hurry.',
      ],
    );
    assert.equal(harness.session.pending.waiting.length, 0);
    assert.deepEqual(harness.chat().queue, []);
    assert.equal(harness.chat().items.filter((item) => item.kind === 'user' && item.steering).length, 4);
  });

  it('goes on when the user spoke during an answer without calls', async () => {
    const held = latch();
    await start([reply(text('Half', gate(held.opened), ' done.')), reply('Also done.')]);
    const turn = harness.run('Go');
    await server.waitForRequest(1);
    harness.session.steer(prompt('One more thing.'));
    held.open();
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(messages(1).slice(-2), [
      { role: 'assistant', content: [{ type: 'text', text: 'Half done.' }] },
      { role: 'user', content: [{ type: 'text', text: 'One more thing.' }] },
    ]);
  });

  it('goes on when whoever hears of a result throws', async () => {
    await start([reply(toolUse('Act', { text: 'one' }, 't1')), reply('Done.')], {
      onEvent: (event) => {
        if (event.type === 'record' && event.record.type === 'user' && event.record.toolUseResult !== undefined)
          throw new Error('a fault of Deft');
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(messages(1).at(-1)?.content, [{ type: 'tool_result', tool_use_id: 't1', content: 'one' }]);
    assert.deepEqual(harness.warnings, ['Reporting a result of Act failed']);
  });

  it('does not deliver a message that was taken back', async () => {
    const tool = fakeTool('Act', {
      call: async () => {
        const id = harness.session.steer(prompt('Never mind.'));
        assert.equal(harness.session.pending.takeBack(id)?.display.text, 'Never mind.');
        assert.equal(harness.session.pending.takeBack(id), undefined);
        return said('ok');
      },
    });
    await start([reply(toolUse('Act', {}, 't1')), reply('Done.')], { tools: [tool] });
    await harness.run('Go');
    assert.deepEqual(messages(1).at(-1)?.content, [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]);
  });

  it('starts a tool while its reply still streams', async () => {
    const started = latch();
    const tool = safeTool('Look', {
      call: async () => {
        started.open();
        return said('seen');
      },
    });
    // The reply continues only once the tool has run: without streaming execution this would never end.
    await start([reply(toolUse('Look', {}, 't1'), text('Meanwhile', gate(started.opened), ' on.')), reply('Done.')], {
      tools: [tool],
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      messages(1)[1]?.content.map(({ type }) => type),
      ['tool_use', 'text'],
    );
  });

  for (const chunking of [1, 7, 64] as const) {
    it(`reads a stream in chunks of ${chunking} bytes`, async () => {
      const input = { text: 'Grüße, 世界 👩‍💻 "quoted" \\ \n end' };
      const blocks = [
        thinking('Ünïcode 🧠', 'sig'),
        text('Zeichen: 👍🏽 fertig'),
        toolUse('Look', input, 't1'),
        toolUse('Look', {}, 't2'),
      ];
      await start([reply(...blocks), reply('ok')], {}, { chunking, deltaSize: 3 });
      await harness.run('Go');
      assert.deepEqual(messages(1)[1]?.content, [
        { type: 'thinking', thinking: 'Ünïcode 🧠', signature: 'sig' },
        { type: 'text', text: 'Zeichen: 👍🏽 fertig' },
        { type: 'tool_use', id: 't1', name: 'Look', input },
        { type: 'tool_use', id: 't2', name: 'Look', input: {} },
      ]);
    });
  }

  it('tells each finished block at once, and usage with its reply', async () => {
    const held = latch();
    await start(
      [
        reply('First.', toolUse('Look', {}, 't1'), text('Later', gate(held.opened))),
        { ...reply('Done.'), usage: { input_tokens: 70, output_tokens: 7, cache_read_input_tokens: 1_000 } },
      ],
      {
        tools: [
          safeTool('Look', {
            call: async () => {
              const kinds = harness.session.records.flatMap((record) =>
                record.type === 'assistant' ? record.message.content.map(({ type }) => type) : [],
              );
              assert.deepEqual(kinds, ['text', 'tool_use']);
              held.open();
              return said('seen');
            },
          }),
        ],
      },
    );
    await harness.run('Go');
    const ends = harness
      .stored()
      .flatMap((record) => (record.type === 'system' && record.subtype === 'reply_end' ? [record] : []));
    assert.deepEqual(
      ends.map(({ stopReason }) => stopReason),
      ['tool_use', 'end_turn'],
    );
    assert.deepEqual(ends[1]?.usage, {
      input_tokens: 70,
      output_tokens: 7,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1_000,
    });
  });

  it('asks as the API wants it', async () => {
    await start([reply('Hello.')]);
    await harness.run('Hello');
    const { body, headers } = server.requests[0] ?? assert.fail('no request');
    assert.deepEqual(Object.keys(body).sort(), [
      'max_tokens',
      'messages',
      'metadata',
      'model',
      'stream',
      'system',
      'thinking',
      'tools',
    ]);
    assert.equal(body['stream'], true);
    assert.deepEqual(body['thinking'], { type: 'adaptive', display: 'summarized' });
    assert.equal(headers['anthropic-beta'], undefined);
    assert.deepEqual(
      (body['tools'] as { name: string }[]).map(({ name }) => name),
      ['Look', 'Act'],
    );
  });

  it('stops after the turns it may take', async () => {
    await start([reply(toolUse('Look', {}, 't1')), reply(toolUse('Look', {}, 't2'))], { session: { maxTurns: 2 } });
    assert.equal((await harness.run('Go')).reason, 'max_turns');
    assert.equal(server.requests.length, 2);
  });

  it('runs one turn at a time', async () => {
    await start([reply('Hello.')]);
    const turn = harness.run('Go');
    await assert.rejects(harness.run('Again'), /running/);
    assert.deepEqual(await turn, { reason: 'completed' });
  });
});

describe('a server that says less than the API', () => {
  it('gets by without id and model in message_start, reply by reply', async () => {
    const scripted = createScriptedModel([reply(toolUse('Look', { text: 'one' })), reply('Done.')]);
    const bare: typeof scripted = {
      ...scripted,
      async *stream(...asked: Parameters<typeof scripted.stream>) {
        for await (const event of scripted.stream(...asked))
          yield event.type === 'message_start' ? ({ type: 'message_start', message: {} } as StreamEvent) : event;
      },
    };
    const harness = createHarness({ model: bare, tools: [safeTool('Look')] });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const replies = harness.stored().flatMap((record) => (record.type === 'assistant' ? [record.message] : []));
    assert.deepEqual(
      replies.map(({ model }) => model),
      ['claude-opus-5', 'claude-opus-5'],
    );
    assert.equal(new Set(replies.map(({ id }) => id)).size, 2, 'two replies are not taken for one');
    assert.ok(replies.every(({ id }) => id !== ''));
  });
});

function withoutMarks(messages: Message[]): Message[] {
  return JSON.parse(
    JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  ) as Message[];
}
