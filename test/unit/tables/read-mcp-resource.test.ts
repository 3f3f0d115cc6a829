// ReadMcpResource, row by row: text as it is, everything else into a file.
import { readMcpResourceTool } from '../../../src/core/tools/mcp/read-mcp-resource';
import { type McpCallOutcome, type McpContent } from '../../../src/core/ports/mcp';
import { givenServers } from '../../support/mcp/fake-servers';
import { type ToolRow, toolTable } from '../../support/tool-table';

const resource = (more: Partial<Extract<McpContent, { type: 'resource' }>>): McpCallOutcome => ({
  outcome: 'answered',
  content: [{ type: 'resource', uri: 'x://1', ...more }],
  isError: false,
});
const row = (name: string, answer: McpCallOutcome, text: string | RegExp, more: Partial<ToolRow> = {}): ToolRow => ({
  name,
  input: { server: 's', uri: 'x://1' },
  ports: { mcp: givenServers({ s: { read: () => answer } }) },
  text,
  ...more,
});

const rows: ToolRow[] = [
  row('a text', resource({ text: 'one\ntwo' }), '[Resource x://1]\none\ntwo'),
  row(
    'bytes',
    resource({ blob: btoa('\x00\x01'), mimeType: 'application/zip' }),
    /^\[Resource x:\/\/1\] \[application\/zip, 2B: saved to \/results\/[\w-]+-1\.zip\]$/,
  ),
  row(
    'bytes that are none',
    resource({ blob: '!' }),
    '[Resource x://1] [application/octet-stream: the server sent no valid base64]',
  ),
  row(
    'a picture that is none',
    resource({ blob: btoa('no picture'), mimeType: 'image/png' }),
    /^\[image\/png, 10B: saved to .*\.png\]$/,
  ),
  row('nothing at all', resource({}), '[Resource x://1: empty]'),
  row('no contents', { outcome: 'answered', content: [], isError: false }, '(no output)'),
  row(
    'a server that fails',
    { outcome: 'failed', message: 'The MCP server s did not answer: gone.' },
    'The MCP server s did not answer: gone.',
    { code: 'mcp-failed' },
  ),
  row('an unknown server', resource({}), 'The MCP server t no longer exists.', {
    input: { server: 't', uri: 'x' },
    code: 'mcp-failed',
  }),
  row('no address', resource({}), /`uri`/, { input: { server: 's' }, code: 'InputValidationError' }),
];

describe('ReadMcpResource, row by row', () => toolTable(readMcpResourceTool, rows));
