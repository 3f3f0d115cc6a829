// What an agent has of the session that started it, and what each keeps to itself.
import assert from 'node:assert/strict';
import { type Terminal } from '../../../../src/core/ports/terminal';
import { createSkillCatalogue } from '../../../../src/core/skills/skill-catalogue';
import { exitPlanModeTool } from '../../../../src/core/tools/plan/exit-plan-mode';
import { skillTool } from '../../../../src/core/tools/skill';
import { type PermissionMode } from '../../../../src/shared/permission';
import {
  type AgentHarness,
  type AgentHarnessOptions,
  agentTools,
  createAgentHarness,
  definition,
} from '../../../support/agent-harness';
import { isCollected } from '../../../support/collected';
import { countedSignal } from '../../../support/counted-signal';
import { safeTool, said } from '../../../support/fake-tools';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { createMemoryFiles } from '../../../support/memory-files';
import { delayed, reply, toolUse } from '../../../support/messages-api/script';
import { featureOf } from '../../../support/feature-of';
import { subagents } from '../../../../src/core/features/subagents/subagents-key';

const agent = (input: object = {}, id = 'a1') =>
  toolUse('Agent', { description: 'Find it', prompt: 'Find the thing', ...input }, id);
const asked = (harness: AgentHarness): (string | undefined)[] =>
  harness.approvals.map(({ toolName, agent: who }) => `${who?.name ?? 'conversation'}: ${toolName}`);

