// Stop, at every point of a turn: what was finished stays, every call is answered, and the next prompt is accepted.
import assert from 'node:assert/strict';
import { HostClosed } from '../../../../src/core/loop/host-closed';
import { stopPatienceMs } from '../../../../src/core/calls/stop-deadline';
import { type Message } from '../../../../src/core/wire/wire';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { askingTool, fakeTool, latch, safeTool, untilAborted } from '../../../support/fake-tools';
import { commandHook, hangingHooks } from '../../../support/hooks';
import { createManualClock } from '../../../support/manual-clock';
import {
  gate,
  heldToolUse,
  reply,
  stall,
  text,
  thinking,
  toolUse,
  type ScriptedReply,
  serverToolUse,
} from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../../support/messages-api/server';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';

describe('interruption', () => {
  let server: MessagesApi;
  let harness: Harness;
  let controller: AbortController;
  const start = async (
    script: readonly ScriptedReply[],
    options: Omit<HarnessOptions, 'model'> = {},
  ): Promise<void> => {
    server = await startMessagesApi(script);
    controller = new AbortController();
    harness = createHarness({ model: createAnthropicClient({ apiKey: 'key', baseUrl: server.url }), ...options });
  };
  /** The conversation as the next request has it. */
  const afterwards = async (): Promise<Message[]> => {
    assert.deepEqual(await harness.run('Next'), { reason: 'completed' });
    return server.requests.at(-1)?.body['messages'] as Message[];
  };
  const stop = (): void => controller.abort(new DOMException('Stopped.', 'AbortError'));

  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
    const open = harness
      .chat()
      .items.filter((item) =>
        item.kind === 'tool'
          ? item.state === 'waiting' || item.state === 'running'
          : 'streaming' in item && item.streaming,
      );
    assert.deepEqual(open, [], 'nothing looks as if it still ran');
    assert.equal(harness.chat().status, 'idle');
  });

  it('before the first byte', async () => {
    await start([stall(reply('Never'), 1, 'forever'), reply('Hello.')]);
    const turn = harness.run('Go', controller.signal);
    await server.waitForRequest(1);
    stop();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    const messages = await afterwards();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user'],
    );
    assert.deepEqual(messages[0]?.content.map((block) => block.type === 'text' && block.text.slice(0, 20)).slice(1), [
      'Go',
      '<system-reminder>\nTh',
      'Next',
    ]);
  });

  it('by a window that goes away, which is told apart from a stop', async () => {
    await start([stall(reply('Never'), 1, 'forever'), reply('Hello.')]);
    const turn = harness.run('Go', controller.signal);
    await server.waitForRequest(1);
    controller.abort(new HostClosed());
    assert.deepEqual(await turn, { reason: 'interrupted', code: 'host-closed' });
    const shownNotice = harness.chat().items.find((item) => item.kind === 'notice');
    assert.deepEqual(shownNotice?.kind === 'notice' && [shownNotice.title, shownNotice.action], [
      'Closed while Deft was working.',
      { label: 'Continue', command: 'retry' },
    ]);
    const said = JSON.stringify((await afterwards())[0]?.content);
    assert.match(said, /This turn was cut short: its chat was left, closed or reloaded\./);
    assert.doesNotMatch(said, /The user interrupted/);
  });

  /** Stops a turn whose tool hangs in this step, and waits until nobody is patient any more. */
  const stopDeaf = async (step: 'call' | 'preview'): Promise<void> => {
    const started = latch();
    const never = (): Promise<never> => {
      started.open();
      return new Promise<never>(() => undefined);
    };
    const clock = createManualClock('manual');
    await start([reply(toolUse('Deaf', {})), reply('Hello.')], {
      tools: [askingTool('Deaf', { [step]: never })],
      clock,
    });
    const turn = harness.run('Go', controller.signal);
    await started.opened;
    stop();
    await clock.sleeping(1);
    clock.advance(stopPatienceMs);
    assert.deepEqual(await turn, { reason: 'interrupted' });
  };

  it('in a tool that does not listen: the turn ends all the same, and says that it may still run', async () => {
    await stopDeaf('call');
    const result = (await afterwards()).flatMap(({ content }) =>
      content.filter((block) => block.type === 'tool_result'),
    )[0];
    assert.match(JSON.stringify(result), /interrupted by the user.*may still be running/);
    assert.deepEqual(harness.warnings, ['Deaf does not stop']);
  });

  it('in a preview that never comes', async () => {
    await stopDeaf('preview');
    await afterwards();
  });

  it('of a tool by somebody else than the user: the turn goes on', async () => {
    const cancelled = fakeTool('Cancelled', { call: () => Promise.reject(new DOMException('Gone.', 'AbortError')) });
    await start([reply(toolUse('Cancelled', {})), reply('Hello.')], { tools: [cancelled] });
    assert.deepEqual(await harness.run('Go', controller.signal), { reason: 'completed' });
    const sent = JSON.stringify(server.requests.at(-1)?.body['messages']);
    assert.match(sent, /Cancelled was cancelled before it finished/);
    assert.doesNotMatch(sent, /interrupted by the user/);
  });

  it('by a rejection without a reason: what else was being asked is asked no more', async () => {
    const asked = latch();
    let questions = 0;
    const other = { ...askingTool('Ask'), isConcurrencySafe: () => true };
    await start([reply(toolUse('Ask', {}), toolUse('Ask', {})), reply('Hello.')], {
      tools: [other],
      answer: async (_request, signal) => {
        if (++questions === 2) asked.open();
        await asked.opened;
        if (questions === 2 && _request.toolUseId === harness.approvals[0]?.toolUseId)
          return { behavior: 'deny', interrupt: true };
        return new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    assert.deepEqual(await harness.run('Go', controller.signal), { reason: 'denied' });
    const messages = await afterwards();
    const results = messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));
    assert.equal(results.length, 2);
    assert.deepEqual(harness.chat().approvals, []);
  });

  it('by a rejection without a reason while the reply streams: nothing more of it comes, and what is whole stays', async () => {
    const asked = latch();
    const half = latch();
    const never = new Promise<void>(() => undefined);
    await start(
      [
        reply(
          'I write both.',
          toolUse('Ask', {}, 't1'),
          heldToolUse('Act', { text: 'the first line, the second line' }, 'first line', never, 't2'),
        ),
        reply('Hello.'),
      ],
      {
        tools: [askingTool('Ask'), fakeTool('Act')],
        answer: async () => {
          asked.open();
          await half.opened;
          return { behavior: 'deny', interrupt: true };
        },
      },
    );
    const turn = harness.run('Go', controller.signal);
    await asked.opened;
    await harness.when(({ type }) => type === 'input_delta');
    half.open();
    assert.deepEqual(await turn, { reason: 'denied' });
    assert.equal(server.requests.length, 1);
    const messages = await afterwards();
    assert.deepEqual(
      messages
        .slice(0, 2)
        .map(({ content }) => content.map((block) => (block.type === 'tool_use' ? block.id : block.type))),
      [
        ['text', 'text'],
        ['text', 't1'],
      ],
    );
    assert.deepEqual(
      messages[2]?.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
      ['t1'],
    );
    assert.deepEqual(
      harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [`${item.id} ${item.state}`] : [])),
      ['t1 denied'],
    );
    assert.doesNotMatch(JSON.stringify(messages), /interrupted/, 'it was no stop');
  });

  it("by a rejection while a call of the API's own tool is open: the next request holds it no more", async () => {
    const asked = latch();
    const open = latch();
    const never = new Promise<void>(() => undefined);
    await start(
      [
        reply(
          'I look.',
          serverToolUse('web_search', { query: 'x' }, 'srvtoolu_1'),
          toolUse('Ask', {}, 't1'),
          text('Half of it', gate(never), ' never'),
        ),
        reply('Hello.'),
      ],
      {
        tools: [askingTool('Ask')],
        answer: async () => {
          asked.open();
          await open.opened;
          return { behavior: 'deny', interrupt: true };
        },
      },
    );
    const turn = harness.run('Go', controller.signal);
    await asked.opened;
    await harness.when((event) => event.type === 'block_delta' && event.text === 'Half of it');
    open.open();
    assert.deepEqual(await turn, { reason: 'denied' });
    const messages = await afterwards();
    assert.deepEqual(
      messages[1]?.content.flatMap((block) =>
        block.type === 'server_tool_use' ? ['open'] : block.type === 'tool_use' ? [block.id] : [],
      ),
      ['t1'],
    );
    assert.ok(
      harness
        .stored()
        .some((record) => record.type === 'system' && record.subtype === 'reply_end' && record.usage.input_tokens > 0),
      'what came is paid for and counted',
    );
  });

  it('in a text: what was read stays', async () => {
    await start([
      reply(thinking('Think.', 'sig'), text('Half of it', gate(new Promise(() => undefined)), ' never')),
      reply('Hello.'),
    ]);
    const turn = harness.run('Go', controller.signal);
    await harness.when((event) => event.type === 'block_delta' && event.text === 'Half of it');
    stop();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    const [, partial] = await afterwards();
    assert.deepEqual(
      partial?.content.map((block) => (block.type === 'text' ? block.text : block.type)),
      ['thinking', 'Half of it'],
    );
    assert.deepEqual(
      harness.chat().items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])),
      ['Half of it', 'Hello.'],
    );
  });

  it('in thinking and in the input of a call: both are dropped', async () => {
    for (const [block, events] of [
      [thinking('A longer thought, in two parts', 's'), 4],
      [toolUse('Look', { text: 'a longer text for it' }), 5],
    ] as const) {
      await start([stall(reply(block), events, 'forever'), reply('Hello.')]);
      const turn = harness.run('Go', controller.signal);
      await harness.when(({ type }) => type === 'block_started');
      stop();
      assert.deepEqual(await turn, { reason: 'interrupted' });
      assert.deepEqual(
        (await afterwards()).map(({ role }) => role),
        ['user'],
      );
      assert.deepEqual(
        harness.chat().items.map(({ kind }) => kind),
        ['user', 'notice', 'user', 'text'],
      );
      if (events === 4) await server.close();
    }
  });

  it('in a call: it is told so, those behind it never run', async () => {
    const started = latch();
    let ran = false;
    const tools = [
      fakeTool('Hang', { call: async (_input, context) => (started.open(), untilAborted(context)) }),
      fakeTool('Act', {
        call: async () => {
          ran = true;
          return { data: { said: 'x' } };
        },
      }),
      safeTool('Look'),
    ];
    await start(
      [
        reply(
          toolUse('Look', { text: 'seen' }, 't0'),
          toolUse('Hang', {}, 't1'),
          toolUse('Act', {}, 't2'),
          toolUse('Look', {}, 't3'),
        ),
        reply('Hello.'),
      ],
      { tools, clock: createManualClock('manual') },
    );
    const turn = harness.run('Go', controller.signal);
    await started.opened;
    stop();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.equal(ran, false);
    const results = (await afterwards())[2]?.content ?? [];
    assert.deepEqual(
      results.map((block) =>
        block.type === 'tool_result' ? [block.tool_use_id, block.is_error ?? false, String(block.content)] : block.type,
      ),
      [
        ['t0', false, 'seen'],
        ['t1', true, 'This call was interrupted by the user.'],
        ['t2', true, 'This call was not run: the user interrupted the turn.'],
        ['t3', true, 'This call was not run: the user interrupted the turn.'],
        'text',
        'text',
      ],
    );
    assert.deepEqual(
      harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [item.state] : [])),
      ['done', 'stopped', 'stopped', 'stopped'],
    );
  });

  it('in an approval: nothing runs, nobody is asked any more', async () => {
    const asked = latch();
    let ran = false;
    const tool = askingTool('Act', {
      call: async () => {
        ran = true;
        return { data: { said: 'x' } };
      },
    });
    await start([reply(toolUse('Act', {}, 't1')), reply('Hello.')], {
      tools: [tool],
      answer: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          asked.open();
        }),
    });
    const turn = harness.run('Go', controller.signal);
    await asked.opened;
    assert.equal(harness.chat().status, 'waiting');
    assert.equal(harness.chat().approvals.length, 1);
    stop();
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.equal(ran, false);
    assert.deepEqual(harness.chat().approvals, []);
    assert.equal((await afterwards())[2]?.content[0]?.type, 'tool_result');
    assert.ok(!harness.stored().some((record) => record.type === 'system' && record.subtype === 'tool_started'));
  });

  it('in a hook', async () => {
    const hooked = latch();
    await start([reply(toolUse('Look', {}, 't1')), reply('Hello.')], {
      ports: { clock: createManualClock('manual'), hooks: hangingHooks(hooked.open) },
      session: { hooks: () => ({ active: [commandHook('PreToolUse', 'hangs')] }) },
    });
    const turn = harness.run('Go', controller.signal);
    await hooked.opened;
    stop();
    assert.deepEqual(await turn, { reason: 'interrupted' });
  });

  it('before the turn has begun', async () => {
    await start([reply('Hello.')]);
    stop();
    assert.deepEqual(await harness.run('Go', controller.signal), { reason: 'interrupted' });
    assert.equal(server.requests.length, 0);
    await afterwards();
  });
});
