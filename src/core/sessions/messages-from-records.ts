// Folds a session's log into the messages of the next request: a history that the API always accepts.
import { type AssistantBlock, type Message, type ToolResultBlock, type UserBlock } from '../model/wire';
import { type SessionRecord, type UserRecord } from './record';
import { withUniqueCalls } from './unique-calls';
import { withoutRefusedImages } from './without-refused-images';

/** Why a call has no result of its own. */
export type MissingCause = 'not-started' | 'interrupted';

/** Told to the model in place of a result that never came. */
export const missingResultText: Record<MissingCause, string> = {
  'not-started': 'This call was not run: the session was interrupted before it started.',
  interrupted:
    'This call was interrupted before it finished, and its result is lost. It may or may not have taken effect: check before you repeat it.',
};

/** Stands before a reply that has nothing before it. */
const lostBeginning = '[The beginning of this session could not be read.]';

/**
 * Every tool_use gets exactly one tool_result, in call order, in one user message right behind its reply; results come
 * before any text; neighbouring messages of one role are merged; replies that hold nothing but thinking are left out.
 */
export function messagesFromRecords(log: readonly SessionRecord[]): Message[] {
  const records = withoutRefusedImages(withUniqueCalls(log));
  const results = collectResults(records);
  const started = new Set(records.flatMap((record) => (isStarted(record) ? [record.toolUseId] : [])));
  const messages: Message[] = [];
  let reply: { id: string; blocks: AssistantBlock[] } | undefined;
  const answered = new Set<string>();

  const closeReply = (): void => {
    if (reply === undefined) return;
    const blocks = withoutLastThinking(reply.blocks.filter(isSendable));
    reply = undefined;
    if (blocks.length === 0) return;
    messages.push({ role: 'assistant', content: blocks });
    const content = blocks.flatMap((block): UserBlock[] => {
      if (block.type !== 'tool_use' || answered.has(block.id)) return [];
      answered.add(block.id);
      return [results.get(block.id) ?? missingResult(block.id, started.has(block.id))];
    });
    if (content.length > 0) messages.push({ role: 'user', content });
  };

  for (const record of records) {
    if (record.type === 'assistant') {
      if (reply !== undefined && reply.id !== record.message.id) closeReply();
      reply ??= { id: record.message.id, blocks: [] };
      reply.blocks.push(...record.message.content);
    } else if (record.type === 'user') {
      const content = promptBlocks(record);
      if (content.length === 0) continue;
      closeReply();
      pushUser(messages, content);
    }
  }
  closeReply();
  // The API wants the person first: a log whose beginning is lost starts with a reply.
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [{ type: 'text', text: lostBeginning }] });
  return messages;
}

/** The calls of the log that have no result, with the cause. */
export function callsWithoutResult(records: readonly SessionRecord[]): { toolUseId: string; name: string; cause: MissingCause }[] {
  const results = collectResults(records);
  const started = new Set(records.flatMap((record) => (isStarted(record) ? [record.toolUseId] : [])));
  return records.flatMap((record) =>
    record.type !== 'assistant'
      ? []
      : record.message.content.flatMap((block) =>
          block.type !== 'tool_use' || results.has(block.id)
            ? []
            : [{ toolUseId: block.id, name: block.name, cause: started.has(block.id) ? ('interrupted' as const) : ('not-started' as const) }],
        ),
  );
}

function isStarted(record: SessionRecord): record is Extract<SessionRecord, { subtype: 'tool_started' }> {
  return record.type === 'system' && record.subtype === 'tool_started';
}

function collectResults(records: readonly SessionRecord[]): Map<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (const record of records) {
    if (record.type !== 'user' || typeof record.message.content === 'string') continue;
    for (const block of record.message.content) {
      // The first one counts: a call is answered once.
      if (block.type === 'tool_result' && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
    }
  }
  return results;
}

function missingResult(toolUseId: string, started: boolean): ToolResultBlock {
  const text = missingResultText[started ? 'interrupted' : 'not-started'];
  return { type: 'tool_result', tool_use_id: toolUseId, content: text, is_error: true };
}

/** Everything of a user record but its tool results, which stand behind their calls. */
function promptBlocks(record: UserRecord): UserBlock[] {
  const { content } = record.message;
  const blocks: UserBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return blocks.filter((block) => block.type !== 'tool_result' && (block.type !== 'text' || block.text.trim() !== ''));
}

function pushUser(messages: Message[], content: UserBlock[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user') last.content.push(...content);
  else messages.push({ role: 'user', content: [...content] });
}

/** The API refuses a message that ends in thinking, and one of nothing else is worth nothing to it. */
function withoutLastThinking(blocks: AssistantBlock[]): AssistantBlock[] {
  const last = blocks.findLastIndex((block) => block.type !== 'thinking' && block.type !== 'redacted_thinking');
  return blocks.slice(0, last + 1);
}

/** The API refuses empty text. */
function isSendable(block: AssistantBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== '';
}
