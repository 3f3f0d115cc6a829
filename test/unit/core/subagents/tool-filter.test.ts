// Which tools agents get, by the tables of what no agent has, only Deft's own have, and the background allows.
import assert from 'node:assert/strict';
import { olderToolNames } from '../../../../src/core/permissions/rules/rule-syntax';
import {
  type AgentContext,
  ALWAYS_EXCLUDED_TOOLS,
  ASYNC_SAFE_TOOLS,
  BUILTIN_ONLY_TOOLS,
  filterToolsByContext,
  resolveAgentTools,
} from '../../../../src/core/subagents/tool-filter';

const tools = (text: string) =>
  text
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ name }));
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(' ');
const context: AgentContext = { builtIn: true, background: false, depth: 1, maxDepth: 3, planning: false };

describe('the tables of tools for agents', () => {
  it('know every older name of what they hold', () => {
    for (const table of [ALWAYS_EXCLUDED_TOOLS, BUILTIN_ONLY_TOOLS, ASYNC_SAFE_TOOLS]) {
      for (const [name, older] of Object.entries(olderToolNames))
        for (const old of older) assert.equal(table.has(old), table.has(name), old);
    }
    assert.deepEqual([...ALWAYS_EXCLUDED_TOOLS], ['ExitPlanMode', 'EnterPlanMode', 'Task', 'AskUserQuestion']);
    assert.ok(ALWAYS_EXCLUDED_TOOLS.has('Agent'));
    for (const name of ALWAYS_EXCLUDED_TOOLS) assert.ok(BUILTIN_ONLY_TOOLS.has(name), name);
    for (const name of [
      'Read',
      'Edit',
      'TodoWrite',
      'Grep',
      'WebSearch',
      'Glob',
      'Bash',
      'Skill',
      'SlashCommand',
      'WebFetch',
      'PowerShell',
      'Write',
      'NotebookEdit',
      'ToolSearch',
      'TaskStop',
      'SendMessage',
      'Problems',
      'Refactor',
    ])
      assert.ok(ASYNC_SAFE_TOOLS.has(name), name);
    assert.ok(!ASYNC_SAFE_TOOLS.has('Agent') && !ASYNC_SAFE_TOOLS.has('TaskOutput') && !ASYNC_SAFE_TOOLS.has('LSP'));
  });

  const all =
    'Read Bash Agent TaskOutput AskUserQuestion EnterPlanMode ExitPlanMode Config LSP mcp__s__t ScheduleWakeup WaitForMcpServers Workflow EndConversation';
  const cases: [string, Partial<AgentContext>, string][] = [
    ["one of Deft's own", {}, 'Read Bash Agent Config LSP mcp__s__t'],
    ["one of the user's", { builtIn: false }, 'Read Bash Agent LSP mcp__s__t'],
    ['one at the depth limit', { depth: 3 }, 'Read Bash Config LSP mcp__s__t'],
    ['one that plans', { builtIn: false, planning: true }, 'Read Bash Agent ExitPlanMode LSP mcp__s__t'],
    ['one in the background', { background: true }, 'Read Bash mcp__s__t'],
    ['one without servers', { mcp: '0', background: true }, 'Read Bash'],
  ];
  for (const [name, more, expected] of cases)
    it(`leave ${name} what it may have`, () =>
      assert.equal(names(filterToolsByContext(tools(all), { ...context, ...more })), expected));
});

describe('the tools of an agent file', () => {
  const all = 'Read Bash Edit WebFetch mcp__git__log mcp__git__push mcp__db__query';
  const cases: [string, { tools?: string[]; disallowedTools?: string[]; mcp?: string }, string][] = [
    ['all without either field', {}, all],
    ['those that it names', { tools: ['Read', 'Edit'] }, 'Read Edit'],
    ['by an older name', { tools: ['FileReadTool', 'BashTool'] }, 'Read Bash'],
    ['of a rule, its tool', { tools: ['Bash(git log *)', 'Read'] }, 'Read Bash'],
    ['none that it refuses, though it names it', { tools: ['Read', 'Bash'], disallowedTools: ['Bash'] }, 'Read'],
    [
      'a server, in two spellings',
      { tools: ['mcp__git', 'mcp__db__*'] },
      'mcp__git__log mcp__git__push mcp__db__query',
    ],
    ["a server's tool", { tools: ['Read', 'mcp__git__log'] }, 'Read mcp__git__log'],
    ['no server', { disallowedTools: ['mcp__*'] }, 'Read Bash Edit WebFetch'],
    ['not one server', { disallowedTools: ['mcp__git'] }, 'Read Bash Edit WebFetch mcp__db__query'],
    [
      'servers whatever it says, where the environment does',
      { tools: ['Read'], disallowedTools: ['mcp__git'], mcp: '1' },
      'Read mcp__git__log mcp__git__push mcp__db__query',
    ],
    ['unknown names beside known ones', { tools: ['Read', 'Fly'] }, 'Read'],
  ];
  for (const [name, { mcp, ...agent }, expected] of cases) {
    it(name, () => {
      const resolved = resolveAgentTools(tools(all), { name: 'x', ...agent }, mcp);
      assert.ok('tools' in resolved);
      assert.equal(names(resolved.tools), expected);
      assert.deepEqual(resolved.unknown, agent.tools?.includes('Fly') === true ? ['Fly'] : []);
    });
  }

  it('is an error where nothing is left', () => {
    for (const agent of [{ tools: ['Fly'] }, { tools: ['Bash'], disallowedTools: ['Bash'] }])
      assert.match(
        JSON.stringify(resolveAgentTools(tools(all), { name: 'x', ...agent })),
        /The agent x would have no tools/,
      );
  });
});
