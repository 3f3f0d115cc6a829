// ToolSearch: finds deferred tools by name or by words and loads them.
import { z } from 'zod/v3';
import { type McpServers } from '../ports/mcp';
import { buildTool, promptOf } from '../tool/build-tool';
import { searchTools } from '../tool/search-tools';
import { type ToolContext, type ToolResult } from '../tool/tool';
import { absentTools } from './absent-tool';
import prompt from './tool-search.md';

const inputSchema = z.strictObject({
  query: z.string().describe('Words for what you need, or "select:" and exact names separated by commas'),
  max_results: z.number().int().min(1).max(50).optional().describe('Maximum number of tools to load (default 5)'),
});
const outputSchema = z.object({
  query: z.string(),
  matches: z.array(z.string()),
  /** The number of all deferred tools. */
  total: z.number(),
  /** Sentences about servers that cannot be used. */
  problems: z.array(z.string()),
  /** Sentences about built-in tools that need an editor. */
  absent: z.array(z.string()).optional(),
});

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

const defaultResults = 5;
/** A server that takes longer can be searched for again. */
const waitMs = 20_000;

export const toolSearchTool = buildTool<Input, Output>({
  name: 'ToolSearch',
  aliases: ['tool_search', 'ToolSearchTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: ({ query }) => ({ now: `Looking for tools: ${query}`, past: `Looked for tools: ${query}` }),
  validateInput: async ({ query }) =>
    query.trim() === ''
      ? {
          ok: false,
          code: 'empty-query',
          message: 'query is empty: give words for what you need, or "select:" and names.',
        }
      : { ok: true },
  call,
  content: (output) =>
    output.matches.length === 0
      ? nothingFound(output)
      : output.matches.map((name) => ({ type: 'tool_reference', tool_name: name })),
  view: ({ matches, problems }) => ({
    kind: 'markdown',
    text:
      [...matches.map((name) => `- \`${name}\``), ...(problems.length === 0 ? [] : ['', ...problems])].join('\n') ||
      'No tool was found.',
  }),
  detail: ({ matches }) => (matches.length === 1 ? '1 tool' : `${matches.length} tools`),
});

async function call(
  { query, max_results: most = defaultResults }: Input,
  { session, ports, signal }: ToolContext,
): Promise<ToolResult<Output>> {
  const search = (): string[] => searchTools(query, session.deferredTools?.() ?? [], most);
  let matches = search();
  const wanted = /^\s*select:/.test(query) ? query.split(',').length : 1;
  // Only what is missing may still come.
  if (matches.length < wanted && ports.mcp !== undefined) {
    await ports.mcp.settled(waitMs, signal);
    signal.throwIfAborted();
    matches = search();
  }
  const absent = absentTools(query, ports);
  return {
    data: {
      query,
      matches,
      total: session.deferredTools?.().length ?? 0,
      problems: problemsOf(ports.mcp),
      ...(absent.length === 0 ? {} : { absent }),
    },
  };
}

function problemsOf(servers: McpServers | undefined): string[] {
  return (servers?.list() ?? []).flatMap(({ entry: { name }, state }) => {
    switch (state.kind) {
      case 'connected':
      case 'disabled':
        return [];
      case 'unapproved':
        return [`${name}: the project configures it, and the user has not approved it yet.`];
      case 'needs-sign-in':
        return [`${name}: the user must sign in first.`];
      case 'connecting':
      case 'reconnecting':
        return [`${name}: it is still connecting; search again later.`];
      case 'failed':
        return [`${name}: ${state.why}`];
    }
  });
}

function nothingFound({ query, total, problems, absent = [] }: Output): string {
  const counted = [searched({ query, total }), ...absent].join('\n');
  return problems.length === 0
    ? counted
    : `${counted}\n\nMCP servers that are currently unavailable:\n${problems.map((problem) => `- ${problem}`).join('\n')}`;
}

function searched({ query, total }: Pick<Output, 'query' | 'total'>): string {
  return total === 0
    ? 'There are no deferred tools.'
    : `None of the ${total} deferred tools matches "${query}". Try other words.`;
}
