// The names of servers' tools: legal, unique, the same each time, and none that a rule for another server covers.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serverParts, toolNames } from '../../../../src/core/mcp/tool-name';
import { coversTool } from '../../../../src/core/permissions/rules/tool-rules';

const own = (...names: string[]) => names.map((name) => ({ name, scope: 'user' as const }));
const name = (server: string, tool: string): string | undefined =>
  toolNames(serverParts(own(server)).get(server) ?? '', [tool]).get(tool);

describe('names of MCP tools', () => {
  const cases: [server: string, tool: string, expected: RegExp][] = [
    ['github', 'create_issue', /^mcp__github__create_issue$/],
    ['my server', 'a.b/c', /^mcp__my_server__a_b_c$/],
    ['plugin:tools:db', 'query', /^mcp__plugin_tools_db__query$/],
    ['a__b_', 'x', /^mcp__a_b__x$/],
    ['s', 'x'.repeat(80), /^mcp__s__x{47}_[0-9a-f]{8}$/],
    ['s'.repeat(80), 'tool', /^mcp__s{27}_[0-9a-f]{8}__tool$/],
    ['日本', '語', /^mcp___?[0-9a-f_]*__+[0-9a-f_]*$/],
  ];
  for (const [server, tool, expected] of cases)
    it(`${server.slice(0, 20)}, ${tool.slice(0, 20)}`, () => assert.match(name(server, tool) ?? '', expected));

  it('tools of one name are told apart, whatever the order', () => {
    const names = toolNames('s', ['a.b', 'a_b', 'a/b']);
    assert.equal(names.get('a_b'), 'mcp__s__a_b');
    assert.equal(new Set(names.values()).size, 3);
    assert.deepEqual(new Map([...toolNames('s', ['a/b', 'a_b', 'a.b'])].sort()), new Map([...names].sort()));
  });

  it("a project takes no part that one of the user's own would have", () => {
    for (const scope of ['project', 'editor'] as const) {
      const parts = serverParts([
        { name: 'my_db', scope },
        { name: 'my.db', scope: 'user' },
      ]);
      assert.equal(parts.get('my.db'), 'my_db');
      assert.match(parts.get('my_db') ?? '', /^my_db_[0-9a-f]{8}$/);
    }
  });

  it('are legal and unique for any servers and tools, and rules keep to their server', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ maxLength: 90 }), { minLength: 1, maxLength: 6 }),
        fc.uniqueArray(fc.string({ maxLength: 90 }), { maxLength: 6 }),
        (servers, tools) => {
          const parts = serverParts(own(...servers));
          const made = servers.map((server) => [...toolNames(parts.get(server) ?? '', tools).values()]);
          const all = made.flat();
          assert.equal(new Set(all).size, servers.length * tools.length);
          for (const one of all) assert.match(one, /^[A-Za-z0-9_-]{1,64}$/);
          for (const [index, server] of servers.entries()) {
            const rule = {
              behavior: 'allow' as const,
              value: { toolName: `mcp__${parts.get(server)}` },
              source: 'userSettings' as const,
              root: '/',
            };
            for (const [other, names] of made.entries())
              for (const one of names)
                assert.equal(coversTool(rule, one), other === index, `${rule.value.toolName} ${one}`);
          }
        },
      ),
    );
  });
});
