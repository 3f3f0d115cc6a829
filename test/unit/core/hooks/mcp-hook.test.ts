// Hooks that are tools of MCP servers: what comes back of a call, and what a hook makes of it.
import assert from 'node:assert/strict';
import { withMcpTools } from '../../../../src/core/hooks/mcp-hook';
import { type HookHandlers } from '../../../../src/core/ports/hook-handlers';
import { type McpCallOutcome, type McpServers } from '../../../../src/core/ports/mcp';

const never = new AbortController().signal;
const handlers = {} as HookHandlers;
const call = { server: 's', tool: 't', input: { a: 1 } };
const answering = (outcome: () => Promise<McpCallOutcome>): { servers: McpServers; asked: unknown[] } => {
  const asked: unknown[] = [];
  const servers = {
    callTool: (server: string, tool: string, input: unknown) => (asked.push([server, tool, input]), outcome()),
  } as unknown as McpServers;
  return { servers, asked };
};
const run = (servers: McpServers, signal = never) => withMcpTools(handlers, servers).callMcpTool?.(call, signal);

describe('hooks that are tools of MCP servers', () => {
  it('are there only where servers are', () => {
    assert.equal(withMcpTools(handlers, undefined).callMcpTool, undefined);
  });

  it('give the tool its input, and its words count as what a hook prints', async () => {
    const { servers, asked } = answering(async () => ({
      outcome: 'answered',
      content: [
        { type: 'text', text: '{"decision":' },
        { type: 'text', text: '"block"}' },
      ],
      isError: false,
    }));
    assert.deepEqual(await run(servers), { kind: 'body', text: '{"decision":\n"block"}' });
    assert.deepEqual(asked, [['s', 't', { a: 1 }]]);
  });

  it('fail where the tool or the server does, and are cancelled with their turn', async () => {
    assert.deepEqual(await run(answering(async () => ({ outcome: 'answered', content: [], isError: true })).servers), {
      kind: 'failed',
      message: 't of s failed.',
    });
    assert.deepEqual(await run(answering(async () => ({ outcome: 'failed', message: 'Gone.' })).servers), {
      kind: 'failed',
      message: 'Gone.',
    });
    const stop = AbortSignal.abort();
    assert.deepEqual(await run(answering(() => Promise.reject(new Error('aborted'))).servers, stop), {
      kind: 'cancelled',
    });
    await assert.rejects(async () => run(answering(() => Promise.reject(new Error('a fault'))).servers), /a fault/);
  });
});
