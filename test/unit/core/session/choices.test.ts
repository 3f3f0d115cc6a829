// What the user chooses within a session: effort, speed and folders; what requests then contain, and what a resume restores.
import assert from 'node:assert/strict';
import { thinkingChoices } from '../../../../src/core/session/chosen-effort';
import { fastModeBeta } from '../../../../src/core/model/betas';
import { createAgentHarness, definition } from '../../../support/agent-harness';
import { httpError, reply, toolUse } from '../../../support/messages-api/script';
import { createMemoryFiles } from '../../../support/memory-files';
import { createScriptedModel } from '../../../support/scripted-model';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { createHarness } from '../../../support/session-harness';

describe('the effort of a session', () => {
  it("holds from the next request on, comes back with the session, and goes back to the model's own", async () => {
    const model = createScriptedModel([reply('1'), reply('2'), reply('3')], { provider: 'anthropic' });
    const harness = createHarness({ model, session: { effort: 'low' } });
    await harness.run('a');
    harness.session.choices.setEffort('max');
    await harness.run('b');
    assert.equal(
      createHarness({ model, records: harness.stored(), session: { effort: 'low' } }).session.choices.effort,
      'max',
    );
    harness.session.choices.setEffort(undefined);
    await harness.run('c');
    assert.deepEqual(
      model.requests.map((request) => request.output_config?.effort),
      ['low', 'max', undefined],
    );
    assert.equal(
      createHarness({ model, records: harness.stored(), session: { effort: 'low' } }).session.choices.effort,
      undefined,
    );
  });
});

describe('an effort that the model lacks', () => {
  it('becomes the nearest one below, and the chat says so once', async () => {
    const model = createScriptedModel(() => reply('Well.'), { provider: 'anthropic' });
    const limited = {
      ...model,
      requests: model.requests,
      capabilities: (id: string) => ({ ...model.capabilities(id), efforts: ['low', 'medium', 'high'] as const }),
    };
    const harness = createHarness({ model: limited, session: { effort: 'max' } });
    await harness.run('a');
    await harness.run('b');
    assert.deepEqual(
      model.requests.map((request) => request.output_config?.effort),
      ['high', 'high'],
    );
    assert.deepEqual(
      harness.events.filter(({ type }) => type === 'effort_lowered'),
      [{ type: 'effort_lowered', model: 'claude-opus-5', wanted: 'max', used: 'high' }],
    );
    assert.ok(
      harness
        .chat()
        .items.some(
          (item) => item.kind === 'notice' && item.title === 'Opus 5 does not support effort max here: using high.',
        ),
    );
    harness.session.choices.setEffort('low');
    await harness.run('c');
    assert.equal(harness.events.filter(({ type }) => type === 'effort_lowered').length, 1);
  });

  it('is lowered beside thinking that is off, where the API refuses the two together', async () => {
    const model = createScriptedModel(() => reply('Well.'), { provider: 'anthropic' });
    const harness = createHarness({ model, session: { effort: 'max', thinking: false } });
    await harness.run('a');
    assert.deepEqual(
      [model.requests[0]?.thinking, model.requests[0]?.output_config],
      [{ type: 'disabled' }, { effort: 'high' }],
    );
    assert.deepEqual(model.violations, []);
  });
});

describe('the thinking of a session', () => {
  it('is as the settings say, as the user switched it, and comes back with the session and in its agents', async () => {
    const model = createScriptedModel(() => reply('Well.'), { provider: 'anthropic' });
    const harness = createHarness({
      model,
      session: { ...thinkingChoices({ alwaysThinkingEnabled: false, showThinkingSummaries: false }) },
    });
    await harness.run('a');
    assert.equal(harness.session.choices.thinking, false);
    harness.session.choices.setThinking(true);
    await harness.run('b');
    assert.deepEqual(
      model.requests.map(({ thinking }) => thinking),
      [{ type: 'disabled' }, { type: 'adaptive', display: 'omitted' }],
    );
    assert.equal(
      createHarness({ model, records: harness.stored(), session: { thinking: false } }).session.choices.thinking,
      true,
    );
    harness.session.choices.setThinking(false);
    assert.equal(createHarness({ model, records: harness.stored() }).session.choices.thinking, false);
    assert.equal(createHarness({ model }).session.choices.thinking, true);
    const agents = createAgentHarness({
      provider: 'anthropic',
      main: [reply(toolUse('Agent', { description: 'd', prompt: 'Do it', subagent_type: 'own' })), reply('Done.')],
      agents: { 'Do it': [reply('Report.')] },
      definitions: [definition('own')],
    });
    agents.session.choices.setThinking(false);
    await agents.run('Go');
    assert.deepEqual(
      agents.model.requests.map(({ thinking }) => thinking?.type),
      ['disabled', 'disabled', 'disabled'],
    );
  });
});

