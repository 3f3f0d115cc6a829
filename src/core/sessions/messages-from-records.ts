// Folds a session's log into the messages of the next request: a history that the API always accepts.
import { type AssistantBlock, type Message, type ToolResultBlock, type UserBlock } from '../wire/wire';
import { reminder } from '../text/system-reminder';
import { presentRecords } from './compacted-log';
import { type SessionRecord, type UserRecord } from '../ports/record';
import { askedModel, keepOrigin, type ReplyOrigin } from './reply-origin';
import { addServerCall, isPaired, newServerCalls, type ServerCalls } from './server-calls';
import { withUniqueCalls } from './unique-calls';
import { withoutRefusedImages } from './without-refused-images';

/** Why a call has no result of its own. */
export type MissingCause = 'not-started' | 'interrupted';

/** Sent to the model in place of a result that never came. */
export const missingResultText: Record<MissingCause, string> = {
  'not-started': 'This call was not run: the session was interrupted before it started.',
  interrupted:
    'This call was interrupted before it finished, and its result is lost. It may or may not have taken effect: check before you repeat it.',
};

/** Stands before a reply that has nothing before it. */
const lostBeginning = '[The beginning of this session could not be read.]';

function lostMiddle(lines: number): string {
  const what = lines === 1 ? 'One line of this session' : `${lines} lines of this session`;
  return reminder(
    `${what} could not be read: messages, calls or results are missing here. Check what was done before you rely on it or repeat it.`,
  );
}

/**
 * Every tool_use gets exactly one tool_result, in call order, in one user message right after its reply; results come
 * before any text; neighbouring messages of one role are merged; replies that hold nothing but thinking are left out. A call that the API runs
 * itself is sent along with its result only. What was compacted is not there.
 */
export function messagesFromRecords(log: readonly SessionRecord[]): Message[] {
  const records = withoutRefusedImages(withUniqueCalls(presentRecords(log)));
  return foldRecords(records, collectFacts(records), { at: 0, messages: [] }).messages;
}

/** What a log says about its calls, wherever it says so. */
export interface CallFacts {
  results: Map<string, ToolResultBlock>;
  started: Set<string>;
  /** Replies that their model declined to finish. */
  refused: Set<string>;
  /** Calls that the API runs itself, and those of them that have a result. */
  server: ServerCalls;
}

export function newCallFacts(): CallFacts {
  return { results: new Map(), started: new Set(), refused: new Set(), server: newServerCalls() };
}

/** A place in the log where a reply begins, and the messages of everything before it. */
export interface FoldStart {
  at: number;
  messages: readonly Message[];
}

export interface Fold {
  messages: Message[];
  /** The last place from which the fold of a longer log may start. */
  next: FoldStart;
  /** Calls that were answered for want of a result. */
  missing: Set<string>;
}

/** Folds the records from `start` on; their calls have ids of their own. Messages are never changed once they are returned. */
export function foldRecords(records: readonly SessionRecord[], facts: CallFacts, start: FoldStart): Fold {
  const messages = [...start.messages];
  const missing = new Set<string>();
  /** `goesOn`: the API has ended it in the middle of its own work. */
  let reply: (ReplyOrigin & { blocks: AssistantBlock[]; goesOn: boolean }) | undefined;
  /** Told after the reply in which they were found. */
  let lost = 0;
  const tellLost = (): void => {
    if (lost > 0) pushUser(messages, [{ type: 'text', text: lostMiddle(lost) }]);
    lost = 0;
  };
  let next = { at: start.at, count: messages.length, last: messages.at(-1) };

  const closeReply = (isLast = false): void => {
    if (reply === undefined) return;
    const { blocks: all, goesOn, ...origin } = reply;
    const kept = facts.refused.has(reply.id) ? all.filter((block) => isLeftOfRefusal(block, facts)) : all;
    const blocks = withoutLastThinking(
      kept.filter((block) => isSendable(block) && isPaired(block, facts.server, isLast && goesOn)),
    );
    reply = undefined;
    if (blocks.length === 0) return tellLost();
    messages.push(keepOrigin({ role: 'assistant', content: blocks }, origin));
    const content = blocks.flatMap((block): UserBlock[] => {
      if (block.type !== 'tool_use') return [];
      const result = facts.results.get(block.id);
      if (result === undefined) missing.add(block.id);
      return [result ?? missingResult(block.id, facts.started.has(block.id))];
    });
    if (content.length > 0) messages.push({ role: 'user', content });
    tellLost();
  };

  for (let at = start.at; at < records.length; at++) {
    const record = records[at];
    if (record?.type === 'assistant') {
      if (reply?.id !== record.message.id) {
        closeReply();
        next = { at, count: messages.length, last: messages.at(-1) };
        reply = { id: record.message.id, model: askedModel(record), blocks: [], goesOn: false };
      }
      reply.blocks.push(...record.message.content);
    } else if (record?.type === 'user') {
      const content = promptBlocks(record);
      if (content.length === 0) continue;
      closeReply();
      pushUser(messages, content);
    } else if (record?.type === 'system' && record.subtype === 'reply_end' && record.messageId === reply?.id) {
      reply.goesOn = record.stopReason === 'pause_turn' || record.stopReason === 'tool_use';
    } else if (record?.type === 'system' && record.subtype === 'unreadable_lines') {
      lost += record.lines;
      if (reply === undefined) tellLost();
    }
  }
  closeReply(true);
  const before = next.last === undefined ? [] : [...messages.slice(0, next.count - 1), next.last];
  return { messages: withBeginning(messages), next: { at: next.at, messages: before }, missing };
}

