// "Why?" on what an agent asks: the conversation finds the trace of a call that is in the agent's log alone.
import assert from 'node:assert/strict';
import { type PastDecisions } from '../../../../src/core/calls/past-decisions';
import { agentTools, createAgentHarness } from '../../../support/agent-harness';
import { reply, toolUse } from '../../../support/messages-api/script';

const agent = (prompt: string, id: string) => toolUse('Agent', { description: 'Find it', prompt }, id);

describe("the decision on an agent's call", () => {
  it('is traced while the user is asked, of an agent that an agent started too, and not once it has ended', async () => {
    const traced: Awaited<ReturnType<PastDecisions['trace']>>[] = [];
    const rule = {
      behavior: 'ask',
      value: { toolName: 'Bash' },
      source: 'userSettings',
      root: '/h',
      file: '/h/.claude/settings.json',
    } as const;
    const harness = createAgentHarness({
      main: [reply(agent('Outer', 'a1')), reply('Done.')],
      agents: {
        Outer: [reply(toolUse('Bash', { text: 'o' }, 'b1')), reply(agent('Inner', 'a2')), reply('Outer done.')],
        Inner: [reply(toolUse('Bash', { text: 'i' }, 'b2')), reply('Inner done.')],
      },
      tools: agentTools,
      session: {
        permission: () => ({
          rules: [rule],
          folders: ['/w'],
          ownFolders: [],
          home: '/h',
          ignoreCase: false,
          trusted: true,
        }),
      },
      answer: async ({ toolUseId }) => {
        traced.push(await harness.session.permission.decisions.trace(toolUseId));
        return { behavior: 'allow' };
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      harness.approvals.map(({ toolUseId, agent: by }) => [toolUseId, by?.name]),
      [
        ['b1', 'general-purpose'],
        ['b2', 'general-purpose'],
      ],
    );
    assert.deepEqual(
      traced.map((found) => [
        found?.present,
        found?.trace.behavior,
        found?.trace.steps.some(
          ({ decided, check, rules }) =>
            decided && check === 'ask' && rules.some((one) => one.matches && one.rule === 'Bash'),
        ),
      ]),
      [
        [false, 'ask', true],
        [false, 'ask', true],
      ],
    );
    assert.equal(await harness.session.permission.decisions.trace('b1'), undefined);
    assert.equal(await harness.session.permission.decisions.trace('nobody'), undefined);
  });
});
