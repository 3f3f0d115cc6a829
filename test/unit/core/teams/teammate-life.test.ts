// When a teammate rests and when it works: ends of what it has left in the background are read once, and never missed.
import assert from 'node:assert/strict';
import { type Prompt } from '../../../../src/core/events/steering-queue';
import { type AgentRun } from '../../../../src/core/features/subagents/agent-run';
import { Teammate } from '../../../../src/core/features/teams/teammate';
import { type TrackedAgent } from '../../../../src/core/features/subagents/running-agents';
import { taskPrompt } from '../../../../src/core/features/subagents/subagent-texts';
import { type BackgroundCommand } from '../../../../src/core/ports/terminal';
import { decodeRecord } from '../../../../src/core/sessions/session-codec';
import { createArrivalBell } from '../../../../src/core/tool/arrivals';
import { definition } from '../../../support/agent-harness';
import { isCollected } from '../../../support/collected';
import { countedSignal } from '../../../support/counted-signal';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { delayed, reply, toolUse } from '../../../support/messages-api/script';
import { createTeamHarness, mail, makeTeam, type TeamHarness, teammate } from '../../../support/team-harness';

function gate(): { open: () => void; promise: Promise<void> } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { open, promise };
}

const command: BackgroundCommand = {
  taskId: 'bash_1',
  toolUseId: 'b1',
  command: 'npm test',
  outputPath: '/o',
  startedAt: 0,
  end: { state: 'exited', code: 0 },
};
const states = ({ session }: TeamHarness) =>
  session.surroundings.team?.current()?.members.map(({ name, state }) => `${name} ${state}`);
const lead = { Go: [reply(makeTeam()), reply(teammate('finder', 'Find it', 'a1'))] };
/** How often the teammate's model was asked. */
const asked = ({ model }: TeamHarness): number =>
  model.requests.filter(({ system }) => JSON.stringify(system).includes('You are \\"finder\\"')).length;