/** The API wants the user first: a log whose beginning is lost starts with a reply. */
function withBeginning(messages: Message[]): Message[] {
  if (messages[0]?.role !== 'assistant') return messages;
  return [{ role: 'user', content: [{ type: 'text', text: lostBeginning }] }, ...messages];
}

function collectFacts(records: readonly SessionRecord[]): CallFacts {
  const facts = newCallFacts();
  for (const record of records) addFacts(facts, record);
  return facts;
}

/** The record's share of what its log says about calls. */
export function addFacts({ results, started, refused, server }: CallFacts, record: SessionRecord): void {
  if (isStarted(record)) started.add(record.toolUseId);
  if (record.type === 'assistant') for (const block of record.message.content) addServerCall(server, block);
  if (record.type === 'system' && record.subtype === 'result_stored')
    results.set(record.block.tool_use_id, record.block);
  if (record.type === 'system' && record.subtype === 'reply_refused') refused.add(record.messageId);
  if (record.type !== 'user' || typeof record.message.content === 'string') return;
  for (const block of record.message.content) {
    // The first one counts: a call is answered once.
    if (block.type === 'tool_result' && !results.has(block.tool_use_id)) results.set(block.tool_use_id, block);
  }
}

export interface OpenCall {
  toolUseId: string;
  name: string;
  cause: MissingCause;
}

/** Follows a log, record by record: its calls that have no result, with the cause. */
export function followOpenCalls(): { add(record: SessionRecord): void; open(): OpenCall[] } {
  const answered = new Set<string>();
  const started = new Set<string>();
  /** Those that are open, by the call. */
  const names = new Map<string, string>();
  const answer = (id: string): void => {
    answered.add(id);
    names.delete(id);
  };
  return {
    add(record) {
      if (isStarted(record)) started.add(record.toolUseId);
      if (record.type === 'system' && record.subtype === 'result_stored') answer(record.block.tool_use_id);
      if (record.type === 'assistant') {
        for (const block of record.message.content)
          if (block.type === 'tool_use' && !answered.has(block.id)) names.set(block.id, block.name);
      }
      if (record.type !== 'user' || typeof record.message.content === 'string') return;
      for (const block of record.message.content) if (block.type === 'tool_result') answer(block.tool_use_id);
    },
    open: () =>
      [...names].map(([toolUseId, name]) => ({
        toolUseId,
        name,
        cause: started.has(toolUseId) ? 'interrupted' : 'not-started',
      })),
  };
}

/** The calls of the log that have no result, with the cause. */
export function callsWithoutResult(records: readonly SessionRecord[]): OpenCall[] {
  const calls = followOpenCalls();
  for (const record of records) calls.add(record);
  return calls.open();
}

function isStarted(record: SessionRecord): record is Extract<SessionRecord, { subtype: 'tool_started' }> {
  return record.type === 'system' && record.subtype === 'tool_started';
}

function missingResult(toolUseId: string, started: boolean): ToolResultBlock {
  const text = missingResultText[started ? 'interrupted' : 'not-started'];
  return { type: 'tool_result', tool_use_id: toolUseId, content: text, is_error: true };
}

/** Everything of a user record but its tool results, which follow their calls. */
function promptBlocks(record: UserRecord): UserBlock[] {
  const { content } = record.message;
  const blocks: UserBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return blocks.filter((block) => block.type !== 'tool_result' && (block.type !== 'text' || block.text.trim() !== ''));
}

function pushUser(messages: Message[], content: UserBlock[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user') messages[messages.length - 1] = { role: 'user', content: [...last.content, ...content] };
  else messages.push({ role: 'user', content });
}

/** The API refuses a message that ends in thinking, and one of nothing else is worth nothing to it. */
function withoutLastThinking(blocks: AssistantBlock[]): AssistantBlock[] {
  const last = blocks.findLastIndex((block) => block.type !== 'thinking' && block.type !== 'redacted_thinking');
  return blocks.slice(0, last + 1);
}

/** What was done was done: the model that continues must know of it. */
function isLeftOfRefusal(block: AssistantBlock, { results, started }: CallFacts): boolean {
  if (block.type === 'tool_use') return results.has(block.id) || started.has(block.id);
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** The API refuses empty text. */
function isSendable(block: AssistantBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== '';
}
