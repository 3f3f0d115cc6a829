// Rules of the Messages API for everything around the messages: fields, tools, system, thinking, cache marks.
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

const topLevelFields = new Set([
  'model',
  'max_tokens',
  'messages',
  'cache_control',
  'container',
  'diagnostics',
  'inference_geo',
  'metadata',
  'output_config',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'thinking',
  'tool_choice',
  'tools',
  'user_profile_id',
  'workspace_id',
]);
/** Removed in API version 2026-10-21. */
const samplingFields = new Set(['temperature', 'top_k', 'top_p']);
/** Fields of beta features: allowed with any anthropic-beta header. */
const betaFields = new Set([
  'billing_policy',
  'compaction',
  'context_management',
  'fallback_credit_token',
  'fallbacks',
  'mcp_servers',
  'output_format',
  'thread',
]);
const toolFields = new Set([
  'name',
  'description',
  'input_schema',
  'type',
  'cache_control',
  'strict',
  'defer_loading',
  'eager_input_streaming',
  'allowed_callers',
  'input_examples',
]);

/**
 * Checks the fields of a request body other than its messages. `betas` are the values of the anthropic-beta header;
 * `allowSampling` is true for the first API version, which had temperature and its like.
 */
export function validateEnvelope(
  body: JsonObject,
  betas: readonly string[],
  countOnly: boolean,
  allowSampling: boolean,
): Violation[] {
  return [...fields(body, betas, countOnly, allowSampling), ...tools(body), ...system(body), ...cacheControl(body)];
}

function fields(body: JsonObject, betas: readonly string[], countOnly: boolean, allowSampling: boolean): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  for (const key of Object.keys(body)) {
    if (topLevelFields.has(key) || (betaFields.has(key) && betas.length > 0)) continue;
    if (allowSampling && samplingFields.has(key)) continue;
    fail('unknown-field', `${key}: Extra inputs are not permitted`);
  }
  if (typeof body['model'] !== 'string' || body['model'] === '') fail('model', 'model: Field required');
  if (!countOnly) {
    const limit = body['max_tokens'];
    if (limit === undefined) fail('max-tokens', 'max_tokens: Field required');
    else if (!Number.isInteger(limit) || (limit as number) < 1) {
      fail('max-tokens', 'max_tokens: Input should be an integer greater than or equal to 1');
    }
  }
  const messages = body['messages'];
  if (!Array.isArray(messages)) fail('messages', 'messages: Field required');
  else if (messages.length === 0) fail('messages', 'messages: at least one message is required');
  return found;
}

function tools(body: JsonObject): Violation[] {
  const list = body['tools'];
  if (list === undefined) {
    return body['tool_choice'] === undefined
      ? []
      : [{ rule: 'tool-choice', message: 'tool_choice: may only be specified while providing tools' }];
  }
  if (!Array.isArray(list)) return [{ rule: 'tools', message: 'tools: Input should be a valid list' }];
  const names = new Set<unknown>();
  const found = list.flatMap((tool: unknown, index): Violation[] => {
    const at = `tools.${index}`;
    if (!isObject(tool)) return [{ rule: 'tools', message: `${at}: Input should be an object` }];
    const named = toolName(tool, at, names);
    names.add(tool['name']);
    // Server tools carry a dated type and no schema of their own.
    if (typeof tool['type'] !== 'string' || tool['type'] === 'custom') return [...named, ...customTool(tool, at)];
    return tool['type'].startsWith('web_search_') ? [...named, ...webSearchTool(tool, at)] : named;
  });
  return [...found, ...toolChoice(body['tool_choice'], names)];
}

