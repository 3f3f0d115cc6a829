// ToolSearch while servers are connecting: it waits only where something is missing, and ends with the turn.
import assert from 'node:assert/strict';
import { toolSearchTool } from '../../../../src/core/tools/tool-search';
import { givenServers } from '../../../support/mcp/fake-servers';
import { withPlace } from '../../../support/tool-table';

describe('ToolSearch', () => {
  const search = async (
    query: string,
    known: { name: string; text: string }[],
    coming: { name: string; text: string }[],
  ): Promise<{ waits: number; text: string }> => {
    let waits = 0;
    const mcp = givenServers({ late: { state: { kind: 'connecting' } } }, () => {
      waits++;
      known.push(...coming);
    });
    const text = await withPlace({ ports: { mcp }, session: { deferredTools: () => known } }, {}, async (place) =>
      JSON.stringify((await place.use(toolSearchTool, { query })).content),
    );
    return { waits, text };
  };
  const tool = (name: string): { name: string; text: string } => ({ name, text: '' });

  it('waits for servers that connect where it finds nothing yet', async () => {
    const { waits, text } = await search('echo', [tool('mcp__a__other')], [tool('mcp__late__echo')]);
    assert.deepEqual([waits, text], [1, '[{"type":"tool_reference","tool_name":"mcp__late__echo"}]']);
  });

  it('waits where one of several names is missing', async () =>
    assert.equal(
      (await search('select:mcp__a__x,mcp__late__y', [tool('mcp__a__x')], [tool('mcp__late__y')])).waits,
      1,
    ));

  it('waits for nobody where all is there', async () =>
    assert.equal((await search('select:mcp__a__x', [tool('mcp__a__x')], [])).waits, 0));
});
