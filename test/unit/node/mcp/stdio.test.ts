import assert from 'node:assert/strict';
import { closeServers, never, openServers, referenceServer, settled, statusOf } from '../../../support/mcp/run-servers';

describe('MCP servers that are processes', () => {
  afterEach(closeServers);

  it('lists and calls the tools of the reference server', async () => {
    const servers = openServers({ everything: referenceServer('everything') });
    await settled(servers);
    const status = statusOf(servers, 'everything');
    assert.deepEqual(status.state, { kind: 'connected' });
    assert.ok(status.tools.some(({ name }) => name === 'echo'));
    assert.ok(status.prompts.length > 0 && status.resources > 0 && status.instructions !== undefined);
    const outcome = await servers.callTool('everything', 'echo', { message: 'hello' }, { signal: never });
    assert.deepEqual(outcome, {
      outcome: 'answered',
      content: [{ type: 'text', text: 'Echo: hello' }],
      isError: false,
    });
  });
});
