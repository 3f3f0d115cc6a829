// Which tools there are, which a session gets, and how a name finds its tool.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Availability } from '../../../../src/core/tool/tool';
import { availabilityOf } from '../../../../src/core/tool/availability';
import { type Terminal } from '../../../../src/core/ports/terminal';
import { type Repl } from '../../../../src/core/ports/repl';
import { assembleToolPool, createToolRegistry, getAllBaseTools, getTools } from '../../../../src/core/tools/registry';
import { canonicalToolName, olderToolNames } from '../../../../src/core/permissions/rules/rule-syntax';
import { fakeTool } from '../../../support/fake-tools';

const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);
const availability = availabilityOf({}, { interactive: true, platform: 'linux' });
/** The snapshot is written anew by UPDATE_SNAPSHOTS=1: a new tool needs no other list. */
const all = readFileSync('test/golden/snapshots/tool-names.txt', 'utf8').trim().split('\n');
/** TodoWrite is in place of them where somebody asks for it. */
const tasks = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];
/** Off unless agent teams are on. */
const teams = ['TeamCreate', 'TeamDelete'];
const usual = all.filter((name) => name !== 'TodoWrite' && !teams.includes(name));
const least = usual.filter(
  (name) =>
    ![
      'PowerShell',
      'REPL',
      'LSP',
      'Problems',
      'Refactor',
      'Page',
      'Debug',
      'RunCells',
      'RunTask',
      'WebFetch',
      'WebSearch',
      'Config',
      'ListMcpResources',
      'ReadMcpResource',
    ].includes(name),
);
/** Somebody answers them. */
const asking = ['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode'];
/** Off unless a rule names them. */
const named = ['PowerShell', 'REPL'];
const most: Availability = {
  ...availability,
  has: () => true,
  provider: 'anthropic',
  shells: ['bash', 'powershell'],
  names: () => true,
};

describe('getAllBaseTools', () => {
  it('has unique names and aliases', () => {
    const known = getAllBaseTools().flatMap((tool) => [tool.name, ...tool.aliases]);
    assert.equal(new Set(known).size, known.length);
    assert.deepEqual(names(getAllBaseTools()), all);
  });
});

describe('older names of tools', () => {
  /** Every pair that transcripts, rules, hooks and agent files may hold, also of tools that are not built. */
  const pairs =
    `read_file Read, write_file Write, edit_file Edit, glob_search Glob, grep_search Grep, bash Bash, powershell PowerShell, repl REPL, web_search WebSearch,
    web_fetch WebFetch, agent Agent, skill Skill, todo_write TodoWrite, notebook_edit NotebookEdit, tool_search ToolSearch, config Config, Task Agent,
    SlashCommand Skill, KillShell TaskStop, BashOutput TaskOutput, AgentOutputTool TaskOutput, FileReadTool Read, FileWriteTool Write, FileEditTool Edit,
    NotebookEditTool NotebookEdit, GlobTool Glob, GrepTool Grep, BashTool Bash, PowerShellTool PowerShell, WebFetchTool WebFetch, WebSearchTool WebSearch,
    AgentTool Agent, SkillTool Skill, LSPTool LSP, ConfigTool Config, ToolSearchTool ToolSearch`
      .split(',')
      .map((pair) => pair.trim().split(' ') as [string, string]);

  it('resolve to the name that each has now; other names stay', () => {
    assert.equal(pairs.length, 36);
    for (const [older, name] of pairs) assert.equal(canonicalToolName(older), name, older);
    for (const name of [...new Set(pairs.map(([, now]) => now)), 'MCPTool', 'mcp__server__tool', 'read', 'toString'])
      assert.equal(canonicalToolName(name), name);
  });

  it('mean one tool each, and none is a name that a tool has now', () => {
    const older = Object.values(olderToolNames).flat();
    assert.equal(new Set(older).size, older.length);
    for (const name of older) assert.ok(!(name in olderToolNames), name);
  });

  for (const tool of getAllBaseTools()) {
    it(`${tool.name}: the same for rules as for calls`, () => {
      assert.deepEqual([...tool.aliases].sort(), [...(olderToolNames[tool.name] ?? [])].sort());
    });
  }
});

describe('every built-in tool', () => {
  for (const tool of getAllBaseTools()) {
    it(`${tool.name}: has a tier, a schema of its output and a limit of its result; its examples fit`, () => {
      assert.ok(['ReadOnly', 'WorkspaceWrite', 'DangerFullAccess'].includes(tool.access));
      assert.ok(tool.outputSchema !== undefined);
      assert.equal(tool.outputSchema.safeParse('not such an output').success, false);
      assert.ok(tool.maxResultSizeChars > 0 && tool.maxResultSizeChars <= 500_000);
      assert.equal(tool.isMcp, false);
      for (const example of tool.input_examples ?? []) assert.equal(tool.inputSchema.safeParse(example).success, true);
    });
  }
});

