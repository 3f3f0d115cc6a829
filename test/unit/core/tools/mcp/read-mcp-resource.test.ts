// ReadMcpResource with a real server: text and bytes.
import assert from 'node:assert/strict';
import { readMcpResourceTool } from '../../../../../src/core/tools/mcp/read-mcp-resource';
import { closeServers, openServers, referenceServer, settled } from '../../../../support/mcp/run-servers';
import { withPlace } from '../../../../support/tool-table';

describe('ReadMcpResource', () => {
  afterEach(closeServers);
  it('reads what the reference server offers', async () => {
    const servers = openServers({ everything: referenceServer('everything') });
    await settled(servers);
    await withPlace({ ports: { mcp: servers } }, {}, async (place) => {
      const read = async (uri: string): Promise<string> =>
        (await place.use(readMcpResourceTool, { server: 'everything', uri })).text;
      assert.match(
        await read('demo://resource/dynamic/text/1'),
        /^\[Resource demo:\/\/resource\/dynamic\/text\/1\]\nResource 1/,
      );
      assert.match(await read('demo://resource/dynamic/blob/1'), /saved to \/results\/[\w-]+-1\.\w+\]$/);
      assert.match(await read('demo://nothing'), /^Resource demo:\/\/nothing not found\.$/);
    });
  });
});
