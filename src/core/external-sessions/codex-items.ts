// The items and events of Codex's files, old and new, as blocks, prompts and results.
import { type ToolResultContent, type UserBlock } from '../wire/wire';
import { type CodexRecords } from './codex-records';
import { callId, type Fields, textOf } from './external-session';
import { isObject } from '../../shared/plain-object';

/** One item of the model's conversation. */
export function addItem(item: Fields, to: CodexRecords): void {
  const id = callId(item['call_id']) ?? callId(item['id']) ?? '';
  switch (item['type']) {
    case 'message':
      return addMessage(item, to);
    case 'reasoning': {
      const thinking = [...texts(item['summary']), ...texts(item['content'])].join('\n\n');
      return thinking === '' ? undefined : to.reply({ type: 'thinking', thinking, signature: '' });
    }
    case 'function_call':
      return call(id, item['name'], jsonArguments(item['arguments']), to);
    case 'custom_tool_call':
      return call(id, item['name'], { input: item['input'] ?? '' }, to);
    case 'local_shell_call':
      return call(id, 'local_shell', isObject(item['action']) ? item['action'] : {}, to);
    case 'function_call_output':
    case 'function_call_result':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const { content, failed } = outputOf(item['output'] ?? item['result']);
      return id === '' ? undefined : to.result(id, content, failed);
    }
    case 'web_search_call': {
      const name = id === '' ? `search-${to.records.length}` : id;
      call(name, 'web_search', isObject(item['action']) ? item['action'] : {}, to);
      return to.result(name, 'Searched the web. The results are not in the log.', item['status'] === 'failed');
    }
    default:
      return undefined;
  }
}

/** For a log that holds no items: what was said, and what ran. */
export function addEvent(event: Fields, to: CodexRecords): void {
  const id = callId(event['call_id']) ?? '';
  switch (event['type']) {
    case 'user_message':
      return prompt(textOf(event['message']) ?? '', [], to);
    case 'agent_message':
      return textOf(event['message']) === undefined
        ? undefined
        : to.reply({ type: 'text', text: String(event['message']) });
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return textOf(event['text']) === undefined
        ? undefined
        : to.reply({ type: 'thinking', thinking: String(event['text']), signature: '' });
    case 'exec_command_begin':
      return call(id, 'shell', { command: event['command'], cwd: event['cwd'] }, to);
    case 'patch_apply_begin':
      return call(id, 'apply_patch', { changes: event['changes'] }, to);
    case 'mcp_tool_call_begin': {
      const invocation = isObject(event['invocation']) ? event['invocation'] : event;
      return call(
        id,
        `${textOf(invocation['server']) ?? 'mcp'}__${textOf(invocation['tool']) ?? 'tool'}`,
        jsonArguments(invocation['arguments']),
        to,
      );
    }
    default:
      return addEnd(event, to);
  }
}

/** The end of what ran, where no item reports it. */
export function addEnd(event: Fields, to: CodexRecords): void {
  const id = callId(event['call_id']);
  if (id === undefined || !['exec_command_end', 'patch_apply_end', 'mcp_tool_call_end'].includes(String(event['type'])))
    return;
  const said =
    textOf(event['aggregated_output']) ??
    [event['stdout'], event['stderr']].flatMap((text) => textOf(text) ?? []).join('\n');
  const failed = event['success'] === false || (typeof event['exit_code'] === 'number' && event['exit_code'] !== 0);
  const text = said === '' && event['result'] !== undefined ? JSON.stringify(event['result']) : said;
  to.result(id, text === '' ? '[no output]' : text, failed);
}

function call(id: string, name: unknown, input: Fields, to: CodexRecords): void {
  to.reply({ type: 'tool_use', id: id === '' ? `call-${to.records.length}` : id, name: textOf(name) ?? 'tool', input });
}

function addMessage(item: Fields, to: CodexRecords): void {
  const text = texts(item['content']).join('\n');
  if (item['role'] === 'assistant') return text === '' ? undefined : to.reply({ type: 'text', text });
  // What a developer or system message says is the other agent's own instructions.
  if (item['role'] === 'user') prompt(text, imagesOf(item['content']), to);
}

const insertions =
  /^\s*(<(environment_context|user_instructions|permissions instructions|collaboration_mode|turn_aborted|user_shell_command|skill|INSTRUCTIONS)\b|# AGENTS\.md instructions)/;
const wrapped = /^# Context from my IDE setup:[\s\S]*?\n## My request for Codex:\n([\s\S]*)$/;

function prompt(text: string, images: UserBlock[], to: CodexRecords): void {
  const content: UserBlock[] = [...images, ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }])];
  if (content.length === 0) return;
  const words = wrapped.exec(text)?.[1]?.trim();
  const display = words === undefined ? {} : { display: { text: words, attachments: [], images: images.length } };
  to.prompt(content, insertions.test(text) ? { isMeta: true } : display);
}

function texts(content: unknown): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => (isObject(part) ? (textOf(part['text']) ?? []) : []));
}

function imagesOf(content: unknown): {
  type: 'image';
  source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string };
}[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const url = isObject(part) ? part['image_url'] : undefined;
    const [, type, data] =
      (typeof url === 'string' && /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(url)) || [];
    if (type === undefined || data === undefined) return [];
    return [{ type: 'image' as const, source: { type: 'base64' as const, media_type: type as 'image/png', data } }];
  });
}

/** A JSON string, which a broken stream may have cut: then it is kept as it is. */
function jsonArguments(value: unknown): Fields {
  if (isObject(value)) return value;
  if (value === undefined || value === null || value === '') return {};
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return isObject(parsed) ? parsed : { arguments: parsed };
  } catch {
    return { arguments: value };
  }
}

/** A text, a text that is JSON with an exit code, or parts. */
function outputOf(value: unknown): { content: string | ToolResultContent[]; failed: boolean } {
  if (Array.isArray(value)) {
    const parts: ToolResultContent[] = [
      ...texts(value).map((text) => ({ type: 'text' as const, text })),
      ...imagesOf(value),
    ];
    return { content: parts.length === 0 ? '[no output]' : parts, failed: false };
  }
  if (isObject(value)) {
    const metadata = isObject(value['metadata']) ? value['metadata'] : {};
    const inner = outputOf(value['content'] ?? value['output'] ?? JSON.stringify(value));
    const code = metadata['exit_code'] ?? value['exit_code'];
    return {
      content: inner.content,
      failed: inner.failed || value['success'] === false || (typeof code === 'number' && code !== 0),
    };
  }
  const text = textOf(value) ?? '[no output]';
  const structured = text.startsWith('{"output"') ? jsonArguments(text) : {};
  if ('output' in structured) return outputOf(structured);
  const code = /^(?:Chunk ID:[^\n]*\n)?(?:Wall time:[^\n]*\n)?(?:Exit code:|Process exited with code) (-?\d+)/.exec(
    text,
  )?.[1];
  const unmade =
    /^(?:exec command |patch )?(?:rejected|aborted|denied)\b|^failed (?:in sandbox|to parse)|^execution error|^command timed out/i.test(
      text,
    );
  return { content: text, failed: unmade || (code !== undefined && code !== '0') };
}
