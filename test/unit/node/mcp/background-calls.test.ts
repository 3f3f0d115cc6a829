// Calls of a real server that take long: they continue in the background, are waited for, ended and reported like commands.
import assert from 'node:assert/strict';
import { getTools } from '../../../../src/core/tools/registry';
import { createManualClock } from '../../../support/manual-clock';
import { reply, type ScriptedReply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';
import {
  closeServers,
  entryOf,
  never,
  oddServer,
  openServers,
  settled,
  statusOf,
} from '../../../support/mcp/run-servers';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';

const tools = getTools({
  isDenied: () => false,
  simple: false,
  availability: { has: (port) => port === 'mcp', interactive: false, platform: 'linux', names: () => false },
});
const wait = 'mcp__slow__wait';

describe('a call of an MCP tool that takes longer than two minutes', () => {
  let servers: RunningMcpServers;
  beforeEach(async () => {
    servers = openServers([entryOf('slow', oddServer('slow'), { alwaysLoad: true })]);
    await settled(servers);
  });
  afterEach(closeServers);

  const open = (
    script: ScriptedReply[],
    session: NonNullable<Parameters<typeof createHarness>[0]['session']> = {},
  ): {
    harness: Harness;
    model: ScriptedModel;
    clock: ReturnType<typeof createManualClock>;
    script: ScriptedReply[];
  } => {
    const model = createScriptedModel(script);
    const clock = createManualClock('manual');
    const harness = createHarness({
      model,
      tools,
      clock,
      ports: { mcp: servers },
      session: { mcpBackgroundMs: 120_000, ...session },
    });
    return { harness, model, clock, script };
  };
  /** The first turn: the call is made, two minutes pass, the model continues. */
  const moved = async (world: ReturnType<typeof open>): Promise<string> => {
    const turn = world.harness.run('Wait for it');
    await world.clock.sleeping(1);
    assert.deepEqual(world.clock.slept, [120_000]);
    // What it says of its progress comes from another process.
    await world.harness.when((event) => JSON.stringify(event).includes('under way'));
    world.clock.advance(120_000);
    await turn;
    const sent = JSON.stringify(world.model.requests[1]?.messages.at(-1));
    return /continues in the background as (call-\w+)/.exec(sent)?.[1] ?? assert.fail(sent);
  };
  const ended = (harness: Harness): Promise<void> =>
    harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
  const release = (how: 'release' | 'refuse' = 'release'): Promise<unknown> =>
    servers.callTool('slow', how, {}, { signal: never });

  it('gives the model a task at once, and its end is told with the next request', async () => {
    const world = open([reply(toolUse(wait, {}, 'w1')), reply('Meanwhile.'), reply('I have read it.')]);
    const { harness, model } = world;
    const id = await moved(world);
    assert.deepEqual(
      harness.chat().background.map(({ id: shown, kind, title }) => [shown, kind, title]),
      [[id, 'command', 'slow: wait']],
    );
    await release();
    await ended(harness);
    assert.equal(harness.files.text(`/results/${id}.txt`), 'It took its time.');
    await harness.run('And?');
    assert.match(
      JSON.stringify(model.requests[2]?.messages),
      new RegExp(
        `Background call ${id} \\(slow: wait\\) has ended without an error\\. Its output is in /results/${id}\\.txt`,
      ),
    );
    assert.deepEqual(harness.chat().background, []);
    const card = harness.chat().items.find((one) => one.kind === 'tool' && one.id === 'w1');
    assert.ok(card?.kind === 'tool' && card.view?.kind === 'terminal');
    assert.deepEqual(
      [card.detail, card.view.state, card.view.tail],
      ['ended in the background', 'exited', 'It took its time.'],
    );
    const again = harness.replayed().items.find((one) => one.kind === 'tool' && one.id === 'w1');
    assert.deepEqual(again?.kind === 'tool' && again.view, card.view);
    assert.deepEqual(model.violations, []);
  });

  it('is read with TaskOutput while it runs and once it has failed', async () => {
    const world = open([reply(toolUse(wait, {}, 'w1')), reply('Meanwhile.')]);
    const id = await moved(world);
    world.script.push(
      reply(toolUse('TaskOutput', { task_id: id, block: false }, 't1')),
      reply('It runs.'),
      reply(toolUse('TaskOutput', { task_id: id }, 't2')),
      reply('Done.'),
    );
    await world.harness.run('How is it?');
    assert.match(JSON.stringify(world.model.requests[3]?.messages.at(-1)), /\(slow: wait\) runs\..*under way/s);
    const turn = world.harness.run('Wait for it');
    await world.clock.sleeping(2);
    await release('refuse');
    await turn;
    assert.match(
      JSON.stringify(world.model.requests[5]?.messages.at(-1)),
      /has ended with exit code 1\..*It took its time\./s,
    );
  });

  it('is ended by TaskStop, which the server is told', async () => {
    const world = open([reply(toolUse(wait, {}, 'w1')), reply('Meanwhile.')]);
    const id = await moved(world);
    world.script.push(reply(toolUse('TaskStop', { task_id: id }, 't1')), reply('Stopped.'), reply('Fine.'));
    await world.harness.run('Stop it');
    assert.match(
      JSON.stringify(world.model.requests[3]?.messages.at(-1)),
      new RegExp(`Stopped ${id} \\(slow: wait\\)`),
    );
    await untilLogged('cancelled a call');
    await world.harness.run('And?');
    assert.doesNotMatch(JSON.stringify(world.model.requests[4]?.messages.at(-1)), /Background call/);
  });

  it('outlives the turn that is stopped, and ends with its session', async () => {
    const world = open([reply(toolUse(wait, {}, 'w1')), reply('Meanwhile.')]);
    await moved(world);
    await world.harness.session.close();
    await untilLogged('cancelled a call');
    const end = world.harness
      .stored()
      .find((record) => record.type === 'system' && record.subtype === 'background_end');
    assert.ok(end?.type === 'system' && end.subtype === 'background_end');
    assert.deepEqual(end.end, { state: 'killed', by: 'abort' });
  });

  it('is told as lost where the window was closed over it', async () => {
    const world = open([reply(toolUse(wait, {}, 'w1')), reply('Meanwhile.')]);
    const id = await moved(world);
    const model = createScriptedModel([reply('Then again.')]);
    const again = createHarness({ model, tools, records: world.harness.stored(), ports: { mcp: servers } });
    await again.run('Is it done?');
    assert.match(
      JSON.stringify(model.requests[0]?.messages),
      new RegExp(`Background call ${id} \\(slow: wait\\) has ended, its exit code is unknown`),
    );
  });

  it('is stopped with its turn before that time, and waited for where the variable is 0', async () => {
    const controller = new AbortController();
    const world = open([reply(toolUse(wait, {}, 'w1'))]);
    const turn = world.harness.run('Wait for it', controller.signal);
    await world.clock.sleeping(1);
    controller.abort();
    await turn;
    await untilLogged('cancelled a call');
    const forEver = open([reply(toolUse(wait, {}, 'w1')), reply('There it is.')], { mcpBackgroundMs: 0 });
    const whole = forEver.harness.run('Wait for it');
    await forEver.harness.when((event) => event.type === 'tool_progress');
    assert.deepEqual(forEver.clock.slept, []);
    await release();
    await whole;
    assert.match(JSON.stringify(forEver.model.requests[1]?.messages.at(-1)), /It took its time/);
  });

  async function untilLogged(line: string): Promise<void> {
    while (!servers.log('slow').includes(line)) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(statusOf(servers, 'slow').state.kind, 'connected');
  }
});
