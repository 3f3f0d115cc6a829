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
  const found: Violation[] = [];
  const fail = (rule: string, message: string): number => found.push({ rule, message });
  messages.forEach((message, index) => {
    const at = `messages.${index}`;
    if (!isObject(message)) return void fail('messages', `${at}: Input should be an object`);
    for (const key of Object.keys(message)) {
      if (key !== 'role' && key !== 'content') fail('unknown-field', `${at}.${key}: Extra inputs are not permitted`);
    }
    const role = message['role'];
    const allowed = role === 'user' || role === 'assistant' || (role === 'system' && allowSystemRole);
    if (!allowed) {
      fail('role', `${at}.role: Unexpected role "${String(role)}". Allowed roles are "user" and "assistant".`);
    } else if (index === 0 && role !== 'user' && blocksOf(message)[0]?.['type'] !== 'compaction') {
      fail('first-role', `messages: first message must use the "user" role, found "${String(role)}"`);
    }
    const content = message['content'];
    if (typeof content !== 'string' && !Array.isArray(content)) {
      return void fail('content', `${at}.content: Input should be a string or a list of blocks`);
    }
    const last = index === messages.length - 1;
    if (content.length === 0 && !(last && role === 'assistant')) {
      fail(
        'empty-content',
        `${at}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    blocksOf(message).forEach((block, position) => {
      if (typeof content === 'string' && content === '') return;
      found.push(...validateBlock(block, `${at}.content.${position}`, String(role)));
    });
    if (last && role === 'assistant') {
      const final = blocksOf(message).at(-1);
      if (final?.['type'] === 'text' && /\s$/.test(String(final['text']))) {
        fail('trailing-whitespace', 'messages: final assistant content cannot end with trailing whitespace');
      }
    }
    return undefined;
  });
  return found;
}

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
  switch (type) {
    case 'text':
      found.push(...validateText(block, at));
      if (role === 'user' && Array.isArray(block['citations']) && block['citations'].length > 0) {
        fail('citations', `${at}.text.citations: not allowed in user messages`);
      }
      break;
    case 'image':
    case 'document':
      found.push(...validateSource(block, at, type));
      break;
    case 'thinking':
      if (typeof block['thinking'] !== 'string') fail('thinking-block', `${at}.thinking.thinking: Field required`);
      if (typeof block['signature'] !== 'string') fail('thinking-block', `${at}.thinking.signature: Field required`);
      break;
    case 'redacted_thinking':
      if (typeof block['data'] !== 'string') fail('thinking-block', `${at}.redacted_thinking.data: Field required`);
      break;
    case 'tool_use':
      if (typeof block['id'] !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block['id'])) {
        fail('tool-use-id', `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
      }
      if (typeof block['name'] !== 'string' || !/^[a-zA-Z0-9_-]{1,200}$/.test(block['name'])) {
        fail('tool-use-name', `${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
      }
      if (!isObject(block['input'])) fail('tool-use-input', `${at}.tool_use.input: Input should be a valid dictionary`);
      break;
    case 'tool_result':
      found.push(...validateToolResult(block, at));
      break;
    default:
      break;
  }
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
