// The tools of servers as those of sessions: made once for all of them, and anew only where something is different.
import assert from 'node:assert/strict';
import { cleanSchema } from '../../../../../src/core/mcp/clean-schema';
import { createServerTools, type ServerToolsOptions } from '../../../../../src/core/tools/mcp/server-tools';
import { type McpServers, type McpTool } from '../../../../../src/core/ports/mcp';
import { entryOf } from '../../../../support/mcp/run-servers';

const tool = (name: string): McpTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  annotations: {},
  meta: {},
});
const options: ServerToolsOptions = { deferral: 'on', maxOutputTokens: 25_000 };

describe('the tools of servers', () => {
  const tools = [tool('one'), tool('two')];
  const of = (list: readonly McpTool[], more: Partial<ServerToolsOptions> = {}, name = 'server') =>
    createServerTools(
      {
        list: () => [
          {
            entry: entryOf(name, { type: 'stdio', command: 'x', args: [], env: {} }),
            state: { kind: 'connected' },
            tools: list,
            prompts: [],
            resources: 0,
          },
        ],
      } as Partial<McpServers> as McpServers,
      { ...options, ...more },
    )();

  it('are the same objects in all sessions', () => {
    const [first, second] = [of(tools), of(tools)];
    assert.deepEqual(
      first.map(({ name }) => name),
      ['mcp__server__one', 'mcp__server__two'],
    );
    assert.ok(first.every((made, index) => made === second[index]));
  });

  it('are others where they are not deferred, may say more, belong to another server, or the list is new', () => {
    const [first] = of(tools);
    assert.equal(of(tools, { deferral: 'off' })[0]?.deferred, false);
    assert.notEqual(of(tools, { maxOutputTokens: 9 })[0], first);
    assert.equal(of(tools, {}, 'other')[0]?.name, 'mcp__other__one');
    assert.notEqual(of([...tools])[0], of(tools)[0]);
  });

  it('have their schemas cleaned once', () => {
    const [{ inputSchema } = tool('x')] = tools;
    assert.equal(cleanSchema(inputSchema), cleanSchema(inputSchema));
    assert.equal(of(tools)[0]?.inputJSONSchema, cleanSchema(inputSchema));
  });

  it('are shown by the names that users know, and called by their own', () => {
    const [shown] = of([{ ...tool('acme_find'), shownAs: { server: 'Acme Tools', tool: 'Find' } }], {}, 'extensions');
    assert.equal(shown?.name, 'mcp__extensions__acme_find');
    assert.deepEqual(shown.describe({}), { now: 'Asking Acme Tools: Find', past: 'Asked Acme Tools: Find' });
    assert.match(shown.searchText ?? '', /^Acme Tools Find /);
  });
});