describe('what a skill allows for its turn', () => {
  const files = createMemoryFiles({
    '/home/ann/.claude/skills/a/SKILL.md': '---\ndescription: x\nallowed-tools: Edit\n---\nEdit it.\n',
  });
  const catalogue = createSkillCatalogue({
    files,
    folders: () => [{ source: 'personal', path: '/home/ann/.claude', root: '/home/ann' }],
    workspace: () => ['/w'],
    trusted: () => true,
  });
  const start = (options: Pick<AgentHarnessOptions, 'main' | 'agents'>): AgentHarness =>
    createAgentHarness({
      ...options,
      files,
      tools: [...agentTools, skillTool],
      answer: () => ({ behavior: 'allow' }),
      session: { skills: { catalogue } },
    });
  const use = toolUse('Skill', { skill: 'a' }, 's1');

  it('holds in the session that used it and in no agent', async () => {
    const harness = start({
      main: [reply(use), reply(agent()), reply(toolUse('Edit', {}, 'e2')), reply('Done.')],
      agents: { 'Find the thing': [reply(toolUse('Edit', {}, 'e1')), reply('Found.')] },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(asked(harness), ['general-purpose: Edit']);
  });

  it('holds in the agent that used it, and not in the conversation', async () => {
    const harness = start({
      main: [reply(agent()), reply(toolUse('Edit', {}, 'e2')), reply('Done.')],
      agents: { 'Find the thing': [reply(use), reply(toolUse('Edit', {}, 'e1')), reply('Found.')] },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(asked(harness), ['conversation: Edit']);
  });
});

describe('an agent that plans', () => {
  const plan = toolUse('ExitPlanMode', { plan: '# Do it' }, 'p1');
  const start = (answer: NonNullable<AgentHarnessOptions['answer']>, mode?: PermissionMode): AgentHarness =>
    createAgentHarness({
      main: [reply(agent({ subagent_type: 'planner' })), reply('Done.')],
      agents: { 'Find the thing': [reply(plan), reply(toolUse('Edit', {}, 'e1')), reply('Found.')] },
      definitions: [definition('planner', { permissionMode: 'plan' })],
      files: createMemoryFiles({}),
      tools: [...agentTools, exitPlanModeTool],
      answer,
      session: mode === undefined ? {} : { mode },
    });

  it('goes on in a mode of its own once its plan is accepted; the conversation keeps its mode', async () => {
    const byHand = start(() => ({ behavior: 'allow' }));
    assert.deepEqual(await byHand.run('Go'), { reason: 'completed' });
    assert.deepEqual(asked(byHand), ['planner: ExitPlanMode', 'planner: Edit']);
    const accepted = start(({ toolName }) =>
      toolName === 'Edit'
        ? { behavior: 'deny', interrupt: false }
        : { behavior: 'allow', updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
    );
    assert.deepEqual(await accepted.run('Go'), { reason: 'completed' });
    assert.match(
      [...accepted.transcripts.values()].flat().join(),
      /Edits inside the workspace are applied at once now/,
    );
    assert.equal(accepted.session.permission.mode, 'default');
    assert.ok(
      !accepted
        .stored()
        .some((record) => record.type === 'system' && record.subtype === 'setting' && record.name === 'mode'),
    );
  });

  it('can have no plan accepted while the conversation itself plans', async () => {
    const harness = start(() => ({ behavior: 'allow' }), 'plan');
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(asked(harness), []);
    assert.equal(harness.session.permission.mode, 'plan');
  });
});

it('an agent hears of a report that comes during its last reply, in a further turn', async () => {
  let go = (): void => undefined;
  const ended = new Promise<void>((resolve) => (go = resolve));
  const harness: AgentHarness = createAgentHarness({
    main: [reply(agent()), reply('Done.')],
    agents: {
      'Find the thing': [
        reply(agent({ prompt: 'Inner', run_in_background: true }, 'a2')),
        delayed(reply('Not yet.'), ended),
        reply('It is here.'),
      ],
      Inner: [reply('Inner found it.')],
    },
  });
  void harness
    .when(
      (event) =>
        event.type === 'subagent_record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    )
    .then(go);
  assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
  assert.deepEqual(harness.model.violations, []);
  assert.match(JSON.stringify(harness.model.requests.at(-2)?.messages), /Inner found it\./);
  assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /It is here\./);
});

describe('who may stop an agent', () => {
  const never = delayed(reply('Never.'), new Promise(() => undefined));

  it('not one beside it: an agent knows of those below it alone', async () => {
    const harness = createAgentHarness({
      main: [
        reply(agent({ prompt: 'Other', name: 'other', run_in_background: true }, 'a1'), agent({}, 'a2')),
        reply('Done.'),
      ],
      agents: {
        Other: [never],
        'Find the thing': [reply(toolUse('TaskStop', { task_id: 'other' }, 's1')), reply('Tried.')],
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(harness.chat().background.length, 1);
    assert.match([...harness.transcripts.values()].flat().join(), /There is no background task/);
    await harness.session.close();
  });
});

describe('what hooks of the conversation export', () => {
  it('holds for commands of agents too', async () => {
    const files: (string | undefined)[] = [];
    const terminal = {
      run: async ({ environmentFile }: { environmentFile?: string }) => void files.push(environmentFile),
      background: () => [],
    } as unknown as Terminal;
    const judged = { active: [commandHook('SessionStart', 'note')] };
    const harness = createAgentHarness({
      main: [reply(agent()), reply('Done.')],
      agents: { 'Find the thing': [reply(toolUse('Run', {}, 'r1')), reply('Found.')] },
      tools: [
        ...agentTools,
        safeTool('Run', {
          call: async (_input, { ports }) => (
            await ports.terminal.run({ command: 'x' } as never, () => undefined, new AbortController().signal),
            said('run')
          ),
        }),
      ],
      ports: { hooks: scriptedHooks(() => undefined), terminal },
      session: { hooks: () => judged },
    });
    await harness.run('Go');
    assert.match(files.join(), /session-environment\.sh$/);
  });
});

describe('the list of skills', () => {
  it('is told only to agents that can use one', async () => {
    const files = createMemoryFiles({
      '/home/ann/.claude/skills/a/SKILL.md': '---\ndescription: Mends all\n---\nEdit it.\n',
    });
    const catalogue = createSkillCatalogue({
      files,
      folders: () => [{ source: 'personal', path: '/home/ann/.claude', root: '/home/ann' }],
      workspace: () => ['/w'],
      trusted: () => true,
    });
    const harness = createAgentHarness({
      main: [
        reply(agent({ subagent_type: 'with' }, 'a1')),
        reply(agent({ prompt: 'Second', subagent_type: 'without' }, 'a2')),
        reply('Done.'),
      ],
      agents: { 'Find the thing': [reply('Found.')], Second: [reply('Found.')] },
      definitions: [definition('with'), definition('without', { tools: ['Read'] })],
      files,
      tools: [...agentTools, skillTool],
      session: { skills: { catalogue } },
    });
    await harness.run('Go');
    const heard = (name: string): boolean =>
      harness.model.requests.some(
        ({ system, messages }) =>
          system[0]?.text.startsWith(`You are ${name}.`) === true && JSON.stringify(messages).includes('Mends all'),
      );
    assert.deepEqual([heard('with'), heard('without')], [true, false]);
  });
});

describe('an agent that has ended', () => {
  it('leaves nothing on the signal of who waited for it, which may be that of a whole run', async () => {
    const harness = createAgentHarness({
      main: [reply(agent({ run_in_background: true })), reply('Started.')],
      agents: { 'Find the thing': [reply('Found.')] },
    });
    await harness.run('Go');
    const { signal, listeners } = countedSignal();
    await featureOf(harness.session, subagents).allEnded(signal);
    assert.equal(listeners(), 0);
  });

  it('does not keep its session in memory', async () => {
    const transcripts = new Map<string, string[]>();
    const first = createAgentHarness({
      main: [reply(agent({ name: 'scout' })), reply('Done.')],
      agents: { 'Find the thing': [reply('Found.')] },
      transcripts,
    });
    await first.run('Go');
    await first.session.close();
    let held: WeakRef<object> | undefined;
    const harness = createAgentHarness({
      main: [reply(toolUse('SendMessage', { to: 'scout', message: 'And?' }, 's1')), reply('Sent.'), reply('Thanks.')],
      agents: { 'Find the thing': [reply('It is there.')] },
      transcripts,
      records: first.stored(),
      reopened: (records) => (held = new WeakRef(records)),
    });
    const ended = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    await harness.run('Ask it');
    await ended;
    await harness.run('Now?');
    assert.ok(held !== undefined && (await isCollected(held)), 'its records are still held');
    await harness.session.close();
  });
});