describe('getTools', () => {
  const matrix: [string, Parameters<typeof getTools>[0], string[]][] = [
    ['everything', { isDenied: () => false, simple: false, availability: most }, usual],
    [
      'a list of todos in place of single tasks',
      { isDenied: () => false, simple: false, availability: { ...most, tracks: (tools) => tools === 'todos' } },
      all.filter((name) => !tasks.includes(name) && !teams.includes(name)),
    ],
    ['what a host with the least ports can do', { isDenied: () => false, simple: false, availability }, least],
    [
      'what needs nobody',
      { isDenied: () => false, simple: false, availability: { ...availability, interactive: false } },
      least.filter((name) => !asking.includes(name)),
    ],
    [
      'what needs nobody, in plan mode',
      {
        isDenied: () => false,
        simple: false,
        availability: { ...availability, interactive: false, startsInPlan: () => true },
      },
      least.filter((name) => !asking.includes(name) || name === 'ExitPlanMode'),
    ],
    [
      'without what a bare rule denies',
      { isDenied: (name) => name === 'Bash' || name === 'Write', simple: false, availability },
      least.filter((name) => name !== 'Bash' && name !== 'Write'),
    ],
    ['the simple mode', { isDenied: () => false, simple: true, availability }, ['Read', 'Edit', 'Bash']],
    [
      'the simple mode without what is denied',
      { isDenied: (name) => name === 'Edit', simple: true, availability },
      ['Read', 'Bash'],
    ],
    [
      'what a rule names besides',
      {
        isDenied: () => false,
        simple: false,
        availability: availabilityOf(
          { repl: {} as Repl, terminal: { shells: () => ['bash', 'powershell'] } as unknown as Terminal },
          { interactive: true, platform: 'linux', names: (tool) => named.includes(tool) },
        ),
      },
      usual.filter((name) => least.includes(name) || named.includes(name)),
    ],
    [
      'what no rule names',
      { isDenied: () => false, simple: false, availability: { ...most, names: () => false } },
      usual.filter((name) => !named.includes(name)),
    ],
    [
      'no commands in a workspace that is on no disk',
      { isDenied: () => false, simple: false, availability: { ...most, runsCommands: () => false } },
      usual.filter((name) => !['Bash', 'PowerShell', 'REPL', 'Debug', 'RunTask'].includes(name)),
    ],
    ['nothing', { isDenied: () => true, simple: false, availability }, []],
  ];
  for (const [name, selection, expected] of matrix)
    it(name, () => assert.deepEqual(names(getTools(selection)), expected));
});

describe('assembleToolPool', () => {
  it('keeps built-ins first and in their order, sorts the rest, and lets a built-in win', () => {
    const name = fc.stringMatching(/^mcp__[a-z]{1,4}__[A-Z]{1,3}$/);
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.constantFrom(...all))), fc.infiniteStream(fc.nat()), (others, order) => {
        const builtIn = getAllBaseTools();
        const given = others.map((other) => fakeTool(other));
        const pool = assembleToolPool(builtIn, given);
        assert.deepEqual(pool.slice(0, builtIn.length), builtIn);
        const added = names(pool.slice(builtIn.length));
        assert.deepEqual(added, [...new Set(others)].filter((other) => !all.includes(other)).sort());
        const shuffled = given
          .map((tool) => ({ tool, at: order.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ tool }) => tool);
        assert.deepEqual(names(assembleToolPool(builtIn, shuffled)), names(pool));
      }),
    );
  });
});

describe('tool registry', () => {
  it('finds by name, then by alias, then by either in another spelling', () => {
    const registry = createToolRegistry(getAllBaseTools());
    for (const tool of getAllBaseTools()) {
      for (const name of [tool.name, ...tool.aliases]) assert.equal(registry.find(name), tool);
    }
    for (const [name, tool] of [
      ['read', 'Read'],
      ['GREP', 'Grep'],
      ['todowrite', 'TodoWrite'],
      ['web-fetch', 'WebFetch'],
      ['Read_File', 'Read'],
      ['multiedit', undefined],
      ['rea', undefined],
    ] as const) {
      assert.equal(registry.find(name)?.name, tool, name);
    }
    for (const [alias, name] of [
      ['read_file', 'Read'],
      ['FileEditTool', 'Edit'],
      ['write_file', 'Write'],
      ['glob_search', 'Glob'],
      ['GrepTool', 'Grep'],
      ['bash', 'Bash'],
      ['todo_write', 'TodoWrite'],
      ['ConfigTool', 'Config'],
    ] as const) {
      assert.equal(registry.find(alias)?.name, name, alias);
    }
  });

  it('takes tools one by one; a namesake that comes later is ignored, a name wins over an alias', () => {
    const first = fakeTool('A', { aliases: ['B', 'old'] });
    const second = fakeTool('B', { aliases: ['old'] });
    const registry = createToolRegistry().register(first).register(second).register(fakeTool('A'));
    assert.deepEqual(registry.all(), [first, second]);
    assert.equal(registry.find('A'), first);
    assert.equal(registry.find('B'), second);
    assert.equal(registry.find('old'), first);
  });

  it('knows names that are near, nearest first', () => {
    const registry = createToolRegistry(getAllBaseTools());
    assert.equal(registry.near('Raed')[0], 'Read');
    assert.equal(registry.near('grep')[0], 'Grep');
    assert.equal(registry.near('Bahs')[0], 'Bash');
    assert.deepEqual(registry.near('DeployToProduction'), []);
    assert.ok(registry.near('e').length <= 3);
  });
});
