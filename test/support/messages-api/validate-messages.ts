// Rules of the Messages API for the messages themselves: roles, content blocks, images, empty and trailing text.
import { blocksOf, isObject, messagesOf, type JsonObject, type Violation } from './violation';

const fieldsByType: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'title', 'context', 'citations'],
  search_result: ['source', 'title', 'content', 'citations'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input', 'caller', 'toolset_name'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'toolset_name'],
  tool_reference: ['tool_name'],
};
const onlyUser = new Set(['image', 'document', 'tool_result', 'search_result']);
const onlyAssistant = new Set(['thinking', 'redacted_thinking', 'tool_use']);
const insideToolResult = new Set(['text', 'image', 'document', 'search_result', 'tool_reference', 'browser_state']);
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const maxImageCharacters = 10 * 1024 * 1024;

/** Checks roles and contents of all messages; pairing of tool calls and echoed thinking are rules of their own. */
export function validateMessages(body: JsonObject, allowSystemRole: boolean): Violation[] {
  const messages = messagesOf(body);
  return messages.flatMap((message, index) => {
    const at = `messages.${index}`;
    if (!isObject(message)) return [{ rule: 'messages', message: `${at}: Input should be an object` }];
    return [
      ...validateFields(message, at),
      ...validateRole(message, index, allowSystemRole),
      ...validateContent(message, at, index === messages.length - 1),
    ];
  });
}

function validateFields(message: JsonObject, at: string): Violation[] {
  return Object.keys(message).flatMap((key) =>
    key === 'role' || key === 'content'
      ? []
      : [{ rule: 'unknown-field', message: `${at}.${key}: Extra inputs are not permitted` }],
  );
}

function validateRole(message: JsonObject, index: number, allowSystemRole: boolean): Violation[] {
  const role = message['role'];
  const allowed = role === 'user' || role === 'assistant' || (role === 'system' && allowSystemRole);
  if (!allowed) {
    const found = `Unexpected role "${String(role)}". Allowed roles are "user" and "assistant".`;
    return [{ rule: 'role', message: `messages.${index}.role: ${found}` }];
  }
  if (index === 0 && role !== 'user' && blocksOf(message)[0]?.['type'] !== 'compaction') {
    const found = `messages: first message must use the "user" role, found "${String(role)}"`;
    return [{ rule: 'first-role', message: found }];
  }
  return [];
}

function validateContent(message: JsonObject, at: string, last: boolean): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  const { role, content } = message;
  if (typeof content !== 'string' && !Array.isArray(content)) {
    fail('content', `${at}.content: Input should be a string or a list of blocks`);
    return found;
  }
  if (content.length === 0 && !(last && role === 'assistant')) {
    fail(
      'empty-content',
      `${at}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  if (Array.isArray(content) && !content.every(isObject)) fail('block', `${at}.content: Input should be an object`);
  const blocks = blocksOf(message);
  if (content !== '') {
    blocks.forEach((block, position) => found.push(...validateBlock(block, `${at}.content.${position}`, String(role))));
  }
  const final = last && role === 'assistant' ? blocks.at(-1) : undefined;
  if (final?.['type'] === 'text' && /\s$/.test(String(final['text']))) {
    fail('trailing-whitespace', 'messages: final assistant content cannot end with trailing whitespace');
  }
  return found;
}

/** What a block of each type must hold; others are not judged. */
const contentChecks = new Map<string, (block: JsonObject, at: string, role: string) => Violation[]>([
  ['text', (block, at, role) => [...validateText(block, at), ...validateCitations(block, at, role)]],
  ['image', (block, at) => validateSource(block, at, 'image')],
  ['document', (block, at) => validateSource(block, at, 'document')],
  ['thinking', (block, at) => needsText(block, `${at}.thinking`, ['thinking', 'signature'])],
  ['redacted_thinking', (block, at) => needsText(block, `${at}.redacted_thinking`, ['data'])],
  ['tool_use', validateToolUse],
  ['tool_result', validateToolResult],
]);

function validateBlock(block: JsonObject, at: string, role: string): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  const type = block['type'];
  if (typeof type !== 'string') return [{ rule: 'block-type', message: `${at}.type: Field required` }];
  const known = fieldsByType[type];
  if (known) {
    for (const key of Object.keys(block)) {
      const allowed = key === 'type' || key === 'cache_control' || known.includes(key);
      if (!allowed) fail('unknown-field', `${at}.${type}.${key}: Extra inputs are not permitted`);
    }
  }
  if ((onlyUser.has(type) && role !== 'user') || (onlyAssistant.has(type) && role !== 'assistant')) {
    fail('block-role', `${at}: \`${type}\` blocks are not allowed in messages with role "${role}"`);
  }
  return [...found, ...(contentChecks.get(type)?.(block, at, role) ?? [])];
}

