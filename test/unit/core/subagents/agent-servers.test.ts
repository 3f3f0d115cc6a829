// Tools of MCP servers in agents: what their files and the environment leave of them, and what agents learn of servers.
import assert from 'node:assert/strict';
import { type McpServers, type McpServerStatus, type McpTool } from '../../../../src/core/ports/mcp';
import { agentTool } from '../../../../src/core/tools/agents/agent';
import { toolSearchTool } from '../../../../src/core/tools/tool-search';
import { type AgentDefinition } from '../../../../src/core/subagents/agent-definition';
import { createAgentHarness, definition } from '../../../support/agent-harness';
import { safeTool } from '../../../support/fake-tools';
import { entryOf } from '../../../support/mcp/run-servers';
import { reply, toolUse } from '../../../support/messages-api/script';

const tool = (name: string): McpTool => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
  annotations: {},
  meta: {},
});
const status = (name: string, tools: McpTool[]): McpServerStatus => ({
  entry: entryOf(name, { type: 'stdio', command: 'x', args: [], env: {} }),
  state: { kind: 'connected' },
  tools,
  prompts: [],
  resources: 0,
  instructions: `About ${name}.`,
});
const list = [status('db', [tool('read'), tool('drop')]), status('mail', [tool('send')])];
const servers = {
  list: () => list,
  onChange: () => () => undefined,
  settled: async () => undefined,
} as unknown as McpServers;

async function agentsRequest(
  more: Partial<AgentDefinition>,
  environment: Record<string, string> = {},
  searchable = true,
): Promise<{ tools: [name: string, deferred: boolean][]; text: string }> {
  const harness = createAgentHarness({
    main: [reply(toolUse('Agent', { description: 'd', prompt: 'Do it', subagent_type: 'own' })), reply('Done.')],
    agents: { 'Do it': [reply('Report.')] },
    definitions: [definition('own', more)],
    environment,
    tools: [agentTool, safeTool('Read'), ...(searchable ? [toolSearchTool] : [])],
    ports: { mcp: servers },
  });
  await harness.run('Go');
  assert.deepEqual(harness.model.violations, []);
  const request =
    harness.model.requests.find(({ system }) => JSON.stringify(system).includes('You are own.')) ??
    assert.fail('no agent asked');
  return {
    tools: (request.tools ?? []).map((one) => [one.name, 'defer_loading' in one && one.defer_loading === true]),
    text: JSON.stringify(request.messages),
  };
}
const names = (tools: [string, boolean][]): string[] =>
  tools.map(([name]) => name).filter((name) => name.startsWith('mcp__'));

describe('tools of servers in agents', () => {
  it('are all there where its file says nothing', async () => {
    const { tools, text } = await agentsRequest({}, {}, false);
    assert.deepEqual(names(tools), ['mcp__db__drop', 'mcp__db__read', 'mcp__mail__send']);
    assert.ok(text.includes('About db.') && text.includes('About mail.'));
  });

  it('are none of those that its file withholds, and nothing is said of their servers', async () => {
    const some = await agentsRequest({ tools: ['Read', 'mcp__mail'] });
    assert.deepEqual(names(some.tools), ['mcp__mail__send']);
    assert.ok(some.text.includes('About mail.') && !some.text.includes('About db.'));
    assert.deepEqual(names((await agentsRequest({ disallowedTools: ['mcp__*'] })).tools), []);
    const none = await agentsRequest({ tools: ['Read'] });
    assert.deepEqual(none.tools, [['Read', false]]);
    assert.ok(!none.text.includes('About'));
    assert.deepEqual(names((await agentsRequest({}, { CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS: '0' })).tools), []);
  });

  it('are sent whole where nothing could load them', async () => {
    const searching = await agentsRequest({ tools: ['ToolSearch', 'mcp__mail'] });
    assert.deepEqual(names(searching.tools), []);
    assert.match(searching.text, /with the tool search before you call it: mcp__mail__send\./);
    for (const { tools, text } of [
      await agentsRequest({ tools: ['Read', 'mcp__mail'] }),
      await agentsRequest({}, {}, false),
    ]) {
      assert.ok(
        names(tools).includes('mcp__mail__send') && tools.every(([, deferred]) => !deferred),
        JSON.stringify(tools),
      );
      assert.ok(!text.includes('ToolSearch'));
    }
  });
});
