// `disallowed-tools` of a skill that runs in an agent: they bind that agent, whatever it starts, and the agent again when it continues.
import assert from 'node:assert/strict';
import { readSkill } from '../../../../src/core/skills/read-skill';
import { type Skill } from '../../../../src/core/skills/skill';
import { skillTool } from '../../../../src/core/tools/skill';
import { type AgentHarness, agentTools, createAgentHarness } from '../../../support/agent-harness';
import { safeTool } from '../../../support/fake-tools';
import { type ScriptedReply, reply, toolUse } from '../../../support/messages-api/script';
import { featureOf } from '../../../support/feature-of';
import { subagents } from '../../../../src/core/features/subagents/subagents-key';

const guarded =
  '---\ndescription: Looks\ncontext: fork\nallowed-tools: Edit\ndisallowed-tools: Bash, Read(//secret/**)\n---\nLook around.\n';
const uses = reply(toolUse('Skill', { skill: 'look' }, 's1'));
const again = reply(toolUse('Skill', { skill: 'look' }, 's1'), toolUse('Bash', { text: 'main' }, 'b0'));
const inside = reply(
  toolUse('Bash', { text: 'x' }, 'b1'),
  toolUse('Read', { text: '/secret/key' }, 'r1'),
  toolUse('Read', { text: '/w/a' }, 'r2'),
);

describe('the agent that a skill runs in', () => {
  it('has no tool that the skill refuses, and reads nothing that it denies; what the skill allows does not reach it, and the turn is not bound', async () => {
    const harness = world([again, reply('Done.')], { Look: [inside, reply('Looked.')] });
    await harness.run('Go');
    const asked = requestsOf(harness, 'Look around.');
    assert.ok(!namesOf(asked[0]).includes('Bash') && namesOf(asked[0]).includes('Edit'));
    const results = JSON.stringify(asked[1]?.messages.at(-1));
    assert.match(results, /No such tool available: Bash/);
    assert.match(results, /Permission denied/);
    assert.match(results, /\/w\/a/);
    // The turn itself has Bash.
    assert.deepEqual(
      harness.approvals.map(({ agent }) => agent?.name),
      [undefined],
    );
  });

  it('binds the agents that it starts', async () => {
    const starts = reply(
      toolUse('Agent', { description: 'Inner', prompt: 'Inner task', subagent_type: 'general-purpose' }, 'a2'),
    );
    const harness = world([uses, reply('Done.')], {
      Look: [starts, reply('Looked.')],
      Inner: [inside, reply('Inner done.')],
    });
    await harness.run('Go');
    const [first, second] = requestsOf(harness, 'Inner');
    assert.ok(!namesOf(first).includes('Bash'));
    assert.match(JSON.stringify(second?.messages.at(-1)), /Permission denied/);
  });

  it('is bound again when a message makes it go on, from its log alone', async () => {
    const first = world([uses, reply('Done.')], { Look: [reply('Looked.')] });
    await first.run('Go');
    const [id = ''] = first.agentIds();
    const later = world(
      [reply(toolUse('SendMessage', { to: id, message: 'Look again.' }, 'm1')), reply('Sent.'), reply('Fine.')],
      { Look: [inside, reply('Looked again.')] },
      { records: first.stored(), transcripts: new Map(first.transcripts) },
    );
    await later.run('Go on');
    await featureOf(later.session, subagents).allEnded(new AbortController().signal);
    const [resumed, after] = requestsOf(later, 'Look around.');
    assert.ok(resumed !== undefined && !namesOf(resumed).includes('Bash'));
    assert.match(JSON.stringify(after?.messages.at(-1)), /Permission denied/);
    assert.deepEqual(later.approvals, []);
  });
});

function world(
  main: readonly ScriptedReply[],
  agents: Record<string, ScriptedReply[]>,
  more: { records?: ReturnType<AgentHarness['stored']>; transcripts?: Map<string, string[]> } = {},
): AgentHarness {
  const read = safeTool('Read', { targets: ({ text = '' }) => [{ kind: 'file', access: 'read', path: text }] });
  const skills = [lookSkill()];
  return createAgentHarness({
    main,
    agents,
    ...more,
    tools: [...agentTools.filter(({ name }) => name !== 'Read'), read, skillTool],
    answer: () => ({ behavior: 'allow' }),
    session: { skills: { catalogue: { list: async () => ({ skills, problems: [] }), touch: async () => false } } },
  });
}

function lookSkill(): Skill {
  const { skill } = readSkill(guarded, {
    name: 'look',
    source: 'personal',
    kind: 'skill',
    file: '/h/.claude/skills/look/SKILL.md',
    folder: '/h/.claude/skills/look',
    root: '/h',
  });
  return skill ?? assert.fail('no skill');
}

function requestsOf({ model }: AgentHarness, task: string): AgentHarness['model']['requests'] {
  return model.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes(task));
}

function namesOf(request: { tools?: readonly { name?: string }[] } | undefined): string[] {
  return (request?.tools ?? []).flatMap(({ name }) => name ?? []);
}