/** `names` are those of the tools before it. */
function toolName({ name }: JsonObject, at: string, names: ReadonlySet<unknown>): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    fail('tool-name', `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
  }
  if (names.has(name)) fail('tool-name-unique', `tools: Tool names must be unique: ${String(name)}`);
  return found;
}

function customTool(tool: JsonObject, at: string): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  const schema = tool['input_schema'];
  if (!isObject(schema)) fail('tool-schema', `${at}.input_schema: Field required`);
  else if (schema['type'] !== 'object') fail('tool-schema', `${at}.input_schema.type: Input should be 'object'`);
  if (tool['description'] !== undefined && typeof tool['description'] !== 'string') {
    fail('tool-description', `${at}.description: Input should be a valid string`);
  }
  for (const key of Object.keys(tool)) {
    if (!toolFields.has(key)) fail('unknown-field', `${at}.${key}: Extra inputs are not permitted`);
  }
  return found;
}

function toolChoice(choice: unknown, names: ReadonlySet<unknown>): Violation[] {
  if (choice === undefined) return [];
  const { type, name } = isObject(choice) ? choice : {};
  if (!['auto', 'any', 'tool', 'none'].includes(String(type))) {
    const message = "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'";
    return [{ rule: 'tool-choice', message }];
  }
  if (type !== 'tool' || names.has(name)) return [];
  return [{ rule: 'tool-choice', message: `tool_choice: Tool '${String(name)}' not found in provided tools` }];
}

const webSearchFields = new Set([
  'type',
  'name',
  'max_uses',
  'allowed_domains',
  'blocked_domains',
  'user_location',
  'cache_control',
  'allowed_callers',
]);

function webSearchTool(tool: JsonObject, at: string): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  if (tool['name'] !== 'web_search') fail('server-tool', `${at}.name: Input should be 'web_search'`);
  for (const key of Object.keys(tool))
    if (!webSearchFields.has(key)) fail('unknown-field', `${at}.${key}: Extra inputs are not permitted`);
  const uses = tool['max_uses'];
  if (uses !== undefined && (!Number.isInteger(uses) || (uses as number) < 1))
    fail('server-tool', `${at}.max_uses: Input should be greater than 0`);
  if (tool['allowed_domains'] !== undefined && tool['blocked_domains'] !== undefined) {
    fail('server-tool', `${at}: only one of allowed_domains and blocked_domains may be given`);
  }
  for (const field of ['allowed_domains', 'blocked_domains']) {
    const domains = tool[field];
    if (domains === undefined) continue;
    const valid =
      Array.isArray(domains) &&
      domains.length > 0 &&
      domains.every((domain) => typeof domain === 'string' && /^[^\s:/]+\.[^\s:/]+(\/\S*)?$/.test(domain));
    if (!valid) fail('server-tool', `${at}.${field}: Input should be a list of domains without a scheme`);
  }
  return found;
}

function system(body: JsonObject): Violation[] {
  const value = body['system'];
  if (value === undefined || typeof value === 'string') return [];
  if (!Array.isArray(value))
    return [{ rule: 'system', message: 'system: Input should be a string or a list of text blocks' }];
  return value.flatMap((block, index): Violation[] => {
    if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') {
      return [{ rule: 'system', message: `system.${index}: Input should be a text block` }];
    }
    return block['text'].trim() === ''
      ? [{ rule: 'empty-text', message: `system.${index}: text content blocks must be non-empty` }]
      : [];
  });
}

/** At most four marks, none on thinking or empty text, long-lived marks before short-lived ones. */
function cacheControl(body: JsonObject): Violation[] {
  const found: Violation[] = [];
  const marked: { readonly at: string; readonly owner: JsonObject }[] = [];
  const collect = (at: string, owner: unknown): void => {
    if (isObject(owner) && owner['cache_control'] !== undefined && owner['cache_control'] !== null)
      marked.push({ at, owner });
  };
  const each = (at: string, list: unknown, visit: (at: string, value: unknown) => void): void => {
    if (Array.isArray(list)) list.forEach((value, index) => visit(`${at}.${index}`, value));
  };
  each('tools', body['tools'], collect);
  each('system', body['system'], collect);
  messagesOf(body).forEach((message, index) => {
    blocksOf(message).forEach((block, position) => {
      const at = `messages.${index}.content.${position}`;
      each(`${at}.content`, block['content'], collect);
      collect(at, block);
    });
  });
  collect('top level', body);
  if (marked.length > 4) {
    const message = `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
    found.push({ rule: 'cache-control-count', message });
  }
  let shortLived = false;
  for (const { at, owner } of marked) {
    const control = owner['cache_control'];
    const ttl = isObject(control) ? (control['ttl'] ?? '5m') : undefined;
    if (!isObject(control) || control['type'] !== 'ephemeral' || (ttl !== '5m' && ttl !== '1h')) {
      found.push({
        rule: 'cache-control',
        message: `${at}.cache_control: Input should be {type: 'ephemeral', ttl?: '5m' | '1h'}`,
      });
    }
    if (ttl === '1h' && shortLived) {
      const message = `${at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block`;
      found.push({ rule: 'cache-control-order', message });
    }
    shortLived ||= ttl === '5m';
    if (owner['type'] === 'thinking' || owner['type'] === 'redacted_thinking') {
      found.push({
        rule: 'cache-control-thinking',
        message: `${at}.cache_control: Extra inputs are not permitted on ${owner['type']} blocks`,
      });
    }
    if (owner['type'] === 'text' && owner['text'] === '') {
      found.push({
        rule: 'cache-control-empty-text',
        message: `${at}: cache_control cannot be set for empty text blocks`,
      });
    }
  }
  return found;
}
