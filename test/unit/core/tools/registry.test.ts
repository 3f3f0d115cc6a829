// Which tools there are, which a session gets, and how a name finds its tool.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { availabilityOf } from '../../../../src/core/tools/availability';
import { type Terminal } from '../../../../src/core/ports';
import { type Repl } from '../../../../src/core/ports/repl';
import { assembleToolPool, createToolRegistry, getAllBaseTools, getTools } from '../../../../src/core/tools/registry';
import { fakeTool } from '../../../support/fake-tools';

const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);
const availability = availabilityOf({}, { interactive: true, platform: 'linux' });
const all = ['Read', 'Edit', 'Write', 'Glob', 'Grep', 'Bash', 'TaskStop', 'TaskOutput'];
/** Off unless a setting names them. */
const named = ['REPL', 'PowerShell'];

describe('getAllBaseTools', () => {
  it('has unique names and aliases', () => {
    const known = getAllBaseTools().flatMap((tool) => [tool.name, ...tool.aliases]);
    assert.equal(new Set(known).size, known.length);
    assert.deepEqual(names(getAllBaseTools()), [...all, ...named]);
  });
});

describe('getTools', () => {
  const matrix: [string, Parameters<typeof getTools>[0], string[]][] = [
    ['everything', { isDenied: () => false, simple: false, availability }, all],
    ['without what a bare rule denies', { isDenied: (name) => name === 'Bash' || name === 'Write', simple: false, availability }, ['Read', 'Edit', 'Glob', 'Grep', 'TaskStop', 'TaskOutput']],
    ['the simple mode', { isDenied: () => false, simple: true, availability }, ['Read', 'Edit', 'Bash']],
    ['the simple mode without what is denied', { isDenied: (name) => name === 'Edit', simple: true, availability }, ['Read', 'Bash']],
    ['what is named besides', { isDenied: () => false, simple: false, availability: availabilityOf({ repl: {} as Repl, terminal: { shells: () => ['bash', 'powershell'] } as unknown as Terminal }, { interactive: true, platform: 'linux', names: (tool) => named.includes(tool) }) }, [...all, ...named]],
    ['nothing', { isDenied: () => true, simple: false, availability }, []],
  ];
  for (const [name, selection, expected] of matrix) it(name, () => assert.deepEqual(names(getTools(selection)), expected));
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
        assert.deepEqual(added, [...new Set(others)].filter((other) => !all.includes(other) && !named.includes(other)).sort());
        const shuffled = given.map((tool) => ({ tool, at: order.next().value ?? 0 })).sort((a, b) => a.at - b.at).map(({ tool }) => tool);
        assert.deepEqual(names(assembleToolPool(builtIn, shuffled)), names(pool));
      }),
    );
  });
});

describe('tool registry', () => {
  it('finds by name, then by alias, case-sensitively', () => {
    const registry = createToolRegistry(getAllBaseTools());
    for (const tool of getAllBaseTools()) {
      for (const name of [tool.name, ...tool.aliases]) assert.equal(registry.find(name), tool);
    }
    assert.equal(registry.find('read'), undefined);
    for (const [alias, name] of [['read_file', 'Read'], ['FileEditTool', 'Edit'], ['write_file', 'Write'], ['glob_search', 'Glob'], ['GrepTool', 'Grep'], ['bash', 'Bash'], ['KillShell', 'TaskStop'], ['KillBash', 'TaskStop'], ['BashOutput', 'TaskOutput'], ['AgentOutputTool', 'TaskOutput']] as const) {
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
