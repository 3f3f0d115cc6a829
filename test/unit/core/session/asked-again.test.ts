// A window that goes away while a call waits for the user: once its session is opened again they are asked again, and no reply is paid for twice.
import assert from 'node:assert/strict';
import { HostClosed } from '../../../../src/core/loop/host-closed';
import { waitingCalls } from '../../../../src/core/loop/waiting-calls';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { type QuestionAnswer } from '../../../../src/core/ports/questions';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { askUserQuestionTool } from '../../../../src/core/tools/ask-user-question';
import { askingTool, fakeTool, latch, safeTool, untilAborted } from '../../../support/fake-tools';
import { gate, reply, text, thinking, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';

describe('a call that waited when its window went away', () => {
  let model: ScriptedModel;
  let harness: Harness;
  let ran: string[];
  /** Approvals that nobody answers before the window goes. */
  const waits = (_request: unknown, signal: AbortSignal): Promise<ApprovalDecision> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const counted = (tool: AnyTool): AnyTool => ({
    ...tool,
    call: (input, context) => (ran.push(context.toolUseId), tool.call(input, context)),
  });
  const tools = (): AnyTool[] => [
    counted(safeTool('Look')),
    counted(askingTool('Act')),
    counted({ ...askingTool('Ask'), isConcurrencySafe: () => true }),
    counted(safeTool('Hang', { call: async (_input, context) => untilAborted(context) })),
    counted(fakeTool('Done')),
    askUserQuestionTool,
  ];
  const open = (options: Partial<HarnessOptions> = {}): void => {
    harness = createHarness({ model, tools: tools(), ...options });
  };
  /** A turn until its first question; the window then goes away, orderly or not. Returns the log that it leaves. */
  const cutWhileAsked = async (
    replies: ScriptedReply[],
    how: 'closed' | 'killed',
    options: Partial<HarnessOptions> = {},
  ): Promise<SessionRecord[]> => {
    ran = [];
    model = createScriptedModel(replies);
    open({ answer: waits, ...options });
    const controller = new AbortController();
    const turn = harness.run('Go', controller.signal);
    await harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'user_asked',
    );
    await new Promise((resolve) => setImmediate(resolve));
    const killed = harness.stored();
    controller.abort(new HostClosed());
    const end = await turn;
    if (how === 'killed') return killed;
    assert.deepEqual(end, { reason: 'interrupted', code: 'host-closed-asking' });
    assert.deepEqual(
      harness.chat().items.filter(({ kind }) => kind === 'notice'),
      [],
      'nothing has ended: there is nothing to continue by hand',
    );
    return harness.stored();
  };
  /** The results that the last request holds, by call. */
  const results = (): [string, string][] =>
    (model.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
      content.flatMap((block): [string, string][] =>
        block.type === 'tool_result' ? [[block.tool_use_id, JSON.stringify(block.content)]] : [],
      ),
    );

  afterEach(() => assert.deepEqual(model.violations, []));

  for (const how of ['closed', 'killed'] as const) {
    it(`is asked again when it was ${how}, and the reply that made it is not`, async () => {
      const records = await cutWhileAsked(
        [
          reply(thinking('I act.', 'sig'), 'I act.', toolUse('Look', { text: 'seen' }, 't1'), toolUse('Act', {}, 't2')),
          reply('Acted.'),
        ],
        how,
      );
      assert.deepEqual(
        waitingCalls(records).map(({ id }) => id),
        ['t2'],
      );
      open({ records });
      assert.deepEqual(await harness.run(), { reason: 'completed' });
      assert.deepEqual(
        harness.approvals.map(({ toolUseId }) => toolUseId),
        ['t2'],
      );
      assert.deepEqual(ran, ['t1', 't2'], 'what had ended never runs again');
      assert.equal(model.requests.length, 2, 'one reply before, one after');
      assert.deepEqual(results(), [
        ['t1', '"seen"'],
        ['t2', '"Act"'],
      ]);
      const after = JSON.stringify(model.requests[1]?.messages);
      assert.doesNotMatch(after, /interrupted|closed or reloaded|not run|Continue the task/);
      assert.deepEqual(
        harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [[item.id, item.state, item.message]] : [])),
        [
          ['t1', 'done', undefined],
          ['t2', 'done', undefined],
        ],
      );
      assert.deepEqual(waitingCalls(harness.stored()), []);
    });

    it(`is followed by the calls behind it when it was ${how}, in their order`, async () => {
      const records = await cutWhileAsked(
        [reply(toolUse('Act', { text: 'a' }, 't1'), toolUse('Done', {}, 't2'), toolUse('Act', {}, 't3')), reply('Ok.')],
        how,
      );
      assert.deepEqual(ran, []);
      open({ records });
      assert.equal((await harness.run()).reason, 'completed');
      assert.deepEqual(ran, ['t1', 't2', 't3']);
      assert.equal(model.requests.length, 2);
    });

    it(`never brings back its neighbour that had begun when it was ${how}`, async () => {
      const records = await cutWhileAsked(
        [reply(toolUse('Hang', {}, 't1'), toolUse('Ask', {}, 't2')), reply('Ok.')],
        how,
      );
      open({ records });
      assert.equal((await harness.run()).reason, 'completed');
      assert.deepEqual(ran, ['t1', 't2']);
      assert.match(results()[0]?.[1] ?? '', /This call was interrupted/);
      assert.equal(results()[1]?.[1], '"Ask"');
    });

    it(`is not run when it was ${how} and the user writes instead: the model hears it`, async () => {
      const records = await cutWhileAsked([reply(toolUse('Act', {}, 't1')), reply('I leave it.')], how);
      open({ records });
      assert.equal((await harness.run('Leave it')).reason, 'completed');
      assert.deepEqual([ran, harness.approvals], [[], []]);
      assert.match(results()[0]?.[1] ?? '', /This call was not run/);
      assert.deepEqual(waitingCalls(harness.stored()), []);
    });

    it(`is asked as often as the window goes away, when it was ${how}`, async () => {
      const first = await cutWhileAsked([reply(toolUse('Act', {}, 't1')), reply('Ok.')], how);
      open({ records: first, answer: waits });
      const controller = new AbortController();
      const turn = harness.run(undefined, controller.signal);
      await harness.when(({ type }) => type === 'approval_asked');
      const killed = harness.stored();
      controller.abort(new HostClosed());
      assert.deepEqual(await turn, { reason: 'interrupted', code: 'host-closed-asking' });
      open({ records: how === 'killed' ? killed : harness.stored() });
      assert.equal((await harness.run()).reason, 'completed');
      assert.deepEqual([ran, model.requests.length], [['t1'], 2]);
    });
  }

  it('may be rejected then: the turn ends without a request', async () => {
    const records = await cutWhileAsked([reply(toolUse('Act', {}, 't1')), reply('Never.')], 'closed');
    open({ records, answer: () => ({ behavior: 'deny', interrupt: true }) });
    assert.deepEqual(await harness.run(), { reason: 'denied' });
    assert.deepEqual([ran, model.requests.length, waitingCalls(harness.stored())], [[], 1, []]);
  });

  it('may be stopped then: it waits no more', async () => {
    const records = await cutWhileAsked([reply(toolUse('Act', {}, 't1')), reply('Ok.')], 'closed');
    open({ records, answer: waits });
    const controller = new AbortController();
    const turn = harness.run(undefined, controller.signal);
    await harness.when(({ type }) => type === 'approval_asked');
    controller.abort(new DOMException('Stopped.', 'AbortError'));
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.deepEqual(waitingCalls(harness.stored()), []);
  });

  it('may be a question', async () => {
    const questions = [
      {
        question: 'Which one?',
        header: 'One',
        options: [
          { label: 'A', description: 'the first' },
          { label: 'B', description: 'the second' },
        ],
        multiSelect: false,
      },
    ];
    const questioner = (answer: () => Promise<QuestionAnswer>): Partial<HarnessOptions> => ({
      ports: { questioner: { askQuestions: answer } },
    });
    const never = questioner(() => new Promise(() => undefined));
    const records = await cutWhileAsked(
      [reply(toolUse('AskUserQuestion', { questions }, 't1')), reply('B it is.')],
      'killed',
      never,
    );
    open({ records, ...questioner(async () => ({ behavior: 'answered', answers: { 'Which one?': 'B' } })) });
    assert.equal((await harness.run()).reason, 'completed');
    assert.match(results()[0]?.[1] ?? '', /Which one.*B/);
    assert.equal(model.requests.length, 2);
  });

  it('may stand in a reply that never came to its end: what is whole of it counts', async () => {
    const never = new Promise<never>(() => undefined);
    const records = await cutWhileAsked(
      [reply(toolUse('Act', {}, 't1'), text('and then', gate(never))), reply('Ok.')],
      'killed',
    );
    open({ records });
    assert.equal((await harness.run()).reason, 'completed');
    assert.deepEqual([ran, model.requests.length], [['t1'], 2]);
  });

  it('brings what was queued meanwhile with it', async () => {
    ran = [];
    model = createScriptedModel([reply(toolUse('Act', {}, 't1')), reply('Ok.')]);
    open({ answer: waits });
    const controller = new AbortController();
    const turn = harness.run('Go', controller.signal);
    await harness.when(({ type }) => type === 'approval_asked');
    harness.session.steer({
      content: [{ type: 'text', text: 'Mind the gap' }],
      display: { text: 'Mind the gap', attachments: [], images: 0 },
    });
    controller.abort(new HostClosed());
    await turn;
    open({ records: harness.stored() });
    assert.equal((await harness.run()).reason, 'completed');
    assert.match(JSON.stringify(model.requests[1]?.messages.at(-1)), /Mind the gap/);
    assert.equal(model.requests.length, 2);
  });

  it('is none where nobody was asked: what a crash kept from beginning is not run by itself', async () => {
    ran = [];
    const began = latch();
    const slow = fakeTool('Slow', { call: async (_input, context) => (began.open(), untilAborted(context)) });
    model = createScriptedModel([reply(toolUse('Slow', {}, 't1'), toolUse('Act', {}, 't2')), reply('Ok.')]);
    open({ tools: [...tools(), slow] });
    const controller = new AbortController();
    const turn = harness.run('Go', controller.signal);
    await began.opened;
    await harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'reply_end',
    );
    const killed = harness.stored();
    controller.abort(new HostClosed());
    assert.deepEqual(await turn, { reason: 'interrupted', code: 'host-closed' });
    assert.deepEqual([waitingCalls(killed), waitingCalls(harness.stored())], [[], []]);
    open({ records: harness.stored(), answer: () => assert.fail('nobody is asked') });
    assert.equal((await harness.run()).reason, 'completed');
    assert.deepEqual(ran, []);
    assert.match(results()[1]?.[1] ?? '', /This call was not run/);
  });

  it('is never one that ran, at whatever record the process dies', async () => {
    ran = [];
    model = createScriptedModel([
      reply(toolUse('Look', {}, 't1'), toolUse('Act', {}, 't2'), toolUse('Act', {}, 't3')),
      reply('Ok.'),
    ]);
    open({ answer: () => ({ behavior: 'allow' }) });
    assert.equal((await harness.run('Go')).reason, 'completed');
    const records = harness.stored();
    let found = 0;
    for (let cut = 0; cut <= records.length; cut++) {
      const log = records.slice(0, cut);
      const begun = log.flatMap((one) =>
        one.type === 'system' && one.subtype === 'tool_started' ? [one.toolUseId] : [],
      );
      const waiting = waitingCalls(log).map(({ id }) => id);
      found += waiting.length;
      assert.deepEqual(
        waiting.filter((id) => begun.includes(id)),
        [],
        `cut at ${cut}`,
      );
    }
    assert.ok(found > 0, 'some of these logs end while a call waits');
  });
});
