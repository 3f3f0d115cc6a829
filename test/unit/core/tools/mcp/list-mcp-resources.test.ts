// ListMcpResources with a real server.
import assert from 'node:assert/strict';
import { listMcpResourcesTool } from '../../../../../src/core/tools/mcp/list-mcp-resources';
import { closeServers, openServers, referenceServer, settled } from '../../../../support/mcp/run-servers';
import { withPlace } from '../../../../support/tool-table';

describe('ListMcpResources', () => {
  afterEach(closeServers);
  it('lists what the reference server offers', async () => {
    const servers = openServers({ everything: referenceServer('everything') });
    await settled(servers);
    const { text, detail, view } = await withPlace({ ports: { mcp: servers } }, {}, (place) =>
      place.use(listMcpResourcesTool, {}),
    );
    assert.match(text, /^\{"server":"everything","uri":"demo:\/\//);
    assert.match(detail ?? '', /^\d+ resources$/);
    assert.equal(view?.kind, 'json');
  });
});
