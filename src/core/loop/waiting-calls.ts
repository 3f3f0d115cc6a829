// The calls at the end of a log that waited for the user when their host went away: with them the turn continues, not with a new reply.
import { type ToolCall } from '../calls/tool-call';
import { type SessionRecord, type SystemRecord, type UserRecord } from '../ports/record';
import { addServerCall, isPaired, newServerCalls } from '../sessions/server-calls';
import { hostClosedAskingCode } from '../sessions/turn-end-notice';
import { type AssistantBlock, type ToolUseBlock } from '../wire/wire';
import { isGoOn } from './go-on';

/**
 * Those of the last reply that nothing has happened to, in call order, where the user was being asked about one of them.
 * None where one has spoken since, or the turn came to another end: the model then hears that they were not run. A call
 * that had begun is never among them.
 */
export function waitingCalls(records: readonly SessionRecord[]): ToolCall[] {
  const { blocks, over, asked } = lastReply(records);
  const open = blocks.filter((block): block is ToolUseBlock => block.type === 'tool_use' && !over.has(block.id));
  if (!open.some(({ id }) => asked.has(id)) || hasOpenServerCall(blocks)) return [];
  return open.map(({ id, name, input }) => ({ id, name, input }));
}

interface LastReply {
  /** None where the log has gone on behind it. */
  blocks: AssistantBlock[];
  /** Its calls that have begun or have a result. */
  over: Set<string>;
  asked: Set<string>;
}

/** Read from the end: no more of the log than belongs to it. */
function lastReply(records: readonly SessionRecord[]): LastReply {
  const reply: LastReply = { blocks: [], over: new Set(), asked: new Set() };
  let id: string | undefined;
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.type === 'assistant') {
      if (id !== undefined && record.message.id !== id) break;
      id = record.message.id;
      reply.blocks.unshift(...record.message.content);
    } else if (record !== undefined && endsReply(record)) break;
    else if (record?.type === 'user') for (const call of resultsIn(record)) reply.over.add(call);
    else if (record?.type === 'system' && record.subtype === 'tool_started') reply.over.add(record.toolUseId);
    else if (record?.type === 'system' && record.subtype === 'user_asked') reply.asked.add(record.toolUseId);
  }
  return reply;
}

function resultsIn({ message: { content } }: UserRecord): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

/** No reply goes on across it: what the user says, "Go on", a compaction, the end of a turn. Deft's own notes and results come within one. */
function endsReply(record: SessionRecord): boolean {
  if (record.type === 'user')
    return (
      resultsIn(record).length === 0 && (record.isMeta !== true || record.isCompactSummary === true || isGoOn(record))
    );
  if (record.type !== 'system') return false;
  if (record.subtype === 'turn_end') return record.code !== hostClosedAskingCode;
  return ending.includes(record.subtype);
}

const ending: readonly SystemRecord['subtype'][] = [
  'reply_refused',
  'compact_boundary',
  'compact_undone',
  'unreadable_lines',
];

/** The API continues its own tool in a request of a form that only the turn's own memory knows. */
function hasOpenServerCall(blocks: readonly AssistantBlock[]): boolean {
  const calls = newServerCalls();
  for (const block of blocks) addServerCall(calls, block);
  return blocks.some((block) => !isPaired(block, calls, false));
}
