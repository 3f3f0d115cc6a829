// Edits of one reply in different files wait for the user together: each is decided by itself, and they are made in the order of the reply.
import assert from 'node:assert/strict';
import { type ApprovalDecision, type ApprovalRequest } from '../../../../src/core/ports/approver';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { askingTool, latch, safeTool, said } from '../../../support/fake-tools';
import { reply, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const yes: ApprovalDecision = { behavior: 'allow' };

describe('edits of one reply that ask', () => {
  let model: ScriptedModel;
  let harness: Harness;
  let ran: string[];
  let asked: string[];
  let broken: boolean;
  let answers: Map<string, (decision: ApprovalDecision) => void>;

  const changing = (made: Promise<void>): AnyTool =>
    askingTool('Change', {
      targets: (input) => [{ kind: 'file', access: 'write', path: `/w/${input.text ?? ''}` }],
      checkPermissions: async ({ text }) => {
        if (broken && text === 'b') throw new Error('no look at b');
        return undefined;
      },
      call: async (_input, context) => (ran.push(context.toolUseId), await made, said('changed')),
    });
  /** Nobody answers before the test does. */
  const ask = ({ toolUseId }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> =>
    new Promise((resolve, reject) => {
      asked.push(toolUseId);
      answers.set(toolUseId, resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  const states = (): string[] => harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [item.state] : []));
  /** `made`: no change ends before it. */
  const open = (replies: ScriptedReply[], asksAhead = true, made = Promise.resolve()): void => {
    [ran, asked, answers, broken] = [[], [], new Map(), false];
    model = createScriptedModel(replies);
    harness = createHarness({
      model,
      tools: [
        changing(made),
        askingTool('Act', { call: async (_input, context) => (ran.push(context.toolUseId), said('acted')) }),
        safeTool('Look'),
      ],
      answer: ask,
      opened: (parts) => ({
        ...parts,
        settings: { ...parts.settings, turns: { ...parts.settings.turns, asksAhead } },
      }),
    });
  };
  /** Until all of these were asked about; what else would be asked has had its time behind that. */
  const asksFor = async (...ids: string[]): Promise<void> => {
    while (!ids.every((id) => answers.has(id))) await new Promise((resolve) => setTimeout(resolve, 1));
    await settled();
  };
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const answer = async (id: string, decision: ApprovalDecision = yes): Promise<void> => {
    await asksFor(id);
    answers.get(id)?.(decision);
    await settled();
  };
  const results = (): string[] =>
    (model.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [JSON.stringify(block.content)] : [])),
    );

  /** What the cards of the conversation show. */
  const shown = (): string[] =>
    harness.chat().items.flatMap((item) => (item.kind === 'tool' ? [JSON.stringify(item)] : []));

  afterEach(() => assert.deepEqual(model.violations, []));

  const three = reply(
    toolUse('Change', { text: 'a' }, 't1'),
    toolUse('Change', { text: 'b' }, 't2'),
    toolUse('Change', { text: 'c' }, 't3'),
  );

  it('are asked about together, and made in their order whatever is answered first', async () => {
    open([three, reply('Done.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    assert.deepEqual(asked, ['t1', 't2', 't3']);
    assert.equal(harness.chat().approvals.length, 3);
    await answer('t3');
    await answer('t2');
    assert.deepEqual(ran, [], 'none before the first');
    await answer('t1');
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(ran, ['t1', 't2', 't3']);
    assert.deepEqual(results(), ['"changed"', '"changed"', '"changed"']);
  });

  it('are each rejected for themselves where the user says why', async () => {
    open([three, reply('I see.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    await answer('t1', { behavior: 'deny', message: 'Not a.', interrupt: false });
    await answer('t3');
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(ran, ['t2', 't3']);
    assert.match(results()[0] ?? '', /Not a\./);
  });

  it('are not made where one before them ends the turn, though they were accepted', async () => {
    open([three, reply('Never.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    await answer('t1', { behavior: 'deny', interrupt: true });
    assert.deepEqual(await turn, { reason: 'denied' });
    assert.deepEqual([ran, model.requests.length], [[], 1]);
    assert.deepEqual(harness.chat().approvals, []);
    assert.deepEqual(states(), ['denied', 'stopped', 'stopped']);
  });

  it('are made where they were accepted, and a later one ends the turn', async () => {
    open([three, reply('Never.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    await answer('t3', { behavior: 'deny', interrupt: true });
    assert.deepEqual(await turn, { reason: 'denied' });
    assert.deepEqual([ran, model.requests.length], [['t2'], 1]);
    assert.deepEqual(harness.chat().approvals, []);
    assert.deepEqual(states(), ['stopped', 'done', 'denied']);
    assert.match(shown()[0] ?? '', /was not run: the user ended the turn by rejecting another call/, 'it never began');
  });

  it('are made where a later one ends the turn at the same moment as they are accepted', async () => {
    open([three, reply('Never.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    answers.get('t2')?.(yes);
    answers.get('t3')?.({ behavior: 'deny', interrupt: true });
    assert.deepEqual(await turn, { reason: 'denied' });
    assert.deepEqual(ran, ['t2']);
    assert.deepEqual(states(), ['stopped', 'done', 'denied']);
  });

  it('say what went wrong with one that was accepted, also where a later one has ended the turn', async () => {
    open([three, reply('Never.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    broken = true;
    await answer('t3', { behavior: 'deny', interrupt: true });
    assert.deepEqual(await turn, { reason: 'denied' });
    assert.deepEqual(ran, []);
    assert.match(shown()[1] ?? '', /Change failed unexpectedly: no look at b/);
  });

  it('are made where they were accepted, and the mode asks nobody any more when their turn comes', async () => {
    open([three, reply('Done.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    await answer('t3');
    harness.session.permission.setMode('dontAsk');
    await answer('t1');
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(ran, ['t1', 't2', 't3']);
  });

  it('are made in their order behind one that is being made when a later one ends the turn', async () => {
    const made = latch();
    open([three, reply('Never.')], true, made.opened);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    await answer('t1');
    await answer('t3', { behavior: 'deny', interrupt: true });
    assert.deepEqual(ran, ['t1'], 'the first is being made');
    made.open();
    assert.deepEqual(await turn, { reason: 'denied' });
    assert.deepEqual(ran, ['t1', 't2']);
    assert.deepEqual(states(), ['done', 'done', 'denied']);
  });

  it('are not made where a rule denies them by the time that their turn comes, though they were accepted', async () => {
    open([three, reply('Done.')]);
    const turn = harness.run();
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    await harness.session.permission.applyUpdates([
      {
        type: 'addRules',
        behavior: 'deny',
        rules: [{ toolName: 'Edit', ruleContent: '//w/b' }],
        destination: 'session',
      },
    ]);
    await answer('t3');
    await answer('t1');
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(ran, ['t1', 't3']);
    assert.match(results()[1] ?? '', /^"Permission denied: /);
  });

  it('are not made where the user stops the turn', async () => {
    open([three, reply('Never.')]);
    const controller = new AbortController();
    const turn = harness.run(undefined, controller.signal);
    await asksFor('t1', 't2', 't3');
    await answer('t2');
    controller.abort(new DOMException('Stopped.', 'AbortError'));
    assert.deepEqual(await turn, { reason: 'interrupted' });
    assert.deepEqual(ran, []);
  });

  it('wait for their turn where they change the same file, or come behind another kind of call', async () => {
    open([
      reply(
        toolUse('Change', { text: 'a' }, 't1'),
        toolUse('Change', { text: 'a' }, 't2'),
        toolUse('Change', { text: 'b' }, 't3'),
      ),
      reply(toolUse('Change', { text: 'a' }, 't4'), toolUse('Act', {}, 't5'), toolUse('Change', { text: 'b' }, 't6')),
      reply('Done.'),
    ]);
    const turn = harness.run();
    await asksFor('t1');
    assert.deepEqual(asked, ['t1']);
    await answer('t1');
    await asksFor('t2', 't3');
    assert.deepEqual(asked, ['t1', 't2', 't3'], 'the next file is asked about with the second edit of the first');
    await answer('t3');
    await answer('t2');
    await asksFor('t4');
    assert.deepEqual(ran, ['t1', 't2', 't3']);
    assert.deepEqual(asked.slice(3), ['t4'], 'a command may change what the next edit is about');
    await answer('t4');
    await answer('t5');
    await answer('t6');
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(ran.slice(3), ['t4', 't5', 't6']);
  });

  it('are judged again in their turn where nobody was asked about them: the mode may be another', async () => {
    open([
      reply(toolUse('Change', { text: '.vscode/settings.json' }, 't1'), toolUse('Change', { text: 'b' }, 't2')),
      reply('Done.'),
    ]);
    harness.session.permission.setMode('acceptEdits');
    const turn = harness.run();
    await asksFor('t1');
    assert.deepEqual(asked, ['t1']);
    harness.session.permission.setMode('default');
    await answer('t1', { behavior: 'deny', message: 'Not that.', interrupt: false });
    await asksFor('t2');
    assert.deepEqual(ran, []);
    await answer('t2');
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(ran, ['t2']);
  });

  it('are asked about one after the other in a host that shows one question', async () => {
    open([three, reply('Done.')], false);
    const turn = harness.run();
    await asksFor('t1');
    assert.deepEqual(asked, ['t1']);
    await answer('t1');
    await asksFor('t2');
    assert.deepEqual(asked, ['t1', 't2']);
    await answer('t2');
    await answer('t3');
    assert.deepEqual(await turn, { reason: 'completed' });
  });
});
