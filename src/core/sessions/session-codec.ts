// One line of a session file to a record and back. Reading is tolerant; what is not understood is kept as it is.
import { readableAssistantBlocks, readableUserBlocks } from './readable-blocks';
import { type RecordEnvelope, type SessionRecord, type UnknownRecord } from './record';

/** One line without its newline. An unknown record's own fields are written as they were read. */
export function encodeRecord(record: SessionRecord): string {
  return JSON.stringify('raw' in record ? record.raw : record);
}

/** Undefined for a line that holds no JSON object: a torn write, an empty line. Fields that lack are filled in. */
export function decodeRecord(line: string): SessionRecord | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    return undefined;
  }
  return recordOf(raw);
}

/** The same of a line that was parsed already. */
export function recordOf(raw: unknown): SessionRecord | undefined {
  return isObject(raw) ? (knownRecord(raw) ?? unknownRecord(raw)) : undefined;
}

type Fields = Record<string, unknown>;

/** The system records that Deft writes, with the fields that they cannot do without. */
const systemFields: Record<string, Record<string, 'string' | 'number' | 'object'>> = {
  reply_end: { messageId: 'string', usage: 'object', model: 'string' },
  side_usage: { model: 'string', usage: 'object' },
  api_retry: { attempt: 'number', maxAttempts: 'number', delayMs: 'number', message: 'string' },
  turn_end: { reason: 'string', durationMs: 'number' },
  permission_update: { update: 'object' },
  setting: { name: 'string', value: 'string' },
  tool_started: { toolUseId: 'string' },
  decision: { toolUseId: 'string', by: 'string', behavior: 'string', code: 'string', reason: 'string' },
  background_end: { taskId: 'string', message: 'string' },
  images_dropped: { message: 'string' },
  hook_notice: { hookName: 'string', level: 'string', message: 'string' },
  prompt_blocked: { display: 'object' },
};

const passedOn = ['progress', 'summary', 'attachment', 'file-history-snapshot'] as const;

function knownRecord(raw: Fields): SessionRecord | undefined {
  switch (raw['type']) {
    case 'user': {
      const message = isObject(raw['message']) ? raw['message'] : {};
      const content = typeof message['content'] === 'string' ? message['content'] : readableUserBlocks(message['content']);
      return content === undefined ? undefined : complete(withoutOddDisplay(raw), { message: { ...message, role: 'user', content } });
    }
    case 'assistant': {
      const message = isObject(raw['message']) ? raw['message'] : {};
      const content = readableAssistantBlocks(message['content']);
      return content === undefined ? undefined : complete(raw, { message: assistantMessage(raw, { ...message, content }) });
    }
    case 'system': {
      const subtype = String(raw['subtype']);
      if (subtype === 'result_stored') return storedResult(raw);
      const fields = Object.hasOwn(systemFields, subtype) ? systemFields[subtype] : undefined;
      const fits =
        fields && Object.entries(fields).every(([name, type]) => typeof raw[name] === type && raw[name] !== null);
      return fits
        ? complete(raw, raw['subtype'] === 'reply_end' ? { stopReason: raw['stopReason'] ?? null } : {})
        : undefined;
    }
    case 'custom-title':
    case 'ai-title':
      return typeof raw['title'] === 'string' ? complete(raw, {}) : undefined;
    case 'queue-operation': {
      const operations: unknown[] = ['enqueue', 'remove', 'dequeue'];
      const content = readableUserBlocks(raw['content']);
      const fits = operations.includes(raw['operation']) && typeof raw['messageId'] === 'string';
      if (!fits || (content === undefined && raw['content'] !== undefined)) return undefined;
      return complete(withoutOddDisplay(raw), content === undefined ? {} : { content });
    }
    default:
      return undefined;
  }
}

function storedResult(raw: Fields): SessionRecord | undefined {
  const block = readableUserBlocks([raw['block']])?.find(({ type }) => type === 'tool_result');
  return block && complete(raw, { block });
}

function unknownRecord(raw: Fields): UnknownRecord {
  return { type: passedOn.find((type) => type === raw['type']) ?? 'unknown', raw };
}

/** The one place where checked data becomes a record: `knownRecord` looked at every field that its type needs. */
function complete(raw: Fields, checked: Fields): SessionRecord {
  const text = (name: string): string => (typeof raw[name] === 'string' ? raw[name] : '');
  const envelope: RecordEnvelope = {
    uuid: text('uuid'),
    parentUuid: typeof raw['parentUuid'] === 'string' ? raw['parentUuid'] : null,
    timestamp: text('timestamp'),
    sessionId: text('sessionId'),
    cwd: text('cwd'),
    version: text('version'),
  };
  return { ...raw, ...envelope, ...checked } as unknown as SessionRecord;
}

/** A message without an id stands alone, so the record's own id serves. */
function assistantMessage(raw: Fields, message: Fields): Fields {
  return {
    ...message,
    id: typeof message['id'] === 'string' ? message['id'] : String(raw['uuid'] ?? ''),
    role: 'assistant',
    model: typeof message['model'] === 'string' ? message['model'] : '',
    stop_reason: message['stop_reason'] ?? null,
  };
}

/** What the chat shows in place of the message; without it the message itself is shown. */
function withoutOddDisplay(raw: Fields): Fields {
  const { display, ...rest } = raw;
  if (display === undefined) return raw;
  const fits =
    isObject(display) &&
    typeof display['text'] === 'string' &&
    Array.isArray(display['attachments']) &&
    display['attachments'].every((name) => typeof name === 'string') &&
    typeof display['images'] === 'number';
  return fits ? raw : rest;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
