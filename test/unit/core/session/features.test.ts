// A session and its features: each hook point is reached in its order, and each feature can be left out.
import assert from 'node:assert/strict';
import { featureKey, provides } from '../../../../src/core/feature/feature-key';
import { type FeatureFactory } from '../../../../src/core/feature/session-feature';
import { noOutcome } from '../../../../src/core/hooks/hook-outcome';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { safeTool } from '../../../support/fake-tools';
import { featureOf } from '../../../support/feature-of';
import { createHarness } from '../../../support/session-harness';

const counter = featureKey<{ count: number }>('counter');

/** Notes each point at which it is asked. */
function noting(points: string[]): FeatureFactory {
  const note = (point: string): void => void points.push(point);
  return (access) => {
    assert.equal(access.feature(counter), undefined, 'no feature is there while it is made');
    return {
      ...provides(counter, { count: 7 }),
      sources: [{ present: async () => (note('source'), [{ key: 'counter', text: 'The counter stands at 7.' }]) }],
      tools: () => ownTools,
      turnBegins: (prompt) => note(`turnBegins ${prompt?.display.text}`),
      prompts: {
        before: async () => void note('before prompt'),
        expand: async (prompt) => (note('expand prompt'), { kind: 'prompt', prompt }),
      },
      aroundRequests: (steps) => ({
        ...steps,
        request: (...asked) => (note('request'), steps.request(...asked)),
      }),
      calls: {
        hooks: {
          before: async () => (note('before call'), {}),
          request: async () => undefined,
          denied: async () => undefined,
          after: async () => (note('after call'), {}),
          failed: async () => undefined,
        },
        ports: (ports) => (note('ports of calls'), ports),
        written: () => note(`written, asked for itself: ${access.feature(counter)?.count}`),
      },
      reply: { emit: access.settings.emit, settled: async () => note('settled') },
      afterTools: async (results) => void note(`after ${results.length} tools`),
      beforeEnd: async (end) => (note('before end'), end),
      afterTurn: ({ reason }) => note(`after turn: ${reason}`),
      onEvent: async (event) => (note(event), noOutcome),
      background: { catchUp: () => note('catchUp'), commandEnded: async () => (note('command ended'), true) },
      controls: {
        commands: { count: (text) => ({ notice: { level: 'info', title: 'Count', detail: text } }) },
        end: (id) => id === 'counter',
      },
      close: async (reason) => note(`close: ${reason}`),
    };
  };
}

const ownTools = [safeTool('Count')];

describe('the features of a session', () => {
  it('are asked at every point in order', async () => {
    const points: string[] = [];
    const model = createScriptedModel([reply(toolUse('Count', {}, 'c1')), reply('Seven.')]);
    const harness = createHarness({ model, opened: (parts) => ({ ...parts, features: [noting(points)] }) });
    await harness.run('Count');
    await harness.session.folders.changed(['/w', '/lib']);
    await harness.session.backgroundEnded({
      taskId: 't',
      toolUseId: 'u',
      command: 'x',
      outputPath: '/o',
      startedAt: 0,
    });
    const { controls } = harness.session;
    assert.equal((await controls.run('count', 'to ten'))?.notice?.detail, 'to ten');
    assert.equal(await controls.run('sing', ''), undefined, 'no feature has it');
    assert.deepEqual([await controls.end('counter'), await controls.end('other')], [true, false]);
    await harness.session.close('clear');
    assert.deepEqual(points, [
      'turnBegins Count',
      'catchUp',
      'before prompt',
      'source',
      'expand prompt',
      'ports of calls',
      'request',
      'before call',
      'after call',
      'written, asked for itself: 7',
      'after 1 tools',
      'ports of calls',
      'request',
      'after 0 tools',
      'before end',
      'after turn: completed',
      'settled',
      'DirectoryAdded',
      'command ended',
      'close: clear',
    ]);
    assert.ok(JSON.stringify(model.requests[0]?.messages).includes('The counter stands at 7.'));
    assert.ok(JSON.stringify(model.requests[0]?.tools).includes('"Count"'));
    assert.equal(featureOf(harness.session, counter).count, 7);
  });

  it('can each be left out', async () => {
    const whole: number[] = [];
    const noLog = (): never => assert.fail('no agent starts here');
    const session = {
      maxDollars: { limit: () => 5, counts: 'session' as const },
      skills: { catalogue: { list: async () => ({ skills: [], problems: [] }), touch: async () => false } },
      agents: {
        list: async () => ({ agents: [], problems: [] }),
        createLog: noLog,
        openLog: noLog,
        environment: () => ({}),
      },
    };
    createHarness({
      model: createScriptedModel([]),
      session,
      opened: (parts) => (whole.push(...parts.features.keys()), parts),
    });
    assert.equal(whole.length, 19);
    for (const left of whole) {
      const harness = createHarness({
        model: createScriptedModel([reply(toolUse('Look', {}, 'l1')), reply('Done.')]),
        session,
        opened: (parts) => ({ ...parts, features: parts.features.filter((_, at) => at !== left) }),
      });
      assert.equal((await harness.run('Look')).reason, 'completed', `without feature ${left}`);
      await harness.session.close();
    }
  });
});
