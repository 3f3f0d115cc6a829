// ToolSearch, row by row: which tools words and names find, and what it says where there are none.
import { toolSearchTool } from '../../../src/core/tools/tool-search';
import { givenServers } from '../../support/mcp/fake-servers';
import { type ToolRow, toolTable } from '../../support/tool-table';

const tools = [
  { name: 'mcp__github__create_issue', text: 'opens a new issue in a repository' },
  { name: 'mcp__github__list_issues', text: 'lists issues' },
  { name: 'mcp__github__get_me', text: 'who is signed in' },
  { name: 'mcp__slack__send_message', text: 'posts to a channel' },
  { name: 'mcp__jira__create_ticket', text: 'opens an issue' },
];
const session = { deferredTools: () => tools };
const found = (query: string, names: string[], more: object = {}): ToolRow => ({
  name: `${query} ${JSON.stringify(more)}`,
  input: { query, ...more },
  session,
  ports: { mcp: givenServers({}) },
  text: names.map(() => '[tool_reference]').join('\n'),
  detail: names.length === 1 ? '1 tool' : `${names.length} tools`,
  check: ({ content }) => {
    const sent =
      typeof content === 'string'
        ? [content]
        : content.map((part) => (part.type === 'tool_reference' ? part.tool_name.replace('mcp__', '') : part.type));
    if (sent.join() !== names.join()) throw new Error(`${sent.join()} instead of ${names.join()}`);
  },
});
const none = (
  query: string,
  text: string | RegExp,
  servers: Parameters<typeof givenServers>[0] = {},
  deferred = tools,
): ToolRow => ({
  name: `nothing: ${query}`,
  input: { query },
  session: { deferredTools: () => deferred },
  ports: { mcp: givenServers(servers) },
  text,
  detail: '0 tools',
});

const rows: ToolRow[] = [
  found('select:mcp__github__create_issue', ['github__create_issue']),
  found('select:mcp__slack__send_message, mcp__github__get_me', ['slack__send_message', 'github__get_me']),
  found('select:MCP__GitHub__get_me', ['github__get_me']),
  found('select:send_message', ['slack__send_message']),
  found('select:mcp__github__get_me,nothing', ['github__get_me']),
  found('create issue', ['github__create_issue', 'jira__create_ticket', 'github__list_issues']),
  found('issue', ['github__create_issue', 'github__list_issues', 'jira__create_ticket']),
  found('+github issue', ['github__create_issue', 'github__list_issues', 'github__get_me']),
  found('channel', ['slack__send_message']),
  found('github', ['github__create_issue', 'github__get_me'], { max_results: 2 }),
  none('zebra', 'None of the 5 deferred tools matches "zebra". Try other words.'),
  none('+zebra issue', /None of the 5/),
  none('issue', 'There are no deferred tools.', {}, []),
  none(
    'select:Refactor,Problems',
    /^None of the 5 .*\nProblems needs VS Code, or commands in the setting problemCommands: .*\nRefactor needs VS Code, which is not there: tell the user if it matters\.$/,
  ),
  none(
    'zebra',
    /MCP servers that are currently unavailable:\n- a: It ended\.\n- b: the user must sign in first\.\n- c: it is still connecting; search again later\.\n- d: the project configures it, and the user has not approved it yet\.$/,
    {
      a: { state: { kind: 'failed', why: 'It ended.' } },
      b: { state: { kind: 'needs-sign-in' } },
      c: { state: { kind: 'connecting' } },
      d: { state: { kind: 'unapproved' } },
      e: {},
      f: { state: { kind: 'disabled', why: 'off' } },
    },
  ),
  { name: 'no words', input: { query: ' ' }, code: 'empty-query', text: /query is empty/ },
  { name: 'no query', input: {}, code: 'InputValidationError', text: /`query`/ },
  { name: 'too many', input: { query: 'a', max_results: 51 }, code: 'InputValidationError', text: /`max_results`/ },
];

describe('ToolSearch, row by row', () => toolTable(toolSearchTool, rows));
