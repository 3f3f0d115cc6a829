// What teams change about the tools that are offered, and that nothing changes where they are off.
import assert from 'node:assert/strict';
import { capabilitiesOf } from '../../../../../src/core/model/capabilities';
import { tracksBy } from '../../../../../src/core/tasks/task-lists';
import { teamsOn } from '../../../../../src/core/text/teams-on';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import { getTools } from '../../../../../src/core/tools/registry';
import { withTeams } from '../../../../../src/core/tools/teams/team-tools';
import { type AnyTool } from '../../../../../src/core/tool/tool';
import { convertToolsForAPI } from '../../../../../src/core/tool/convert-tool';

function offered(variables: Record<string, string>, names = false): AnyTool[] {
  const availability = availabilityOf(
    {},
    {
      interactive: true,
      platform: 'linux',
      names: () => names,
      tracks: tracksBy(
        () => variables,
        () => names,
      ),
      teams: () => teamsOn(variables),
    },
  );
  return withTeams(getTools({ isDenied: () => false, simple: false, availability }), teamsOn(variables));
}

async function prefix(tools: readonly AnyTool[]): Promise<string> {
  const prompt = { toolNames: tools.map(({ name }) => name), platform: 'linux', shell: 'bash' };
  return JSON.stringify(
    await convertToolsForAPI(tools, {
      prompt,
      can: capabilitiesOf('anthropic', 'claude-opus-5'),
      strictTools: false,
      warn: (message) => assert.fail(message),
    }),
  );
}

const lists = ['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'];

describe('the tools of teams', () => {
  it('are offered only where teams are on, also where a rule names them', async () => {
    for (const variables of [
      {},
      { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '0' },
      { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '' },
    ]) {
      const tools = offered(variables, true);
      assert.ok(!tools.some(({ name }) => name.startsWith('Team')));
      assert.doesNotMatch(
        await prefix(tools),
        /teammate|TeamCreate|team_name|shutdown/i,
        'nothing in front of a conversation speaks of them',
      );
    }
    const names = offered({ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name.startsWith('Team')),
      ['TeamCreate', 'TeamDelete'],
    );
    assert.equal(new Set(names).size, names.length);
  });

  it('come with single tasks, and never with TodoWrite beside them', () => {
    const listTools = (variables: Record<string, string>): string[] =>
      offered(variables)
        .map(({ name }) => name)
        .filter((name) => lists.includes(name));
    assert.deepEqual(listTools({ CLAUDE_CODE_ENABLE_TASKS: '0' }), ['TodoWrite']);
    for (const tasks of ['0', '1']) {
      assert.deepEqual(
        listTools({ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1', CLAUDE_CODE_ENABLE_TASKS: tasks }).sort(),
        lists.filter((name) => name !== 'TodoWrite').sort(),
      );
    }
  });

  it('make the Task tools whole: members look at the list again and again', () => {
    const seldom = (variables: Record<string, string>): string[] =>
      offered(variables).flatMap((tool) => (lists.includes(tool.name) && tool.seldom !== undefined ? [tool.name] : []));
    assert.deepEqual(seldom({}).sort(), lists.filter((name) => name !== 'TodoWrite').sort());
    assert.deepEqual(seldom({ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }), []);
  });

  it('stay within the budget of what stands before every conversation', async () => {
    assert.ok((await prefix(offered({ CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }))).length / 3.5 < 11_000);
  });
});
