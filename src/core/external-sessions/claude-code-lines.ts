// A session of Deft as lines of Claude Code's own log: what was said and done, in one chain, and nothing that only Deft knows.
import { type AssistantBlock, type Message, type TextBlock, type ToolUseBlock, type UserBlock } from '../wire/wire';
import { type SessionRecord } from '../ports/record';
import { messagesFromRecords } from '../sessions/messages-from-records';
import { redactValue, type Secrets } from '../text/redact';

export interface SharedSession {
  /** Of the copy. */
  id: string;
  cwd: string;
  /** Of Deft. */
  version: string;
  gitBranch: string | undefined;
  model: string;
  /** Empty where it has none. */
  title: string;
  /** Milliseconds since the epoch. */
  now: number;
  uuid(): string;
  secrets: Secrets;
}

/** One JSON object each; none where nothing was said. By the fold that requests are built by, so a history that the API accepts. */
export function claudeCodeLines(records: readonly SessionRecord[], session: SharedSession): string[] {
  const { id, cwd, version, gitBranch = '', model, title, now, uuid, secrets } = session;
  const messages = messagesFromRecords(records).flatMap((message) => linesOf(message, model, uuid));
  let parentUuid: string | null = null;
  const lines: object[] = messages.map((line, at) => {
    const own: string = uuid();
    const full = {
      ...{ parentUuid, isSidechain: false, userType: 'external', cwd, sessionId: id, version, gitBranch },
      ...line,
      ...{ uuid: own, timestamp: new Date(now + at).toISOString() },
    };
    parentUuid = own;
    return full;
  });
  if (lines.length > 0 && title !== '') lines.push({ type: 'custom-title', customTitle: title, sessionId: id });
  return lines.map((line) => JSON.stringify(redactValue(line, secrets)));
}

function linesOf(message: Message, model: string, uuid: () => string): object[] {
  if (message.role === 'assistant') return replyLines(message.content, model, uuid);
  const [results, others] = [
    message.content.filter(({ type }) => type === 'tool_result'),
    message.content.filter((block) => block.type !== 'tool_result' && !isReminder(block)),
  ];
  return [...results.map((block) => [block]), ...(others.length === 0 ? [] : [others])].map((content) => {
    const [only] = content;
    const text = content.length === 1 && only?.type === 'text' ? only.text : undefined;
    return { type: 'user', message: { role: 'user', content: text ?? content } };
  });
}

/** Thinking holds for the model and the account that it was made with; other blocks only their API can make. */
function replyLines(blocks: readonly AssistantBlock[], model: string, uuid: () => string): object[] {
  const kept = blocks.flatMap((block): (TextBlock | ToolUseBlock)[] => {
    if (block.type === 'text' && 'text' in block) return [{ type: 'text', text: String(block.text) }];
    return block.type === 'tool_use' && 'input' in block ? [block as ToolUseBlock] : [];
  });
  const id = `msg_${uuid().replaceAll('-', '')}`;
  return kept.map((block, at) => ({
    type: 'assistant',
    message: {
      ...{ id, type: 'message', role: 'assistant', model, content: [block] },
      stop_reason: at < kept.length - 1 ? null : kept.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    },
  }));
}

/** What Deft told its model: another program says its own. */
function isReminder(block: UserBlock): boolean {
  return block.type === 'text' && /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/.test(block.text);
}
