// ListMcpResources, row by row.
import { listMcpResourcesTool } from '../../../src/core/tools/mcp/list-mcp-resources';
import { givenServers } from '../../support/mcp/fake-servers';
import { type ToolRow, toolTable } from '../../support/tool-table';

const mcp = givenServers({
  docs: {
    resources: [
      { uri: 'docs://a', name: 'A', mimeType: 'text/plain' },
      { uri: 'docs://b', name: 'B', description: 'Second' },
    ],
  },
  db: { resources: [{ uri: 'db://t', name: 'T' }] },
  none: {},
});
const row = (name: string, input: unknown, text: string | RegExp, more: Partial<ToolRow> = {}): ToolRow => ({
  name,
  input,
  ports: { mcp },
  text,
  ...more,
});

const rows: ToolRow[] = [
  row('of all servers', {}, /"docs:\/\/a".*\n.*"Second".*\n.*"db:\/\/t"/, { detail: '3 resources' }),
  row('of one server', { server: 'db' }, '{"server":"db","uri":"db://t","name":"T"}', { detail: '1 resource' }),
  row('of a server without any', { server: 'none' }, 'There are no resources.', { detail: '0 resources' }),
  row('of an unknown server', { server: 'x' }, 'There is no MCP server x. There are: docs, db, none.', {
    code: 'no-server',
  }),
  row('where no server is configured', { server: 'x' }, 'There is no MCP server x. None is configured.', {
    code: 'no-server',
    ports: { mcp: givenServers({}) },
  }),
  row('of a number', { server: 1 }, /`server`/, { code: 'InputValidationError' }),
];

describe('ListMcpResources, row by row', () => toolTable(listMcpResourcesTool, rows));
