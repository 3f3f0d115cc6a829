// The records of a Deft session that continues an external one: only what is safe to send, and nothing that grants anything.
import { type AssistantBlock, type ToolResultBlock, type UserBlock } from '../wire/wire';
import { forkRecords } from '../sessions/fork-records';
import { continuedMark } from '../sessions/parted-writers';
import { type AssistantRecord, type SessionRecord, type UserRecord } from '../ports/record';
import { neutralValue } from '../text/system-reminder';
import { type ExternalSession } from './external-session';

const maxNameChars = 128;
/** Grants, settings and what still runs belong to the session that they were made in. */
const left: string[] = [
  'permission_update',
  'setting',
  'side_usage',
  'background_end',
  'tool_started',
  'user_asked',
  'decision',
];

export function continuedRecords(session: ExternalSession, id: string): SessionRecord[] {
  const own = forkRecords(session.records.slice(session.from), id);
  const records = inOneChain(
    own.flatMap((record): SessionRecord[] => {
      if ('raw' in record) return [];
      if (record.type === 'assistant') return keptReply(record);
      if (record.type === 'user') return [keptPrompt(record)];
      return record.type === 'system' && left.includes(record.subtype) ? [] : [record];
    }),
  );
  const last = records.findLast((record) => record.type === 'assistant' || record.type === 'user');
  const spoken = records.at(-1);
  if (last === undefined || spoken === undefined || 'raw' in spoken) return records;
  const envelope = {
    parentUuid: spoken.uuid,
    timestamp: spoken.timestamp,
    sessionId: id,
    cwd: session.cwd,
    version: spoken.version,
  };
  const title: SessionRecord[] =
    session.title === '' ? [] : [{ ...envelope, type: 'ai-title', uuid: `${id}-title`, title: session.title }];
  // The user continues; nothing waits to be picked up.
  return [
    ...records,
    ...title,
    {
      ...envelope,
      type: 'system',
      uuid: `${id}${continuedMark}`,
      subtype: 'turn_end',
      reason: 'completed',
      durationMs: 0,
    },
  ];
}

/** External logs are trees in which the results of calls branch off the chain: here they are chained in the order they have. */
function inOneChain(records: readonly SessionRecord[]): SessionRecord[] {
  let parentUuid: string | null = null;
  return records.map((record) => {
    if ('raw' in record) return record;
    const linked = { ...record, parentUuid };
    parentUuid = record.uuid;
    return linked;
  });
}

/** Thinking holds for the model and the account that it was made with; what only an API makes cannot be sent by another. */
function keptReply(record: AssistantRecord): SessionRecord[] {
  if (record.message.model === '<synthetic>') return [];
  const content = record.message.content.flatMap((block): AssistantBlock[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    return block.type === 'tool_use'
      ? [{ type: 'tool_use', id: block.id, name: toolName(block.name), input: block.input }]
      : [];
  });
  return content.length === 0 ? [] : [{ ...record, message: { ...record.message, content } }];
}

function toolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxNameChars);
}

/** What another program told its model in such a tag comes from there, not from Deft. */
function keptPrompt(record: UserRecord): UserRecord {
  const { toolUseResult, attachedFiles: _files, changedFiles: _changes, contextKeys: _keys, ...rest } = record;
  const { content } = record.message;
  const kept =
    typeof content === 'string'
      ? content
      : content.map((block) => (block.type === 'tool_result' ? keptResult(block) : plainBlock(block)));
  return {
    ...rest,
    message: { role: 'user', content: neutralValue(kept) },
    ...(isPast(toolUseResult) ? { toolUseResult } : {}),
  };
}

/** No file counts as read and no command as running because an external log says so. */
function isPast(output: unknown): boolean {
  if (typeof output !== 'object' || output === null) return typeof output === 'string';
  return !('hash' in output) && !('file' in output) && !('state' in output && output.state === 'background');
}

function keptResult({ tool_use_id, content, is_error }: ToolResultBlock): ToolResultBlock {
  const parts =
    typeof content === 'string'
      ? content
      : content.map((part) =>
          part.type === 'tool_reference'
            ? { type: 'text' as const, text: `[tool: ${part.tool_name}]` }
            : plainBlock(part),
        );
  // The API takes no error without a word.
  const said = is_error === true && parts.length === 0 ? 'The call failed without a message.' : parts;
  return { type: 'tool_result', tool_use_id, content: said, ...(is_error === true ? { is_error } : {}) };
}

/** Without fields of another client, such as where it put its cache. */
function plainBlock<Block extends UserBlock>(block: Block): Block {
  if (block.type === 'text') return { type: 'text', text: block.text } as Block;
  return block.type === 'image' || block.type === 'document'
    ? ({ type: block.type, source: block.source } as Block)
    : block;
}