function validateCitations(block: JsonObject, at: string, role: string): Violation[] {
  const cites = Array.isArray(block['citations']) && block['citations'].length > 0;
  return role === 'user' && cites
    ? [{ rule: 'citations', message: `${at}.text.citations: not allowed in user messages` }]
    : [];
}

/** Fields of a thinking block. */
function needsText(block: JsonObject, at: string, fields: readonly string[]): Violation[] {
  return fields.flatMap((field) =>
    typeof block[field] === 'string' ? [] : [{ rule: 'thinking-block', message: `${at}.${field}: Field required` }],
  );
}

function validateToolUse(block: JsonObject, at: string): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  if (typeof block['id'] !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block['id'])) {
    fail('tool-use-id', `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (typeof block['name'] !== 'string' || !/^[a-zA-Z0-9_-]{1,200}$/.test(block['name'])) {
    fail('tool-use-name', `${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
  }
  if (!isObject(block['input'])) fail('tool-use-input', `${at}.tool_use.input: Input should be a valid dictionary`);
  return found;
}

function validateText(block: JsonObject, at: string): Violation[] {
  if (typeof block['text'] !== 'string')
    return [{ rule: 'text', message: `${at}.text.text: Input should be a valid string` }];
  if (block['text'] === '') return [{ rule: 'empty-text', message: `${at}: text content blocks must be non-empty` }];
  if (block['text'].trim() === '') {
    return [{ rule: 'blank-text', message: `${at}: text content blocks must contain non-whitespace text` }];
  }
  return [];
}

function validateSource(block: JsonObject, at: string, type: 'image' | 'document'): Violation[] {
  const source = block['source'];
  if (!isObject(source)) return [{ rule: 'source', message: `${at}.${type}.source: Field required` }];
  if (source['type'] !== 'base64') return [];
  const allowed = type === 'image' ? imageTypes : ['application/pdf'];
  const found: Violation[] = [];
  if (!allowed.includes(String(source['media_type']))) {
    const list = allowed.map((name) => `'${name}'`).join(', ');
    found.push({ rule: 'media-type', message: `${at}.${type}.source.base64.media_type: Input should be ${list}` });
  }
  const data = source['data'];
  if (typeof data !== 'string' || data === '' || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    found.push({ rule: 'base64', message: `${at}.${type}.source.base64.data: Invalid base64 data` });
  } else if (type === 'image' && data.length > maxImageCharacters) {
    found.push({ rule: 'image-size', message: `${at}.image.source.base64: image exceeds 10 MB maximum` });
  }
  return found;
}

function validateToolResult(block: JsonObject, at: string): Violation[] {
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  const content = block['content'];
  if (typeof block['tool_use_id'] !== 'string') fail('tool-result-id', `${at}.tool_result.tool_use_id: Field required`);
  if (block['is_error'] !== undefined && typeof block['is_error'] !== 'boolean') {
    fail('tool-result-error', `${at}.tool_result.is_error: Input should be a valid boolean`);
  }
  if (block['is_error'] === true && (content === undefined || (content as { length: number }).length === 0)) {
    fail('tool-result-error-empty', `${at}.tool_result: content cannot be empty if \`is_error\` is true`);
  }
  if (content === undefined || typeof content === 'string') return found;
  if (!Array.isArray(content)) {
    fail('tool-result-content', `${at}.tool_result.content: Input should be a string or a list of blocks`);
    return found;
  }
  if (block['is_error'] === true && content.some((inner: unknown) => isObject(inner) && inner['type'] !== 'text')) {
    fail('tool-result-error-text', `${at}.tool_result: all content must be type \`text\` if \`is_error\` is true`);
  }
  content.forEach((inner: unknown, index) => {
    const place = `${at}.tool_result.content.${index}`;
    if (!isObject(inner) || !insideToolResult.has(String(inner['type']))) {
      fail(
        'tool-result-content',
        `${place}: Input tag '${isObject(inner) ? String(inner['type']) : ''}' is not allowed here`,
      );
    } else {
      found.push(...validateBlock(inner, place, 'user'));
    }
  });
  return found;
}