describe('fast mode', () => {
  it('asks for the speed with its beta where the model has it, and nowhere else', async () => {
    const model = createScriptedModel([reply('1'), reply('2'), reply('3')], { provider: 'anthropic' });
    const harness = createHarness({ model });
    harness.session.choices.setFast(true);
    await harness.run('a');
    harness.session.choices.setModel('claude-sonnet-5');
    await harness.run('b');
    harness.session.choices.setModel('claude-opus-5');
    harness.session.choices.setFast(false);
    await harness.run('c');
    assert.deepEqual(
      model.requests.map(({ speed, betas }) => [speed, betas]),
      [
        ['fast', [fastModeBeta]],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('is on from the beginning where the settings say so, until the user switches it off', async () => {
    const model = createScriptedModel([reply('1'), reply('2')], { provider: 'anthropic' });
    const harness = createHarness({ model, session: { fast: true } });
    await harness.run('a');
    harness.session.choices.setFast(false);
    await harness.run('b');
    assert.deepEqual(
      model.requests.map(({ speed }) => speed),
      ['fast', undefined],
    );
    const resumed = createHarness({ model, records: harness.stored(), session: { fast: true } });
    assert.equal(resumed.session.choices.fast, false);
  });

  it('goes on at normal speed where the API does not give it, says so, and stays off', async () => {
    for (const refusal of [
      httpError(429, 'rate_limit_error', 'Fast mode limit reached.'),
      httpError(400, 'invalid_request_error', 'speed: fast is not available for your organization'),
    ]) {
      const model = createScriptedModel([refusal, reply('Slow.'), reply('Slow again.')], { provider: 'anthropic' });
      const harness = createHarness({ model });
      harness.session.choices.setFast(true);
      assert.deepEqual(await harness.run('a'), { reason: 'completed' });
      await harness.run('b');
      assert.deepEqual(
        model.requests.map(({ speed }) => speed),
        ['fast', undefined, undefined],
      );
      assert.equal(harness.session.choices.fast, false);
      assert.ok(harness.chat().items.some((item) => item.kind === 'notice' && item.title === 'Fast mode is off.'));
      assert.deepEqual(harness.clock.slept, [], 'nothing was waited for');
    }
  });

  it('leaves other failures to the turn', async () => {
    const model = createScriptedModel([httpError(400, 'invalid_request_error', 'messages: too strange')]);
    const harness = createHarness({ model });
    harness.session.choices.setFast(true);
    assert.equal((await harness.run('a')).reason, 'error');
    assert.equal(model.requests.length, 1);
  });
});

describe('a folder that is added', () => {
  const start = (saves: unknown[] = []) => {
    const model = createScriptedModel([reply('1'), reply('2')]);
    const files = createMemoryFiles({
      '/w/a.txt': 'a',
      '/lib/CLAUDE.md': 'Use tabs.',
      '/link': { link: '/lib' },
      '/other/b.txt': 'b',
    });
    const permissionStore = { save: async (update: unknown) => (saves.push(update), { saved: true } as const) };
    return { model, harness: createHarness({ model, files, ports: { permissionStore } }) };
  };

  it('belongs to the session, with links resolved; the model is told, and of its instructions', async () => {
    const saves: unknown[] = [];
    const { model, harness } = start(saves);
    assert.deepEqual(await harness.session.folders.add('/link', false), { added: true });
    assert.deepEqual(harness.session.permission.now().folders, ['/w', '/link', '/lib']);
    await harness.run('a');
    assert.match(
      JSON.stringify(model.requests[0]?.messages),
      /added the folder \/link to this session.*Read \/link\/CLAUDE\.md first/,
    );
    assert.deepEqual(saves, []);
    const again = createHarness({ model, records: harness.stored() });
    assert.deepEqual(again.session.permission.now().folders, ['/w', '/link', '/lib'], 'also when it is opened again');
  });

  it('is remembered where the user wants that', async () => {
    const saves: unknown[] = [];
    const { harness } = start(saves);
    assert.deepEqual(await harness.session.folders.add('/other', true), { added: true });
    assert.deepEqual(saves, [{ type: 'addDirectories', directories: ['/other'], destination: 'localSettings' }]);
  });

  it('is told to hooks', async () => {
    const heard: Record<string, unknown>[] = [];
    const hooks = scriptedHooks((_hook, input) => void heard.push(input));
    const files = createMemoryFiles({ '/w/a.txt': 'a', '/other/b.txt': 'b' });
    const harness = createHarness({
      model: createScriptedModel([]),
      files,
      ports: { hooks },
      session: { hooks: () => ({ active: [commandHook('DirectoryAdded', 'note')] }) },
    });
    await harness.session.folders.add('/other', false);
    assert.deepEqual(
      heard.map((input) => [input['hook_event_name'], input['directory'], input['source']]),
      [['DirectoryAdded', '/other', 'slash_command']],
    );
  });

  it('is refused in words where there is none, or nothing new', async () => {
    const { harness } = start();
    assert.deepEqual(
      [
        await harness.session.folders.problem('/gone'),
        await harness.session.folders.problem('/w/a.txt'),
        await harness.session.folders.problem('/other'),
      ],
      ['/gone does not exist.', '/w/a.txt is not a folder.', undefined],
    );
    assert.deepEqual(await harness.session.folders.add('/gone', false), {
      added: false,
      message: '/gone does not exist.',
    });
    assert.deepEqual(await harness.session.folders.add('/w/a.txt', false), {
      added: false,
      message: '/w/a.txt is not a folder.',
    });
    assert.deepEqual(await harness.session.folders.add('/w', false), {
      added: false,
      message: '/w is already part of the workspace.',
    });
  });
});
