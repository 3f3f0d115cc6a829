// A request of the Messages API as the messages that VS Code's models take: plain data, from which the host's own parts are made.
import { isObject } from '../../shared/plain-object';
import { takeToolUseId } from '../../core/model/unique-tool-ids';
import {
  type AssistantBlock,
  type Message,
  type ModelRequest,
  type ToolDefinition,
  type ToolResultBlock,
  type UserBlock,
} from '../../core/wire/wire';

export type TextPart = { type: 'text'; text: string };
export type ImagePart = { type: 'image'; mediaType: string; base64: string };
export type CallPart = { type: 'call'; id: string; name: string; input: object };
export type ResultPart = { type: 'result'; id: string; content: (TextPart | ImagePart)[]; isError: boolean };

/** Roles take turns, beginning and ending with the user; each call has one result in the message that follows, ahead of any text. */
export type ChatMessage =
  | { role: 'user'; parts: (TextPart | ImagePart | ResultPart)[] }
  | { role: 'assistant'; parts: (TextPart | CallPart)[] };

export interface ChatTool {
  name: string;
  description: string;
  inputSchema: object;
}

/** VS Code's stable API has no system role: the instructions come first, in their own frame. */
export function chatMessages(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  takesImages: boolean,
): ChatMessage[] {
  const instructions = system
    .map(({ text }) => text)
    .join('\n\n')
    .trim();
  const list: ChatMessage[] =
    instructions === ''
      ? []
      : [{ role: 'user', parts: [text(`<system_instructions>\n${instructions}\n</system_instructions>`)] }];
  const taken = new Set<string>();
  /** Of the assistant's message before: the ids it came with, and the ones that went out. */
  let open: Call[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      close(list, open);
      const { parts, calls } = assistantParts(message.content, taken);
      open = calls;
      if (parts.length > 0) add(list, { role: 'assistant', parts });
    } else {
      const parts = userParts(message, open, takesImages);
      open = [];
      if (parts.length > 0) add(list, { role: 'user', parts });
    }
  }
  close(list, open);
  if (list[0]?.role === 'assistant')
    list.unshift({ role: 'user', parts: [text('(The conversation begins with the reply that follows.)')] });
  if (list.at(-1)?.role !== 'user') list.push({ role: 'user', parts: [text('Go on.')] });
  return list;
}

/** Those that VS Code's models know: functions with a schema. */
export function chatTools({ tools, tool_choice: choice }: Pick<ModelRequest, 'tools' | 'tool_choice'>): ChatTool[] {
  return tools
    .filter(
      (tool): tool is ToolDefinition =>
        'input_schema' in tool && (choice?.type !== 'tool' || choice.name === tool.name),
    )
    .map(({ name, description, input_schema: inputSchema }) => ({ name, description, inputSchema }));
}

/** Characters, pictures aside: for an estimate of tokens. */
export function lengthOf(messages: readonly ChatMessage[], tools: readonly ChatTool[]): number {
  let length = tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + name.length + description.length + JSON.stringify(inputSchema).length,
    0,
  );
  for (const { parts } of messages) for (const part of parts) length += partLength(part);
  return length;
}

function partLength(part: ChatMessage['parts'][number]): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'image':
      return imageLength;
    case 'call':
      return part.name.length + JSON.stringify(part.input).length;
    case 'result':
      return part.content.reduce((sum, one) => sum + partLength(one), 0);
  }
}

/** About 1,500 tokens. */
const imageLength = 5_000;

interface Call {
  original: string;
  sent: string;
}

function assistantParts(
  content: readonly AssistantBlock[],
  taken: Set<string>,
): { parts: (TextPart | CallPart)[]; calls: Call[] } {
  const parts: (TextPart | CallPart)[] = [];
  const calls: Call[] = [];
  for (const block of content) {
    // Thinking is signed for its own API, and what servers did stays with them.
    if (block.type === 'text' && block.text.trim() !== '') parts.push(text(block.text));
    if (block.type !== 'tool_use') continue;
    const sent = takeToolUseId(block.id, taken);
    calls.push({ original: block.id, sent });
    parts.push({ type: 'call', id: sent, name: block.name, input: isObject(block.input) ? block.input : {} });
  }
  return { parts, calls };
}

/** Results first, in the order of their calls; results that answer no call are sent as text. */
function userParts(
  { content }: Extract<Message, { role: 'user' }>,
  open: readonly Call[],
  takesImages: boolean,
): (TextPart | ImagePart | ResultPart)[] {
  const unused = content.filter((block) => block.type === 'tool_result');
  const results = open.map(({ original, sent }): ResultPart => {
    const found = unused.findIndex(({ tool_use_id: id }) => id === original);
    const [block] = found === -1 ? [] : unused.splice(found, 1);
    return block === undefined
      ? missing(sent)
      : { type: 'result', id: sent, content: resultParts(block, takesImages), isError: block.is_error === true };
  });
  const others = content.flatMap((block): (TextPart | ImagePart)[] => {
    if (block.type !== 'tool_result') return blockParts(block, takesImages);
    return unused.includes(block) ? resultParts(block, takesImages) : [];
  });
  return [...results, ...others];
}

/** Calls that nothing answers: a conversation that broke off. */
function close(list: ChatMessage[], open: readonly Call[]): void {
  if (open.length > 0) add(list, { role: 'user', parts: open.map(({ sent }) => missing(sent)) });
}

const missing = (id: string): ResultPart => ({
  type: 'result',
  id,
  content: [text('There is no result: the call was interrupted.')],
  isError: true,
});

/** Neighbours of one role become one message. */
function add(list: ChatMessage[], message: ChatMessage): void {
  const last = list.at(-1);
  if (last?.role === 'user' && message.role === 'user') last.parts.push(...message.parts);
  else if (last?.role === 'assistant' && message.role === 'assistant') last.parts.push(...message.parts);
  else list.push(message);
}

function resultParts({ content }: ToolResultBlock, takesImages: boolean): (TextPart | ImagePart)[] {
  const parts =
    typeof content === 'string'
      ? blockParts({ type: 'text', text: content }, takesImages)
      : content.flatMap((block) => blockParts(block, takesImages));
  return parts.length > 0 ? parts : [text('(nothing)')];
}

function blockParts(
  block: Exclude<UserBlock, ToolResultBlock> | Exclude<ToolResultBlock['content'], string>[number],
  takesImages: boolean,
): (TextPart | ImagePart)[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [text(block.text)];
    case 'image':
      return takesImages && block.source.type === 'base64'
        ? [{ type: 'image', mediaType: block.source.media_type, base64: block.source.data }]
        : [text('[An image was here. This model does not accept images.]')];
    case 'document':
      return [
        text(
          `[A PDF document was here${block.title === undefined ? '' : `: ${block.title}`}. This model does not accept documents.]`,
        ),
      ];
    case 'tool_reference':
      return [text(`The tool ${block.tool_name} can be called from now on.`)];
    default:
      return [];
  }
}

const text = (value: string): TextPart => ({ type: 'text', text: value });
