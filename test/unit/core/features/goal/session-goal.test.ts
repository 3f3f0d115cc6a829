// A goal: checked by the small model when a turn would end, bounded, restored, and sent to the model.
import assert from 'node:assert/strict';
import { goalEvidence } from '../../../../../src/core/features/goal/goal-check';
import { maxGoalChecks } from '../../../../../src/core/features/goal/goal-feature';
import { type ChatState } from '../../../../../src/shared/chat';
import { type ModelRequest } from '../../../../../src/core/wire/wire';
import { httpError, reply, toolUse, type ScriptedReply } from '../../../../support/messages-api/script';
import { askingTool } from '../../../../support/fake-tools';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type HarnessOptions } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { goal as goalFeature } from '../../../../../src/core/features/goal/goal-facts';

const small = 'claude-haiku-5-5';
const yes = (reason: string) => reply(JSON.stringify({ ok: true, reason }));
const no = (reason: string) => reply(JSON.stringify({ ok: false, reason }));

/** Replies of the agent and verdicts, each in their order. */
function start(
  agent: readonly ScriptedReply[],
  verdicts: readonly ScriptedReply[] | ((index: number) => ScriptedReply),
  more: Partial<HarnessOptions> = {},
) {
  let [replied, judged] = [0, 0];
  const model = createScriptedModel((request) => {
    if (request.model !== small) return agent[Math.min(replied++, agent.length - 1)] ?? reply('Done.');
    const index = judged++;
    return typeof verdicts === 'function' ? verdicts(index) : (verdicts[index] ?? assert.fail('one verdict too many'));
  });
  const harness = createHarness({ model, ...more });
  const goal = featureOf(harness.session, goalFeature);
  const asked = (): ModelRequest[] => model.requests.filter((request) => request.model === small);
  const own = (): ModelRequest[] => model.requests.filter((request) => request.model !== small);
  return { model, harness, goal, asked, own };
}

/** The text of its line; empty for none. */
const shownGoal = ({ lines }: Pick<ChatState, 'lines'>): string => lines.find(({ id }) => id === 'goal')?.text ?? '';

describe('a goal', () => {
  it('sends the agent back to work until the check finds it reached, and says so', async () => {
    const { harness, goal, asked, own, model } = start(
      [reply(toolUse('Act', { text: 'x' })), reply('Tests fail.'), reply('Now they pass.')],
      [no('Two tests fail.'), yes('All 12 pass.')],
    );
    goal.set('npm test passes');
    assert.equal(shownGoal(harness.chat()), 'npm test passes');
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(own().length, 3);
    assert.match(JSON.stringify(own()[2]?.messages.at(-1)), /not reached yet: Two tests fail\. Continue/);
    assert.match(JSON.stringify(own()[0]?.messages), /The user has set a goal for this session.*npm test passes/);
    const check = JSON.stringify(asked()[0]?.messages);
    assert.match(check, /npm test passes.*It called Act with.*The agent said: Tests fail\./s);
    for (const chat of [harness.chat(), harness.replayed()]) {
      assert.equal(shownGoal(chat), '');
      const card = chat.items.find((item) => item.kind === 'notice' && item.title === 'The goal is reached.');
      assert.ok(card?.kind === 'notice' && card.detail.includes('All 12 pass.'));
    }
    assert.deepEqual(model.violations, []);
    await harness.run('And now?');
    assert.equal(asked().length, 2, 'nothing is checked any more');
    assert.match(JSON.stringify(own().at(-1)?.messages), /no longer applies/);
  });

  it('gives up after its checks, holds on, and counts anew with the next message', async () => {
    const { harness, goal, asked } = start([reply('Trying.')], () => no('Still red.'));
    goal.set('green');
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(asked().length, maxGoalChecks);
    assert.equal(shownGoal(harness.chat()), 'green');
    assert.ok(
      harness.chat().items.some((item) => item.kind === 'notice' && item.title === 'The goal is not reached yet.'),
    );
    await harness.run('Again');
    assert.equal(asked().length, 2 * maxGoalChecks);
  });

  it('does not count anew with a turn that begins by itself', async () => {
    const { harness, goal, asked } = start([reply('Trying.')], () => no('Still red.'));
    goal.set('green');
    await harness.run('Go');
    await harness.run();
    assert.equal(asked().length, maxGoalChecks + 1, 'each ends with one check');
    await harness.run('Again');
    assert.equal(asked().length, 2 * maxGoalChecks + 1);
  });

  it('ends the turn where the agent is stuck, or the check does not work', async () => {
    const stuck = start([reply('I need the password.')], [yes('Stuck: it needs a password.')]);
    stuck.goal.set('deployed');
    await stuck.harness.run('Go');
    assert.ok(
      stuck.harness
        .chat()
        .items.some(
          (item) => item.kind === 'notice' && item.level === 'warning' && item.title === 'The goal needs you.',
        ),
    );
    for (const broken of [reply('Perhaps.'), httpError(400, 'invalid_request_error', 'No such model.')]) {
      const { harness, goal } = start([reply('Done.')], [broken]);
      goal.set('deployed');
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.equal(shownGoal(harness.chat()), 'deployed', 'it holds on');
      assert.ok(
        harness.chat().items.some((item) => item.kind === 'notice' && item.title === 'The goal could not be checked.'),
      );
    }
  });

  it('is not checked after a turn that the user stopped or a rejection ended', async () => {
    const { harness, goal, asked } = start([reply(toolUse('Act', { text: 'x' }))], [], {
      tools: [askingTool('Act')],
      answer: () => ({ behavior: 'deny', interrupt: true }),
    });
    goal.set('green');
    assert.equal((await harness.run('Go')).reason, 'denied');
    assert.equal(asked().length, 0);
  });

  it('comes back with its session, and not where it was taken back', async () => {
    const { harness, goal } = start([reply('Hm.')], [reply('Who knows.')]);
    goal.set('green');
    await harness.run('Go');
    const again = start([reply('Hm.')], [], { records: harness.stored() });
    assert.equal(again.goal.condition, 'green');
    assert.equal(shownGoal(again.harness.replayed()), 'green');
    again.goal.clear();
    await again.harness.run('Go on');
    assert.equal(again.asked().length, 0);
    assert.equal(shownGoal(again.harness.chat()), '');
    assert.equal(start([], [], { records: again.harness.stored() }).goal.condition, '');
  });

  it('shows the check the last turn alone, its newest part where that is long', () => {
    const { harness } = start([reply('x')], []);
    assert.equal(goalEvidence(harness.session.records), '');
    const record = (text: string) =>
      ({
        type: 'assistant',
        message: {
          id: text.slice(0, 5),
          role: 'assistant',
          model: 'm',
          content: [{ type: 'text', text }],
          stop_reason: null,
        },
      }) as never;
    const user = (text: string) =>
      ({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } }) as never;
    assert.equal(goalEvidence([user('a'), record('old'), user('b'), record('new')]), 'The agent said: new');
    const long = goalEvidence([
      user('b'),
      ...Array.from({ length: 20 }, (_, index) => record(`${index} ${'x'.repeat(5_000)}`)),
    ]);
    assert.ok(long.length <= 30_000 && long.includes('19 x') && !long.includes(' 0 x'));
  });
});
