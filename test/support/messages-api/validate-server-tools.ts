// Rules of the Messages API for tools that it runs itself: which there are, and how their calls and results come back.
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

/** Of `tools` entries that are not a tool of the client. */
const toolTypes = [
  /^(?:custom|mcp_toolset)$/,
  /^web_search_(?:20250305|20260209|20260318)$/,
  /^web_fetch_(?:20250910|20260209|20260309|20260318)$/,
  /^code_execution_(?:20250522|20250825|20260120|20260521)$/,
  /^tool_search_tool_(?:bm25|regex)(?:_20251119)?$/,
  /^(?:bash_20250124|text_editor_(?:20250124|20250429|20250728)|memory_20250818|computer_toolset_20260801|browser_toolset_20260801|advisor_20260301)$/,
];
const searchFields = new Set(['type', 'name', 'cache_control', 'defer_loading', 'strict', 'allowed_callers']);

/** Of content blocks in a request. */
const blockTypes = new Set([
  ...[
    'text',
    'image',
    'document',
    'search_result',
    'thinking',
    'redacted_thinking',
    'tool_use',
    'tool_result',
    'server_tool_use',
    'container_upload',
  ],
  ...[
    'web_search_tool_result',
    'web_fetch_tool_result',
    'code_execution_tool_result',
    'bash_code_execution_tool_result',
    'text_editor_code_execution_tool_result',
  ],
  ...[
    'tool_search_tool_result',
    'advisor_tool_result',
    'mcp_tool_use',
    'mcp_tool_result',
    'mcp_tool_listing',
    'compaction',
    'fallback',
    'tool_addition',
    'tool_removal',
  ],
]);
const serverTools = new Set([
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
  'advisor',
]);

export function validateServerTools(body: JsonObject, ownKinds: readonly string[] = []): Violation[] {
  return [...validateTools(body), ...validateBlocks(body, ownKinds), ...validatePairs(body)];
}

function validateTools(body: JsonObject): Violation[] {
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  const found: Violation[] = [];
  const fail = (message: string): number => found.push({ rule: 'server-tool', message });
  tools.filter(isObject).forEach((tool, index) => {
    const { type, name } = tool;
    if (type === undefined) return;
    if (typeof type !== 'string' || !toolTypes.some((known) => known.test(type)))
      return void fail(
        `tools.${index}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`,
      );
    if (!type.startsWith('tool_search_tool_')) return;
    const expected = type.replace(/_\d{8}$/, '');
    if (name !== expected) fail(`tools.${index}.${type}.name: Input should be '${expected}'`);
    if (tool['defer_loading'] === true) fail(`tools.${index}: the tool search tool cannot be deferred`);
    for (const key of Object.keys(tool))
      if (!searchFields.has(key)) fail(`tools.${index}.${type}.${key}: Extra inputs are not permitted`);
  });
  return found;
}

function validateBlocks(body: JsonObject, ownKinds: readonly string[]): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  messagesOf(body).forEach((message, index) => {
    blocksOf(message).forEach((block, position) => {
      const at = `messages.${index}.content.${position}`;
      const type = String(block['type']);
      if (ownKinds.includes(type)) return undefined;
      if (!blockTypes.has(type))
        return void fail(
          'block-type',
          `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`,
        );
      if (type === 'server_tool_use') {
        if (typeof block['id'] !== 'string' || !/^srvtoolu_[a-zA-Z0-9_]+$/.test(block['id']))
          fail('server-tool-use', `${at}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`);
        if (!serverTools.has(String(block['name'])))
          fail('server-tool-use', `${at}.server_tool_use.name: Input should be one of the server tools`);
        if (!isObject(block['input']))
          fail('server-tool-use', `${at}.server_tool_use.input: Input should be a valid dictionary`);
      }
      if (type === 'tool_search_tool_result') {
        const { content } = block;
        const searched =
          isObject(content) &&
          content['type'] === 'tool_search_tool_search_result' &&
          Array.isArray(content['tool_references']);
        const failed =
          isObject(content) &&
          content['type'] === 'tool_search_tool_result_error' &&
          typeof content['error_code'] === 'string';
        if (!searched && !failed) fail('tool-search-result', `${at}.tool_search_tool_result.content: Field required`);
      }
      return undefined;
    });
  });
  return found;
}

/** Each call has its result behind it, but for one that the API still works on: in the last message, or before the results that it waits for. */
function validatePairs(body: JsonObject): Violation[] {
  const messages = messagesOf(body).filter(isObject);
  const found: Violation[] = [];
  const fail = (message: string): number => found.push({ rule: 'server-tool-pair', message });
  const made = new Set<unknown>();
  const open = new Map<unknown, number>();
  messages.forEach((message, index) => {
    if (message['role'] !== 'assistant') return;
    for (const block of blocksOf(message)) {
      if (block['type'] === 'server_tool_use') {
        made.add(block['id']);
        open.set(block['id'], index);
      } else if (String(block['type']).endsWith('_tool_result')) {
        if (!made.has(block['tool_use_id']))
          fail(
            `messages.${index}: \`${String(block['type'])}\` without its \`server_tool_use\`: ${String(block['tool_use_id'])}`,
          );
        open.delete(block['tool_use_id']);
      }
    }
  });
  const last = messages.findLastIndex((message) => message['role'] === 'assistant');
  for (const [id, index] of open) {
    const rest = messages.slice(index + 1).flatMap(blocksOf);
    if (index === last && rest.every((block) => block['type'] === 'tool_result')) continue;
    fail(`messages.${index}: \`server_tool_use\` ids were found without a corresponding result block: ${String(id)}`);
  }
  return found;
}