const quiet = async (): Promise<void> => {
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a teammate', () => {
  it('reads of the end of its command that comes while a TeammateIdle hook runs', async () => {
    const [hooked, over] = [gate(), gate()];
    let calls = 0;
    const hooks = scriptedHooks(() => undefined);
    const harness = createTeamHarness({
      lead,
      agents: {
        'Find it': [reply(toolUse('Bash', {}, 'b1')), reply('The tests run.'), reply('The tests have passed.')],
      },
      ports: {
        hooks: {
          ...hooks,
          command: async (...call) => (++calls === 1 && (hooked.open(), await over.promise), hooks.command(...call)),
        },
      },
      session: { hooks: () => ({ active: [commandHook('TeammateIdle', 'b')] }) },
    });
    const played = harness.play('Go');
    await hooked.promise;
    assert.equal(await harness.session.backgroundEnded(command), true);
    over.open();
    await played;
    assert.match(JSON.stringify(harness.mate('finder')), /bash_1 .*The tests have passed\./s);
    assert.equal(asked(harness), 3);
    assert.deepEqual(states(harness), ['finder idle']);
    assert.deepEqual(harness.model.violations, []);
  });

  it('takes no further turn for an end that it has read of in the one that ran', async () => {
    const [reading, read] = [gate(), gate()];
    const harness = createTeamHarness({
      lead,
      agents: {
        'Find it': [
          reply(toolUse('Bash', {}, 'b1')),
          () => (reading.open(), delayed(reply(toolUse('Read', {}, 'r1')), read.promise)),
          reply('The tests have passed.'),
          reply('One too many.'),
        ],
      },
    });
    const played = harness.play('Go');
    await reading.promise;
    assert.equal(await harness.session.backgroundEnded(command), true);
    read.open();
    await played;
    assert.equal(asked(harness), 3);
    assert.match(JSON.stringify(harness.mate('finder')), /bash_1 .*The tests have passed\./s);
  });

  it('takes a further turn for an end that comes with its last words', async () => {
    const [ending, ended] = [gate(), gate()];
    const harness = createTeamHarness({
      lead,
      agents: {
        'Find it': [
          reply(toolUse('Bash', {}, 'b1')),
          () => (ending.open(), delayed(reply('The tests run.'), ended.promise)),
          reply('The tests have passed.'),
        ],
      },
    });
    const played = harness.play('Go');
    await ending.promise;
    await harness.session.backgroundEnded(command);
    ended.open();
    await played;
    assert.equal(asked(harness), 3);
  });

  it('stays at rest where the agent itself has ended the command', async () => {
    const harness = createTeamHarness({
      lead,
      agents: { 'Find it': [reply(toolUse('Bash', {}, 'b1')), reply('The tests run.')] },
    });
    await harness.play('Go');
    assert.equal(await harness.session.backgroundEnded({ ...command, end: { state: 'killed', by: 'agent' } }), true);
    await quiet();
    assert.deepEqual([asked(harness), states(harness)], [2, ['finder idle']]);
  });

  it('has ended still where a message could not go on with it', async () => {
    const transcripts = new Map<string, string[]>();
    const own = teammate('finder', 'Find it', 'a1', { subagent_type: 'own' });
    const first = createTeamHarness({
      lead: { Go: [reply(makeTeam()), reply(own)] },
      agents: { 'Find it': [reply('I wait.')] },
      definitions: [definition('own')],
      transcripts,
    });
    await first.play('Go');
    await first.session.close();
    const second = createTeamHarness({
      lead: { 'Go on': [reply(mail('finder', 'Go on.', 's1'))] },
      definitions: [definition('own', { tools: ['Nothing'] })],
      transcripts,
      records: first.stored(),
    });
    await second.play('Go on');
    assert.match(JSON.stringify(second.stored()), /The agent own would have no tools/);
    assert.deepEqual(states(second), ['finder ended']);
    assert.ok(![...transcripts.values()].flat().some((line) => JSON.stringify(decodeRecord(line)).includes('Go on.')));
  });

  it('that has ended does not keep its session in memory, though its team goes on', async () => {
    const transcripts = new Map<string, string[]>();
    const first = createTeamHarness({ lead, agents: { 'Find it': [reply('I wait.')] }, transcripts });
    await first.play('Go');
    await first.session.close();
    let held: WeakRef<object> | undefined;
    const harness = createTeamHarness({
      lead: {
        'Go on': [reply(mail('finder', 'Go on.', 's1'))],
        'End it': [reply(mail('finder', { type: 'shutdown_request' }, 's2'))],
        'Now?': [reply('It has.')],
      },
      agents: {
        'Find it': [
          reply('It is there.'),
          reply(mail('lead', { type: 'shutdown_response', approve: true }, 'f1')),
          reply('Bye.'),
        ],
      },
      transcripts,
      records: first.stored(),
      reopened: (records) => (held = new WeakRef(records)),
    });
    await harness.play('Go on');
    await harness.play('End it');
    await harness.play('Now?');
    assert.deepEqual(states(harness), ['finder ended']);
    assert.ok(held !== undefined && (await isCollected(held)), 'its records are still held');
    await harness.session.close();
  });

  it('leaves nothing on the signal that ends it, however often it has rested', async () => {
    const { signal, listeners } = countedSignal();
    const bell = createArrivalBell(() => (waiting.length > 0 ? 'message' : undefined));
    const waiting: Prompt[] = [];
    const run = {
      records: [],
      waiting,
      owesReport: false,
      onArrival: bell.listen,
      runHooks: async () => ({}),
    } as unknown as AgentRun;
    const agent = { id: 'a', run } as unknown as TrackedAgent;
    const mate = new Teammate('finder', agent, 'crew', () => undefined);
    for (let rests = 0; rests < 5; rests++) {
      const over = mate.rest(run, signal);
      await quiet();
      assert.ok(mate.state === 'idle' && listeners() === 1, `${listeners()} listeners in rest ${rests}`);
      waiting.push(taskPrompt('Mail'));
      bell.ring();
      assert.deepEqual(await over, { reason: 'completed' });
      waiting.pop();
    }
    assert.equal(listeners(), 0);
  });
});
