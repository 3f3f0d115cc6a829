// One line of a session file to a record and back. Reading is tolerant; what is not understood is kept as it is.
import { defined } from '../../shared/defined';
import { readableAssistantBlocks, readableUserBlocks } from './readable-blocks';
import { type RecordEnvelope, type SessionRecord, type UnknownRecord } from '../ports/record';
import { isObject } from '../../shared/plain-object';

/** One line without its newline. An unknown record is written as it was read, byte for byte. */
export function encodeRecord(record: SessionRecord): string {
  return 'raw' in record ? (record.line ?? JSON.stringify(record.raw)) : JSON.stringify(record);
}

/** The line with more fields in it. */
export function encodeWith(record: SessionRecord, more: Fields): string {
  return JSON.stringify({ ...('raw' in record ? record.raw : record), ...more });
}

/** The same record in a session of another id. */
export function inSession(record: SessionRecord, id: string): SessionRecord {
  if (!('raw' in record)) return { ...record, sessionId: id };
  const { line, ...rest } = record;
  if (!('sessionId' in record.raw)) return record;
  const raw = { ...record.raw, sessionId: id };
  const moved = line?.replace(/("sessionId"\s*:\s*)"[^"]*"/, (_all, name: string) => `${name}${JSON.stringify(id)}`);
  return { ...rest, raw, ...(moved !== undefined && parseLine(moved)?.['sessionId'] === id ? { line: moved } : {}) };
}

/** Undefined for a line that holds no JSON object: a torn write, an empty line. Fields that lack are filled in. */
export function decodeRecord(line: string): SessionRecord | undefined {
  const fields = parseLine(line);
  return fields && recordOf(fields, line);
}

/** The JSON object of a line. A mark at its beginning, and the zeros that a power loss leaves where a write was under way, are no part of it. */
export function parseLine(line: string): Fields | undefined {
  try {
    const raw: unknown = JSON.parse(line.startsWith('{') ? line : line.replace(/^[\0\uFEFF]+/, ''));
    return isObject(raw) ? raw : undefined;
  } catch {
    return undefined;
  }
}

/** The record that these fields are, read from this line. */
export function recordOf(fields: Fields, line?: string): SessionRecord {
  const known = knownRecord(fields);
  if (known !== undefined) return known;
  const unknown = unknownRecord(fields);
  const text = line?.slice(line.indexOf('{')).trimEnd();
  return text === undefined || text === JSON.stringify(fields) ? unknown : { ...unknown, line: text };
}

type Fields = Record<string, unknown>;

/** The system records that Deft writes, with the fields that they cannot do without. */
const systemFields: Record<string, Record<string, 'string' | 'number' | 'object'>> = {
  reply_end: { messageId: 'string', usage: 'object', model: 'string' },
  side_usage: { model: 'string', usage: 'object' },
  api_retry: { attempt: 'number', maxAttempts: 'number', delayMs: 'number', message: 'string' },
  offline: { message: 'string' },
  reply_refused: { messageId: 'string' },
  model_fallback: { from: 'string', to: 'string', cause: 'string', message: 'string' },
  turn_end: { reason: 'string', durationMs: 'number' },
  permission_update: { update: 'object' },
  setting: { name: 'string', value: 'string' },
  goal: { condition: 'string', state: 'string' },
  tool_started: { toolUseId: 'string' },
  user_asked: { toolUseId: 'string' },
  decision: { toolUseId: 'string', by: 'string', behavior: 'string', code: 'string', reason: 'string' },
  background_end: { taskId: 'string', message: 'string' },
  images_dropped: { message: 'string' },
  message_display: { messageId: 'string', index: 'number', text: 'string' },
  hook_notice: { hookName: 'string', level: 'string', message: 'string' },
  compact_boundary: { compactMetadata: 'object' },
  compact_undone: { boundary: 'string' },
  compact_edited: { boundary: 'string', summary: 'string' },
  worktree: { agentId: 'string', worktree: 'object' },
  session_worktree: {},
  worktrees_left: { message: 'string' },
  unreadable_lines: { lines: 'number' },
  prompt_blocked: { display: 'object' },
  user_call: { toolUseId: 'string', tool: 'string', state: 'string' },
  team_mail: { mailId: 'string', from: 'string', to: 'string', text: 'string', summary: 'string' },
  task_list: { tasks: 'object', lastId: 'number' },
};

const passedOn = ['progress', 'summary', 'attachment', 'file-history-snapshot'] as const;

function knownRecord(raw: Fields): SessionRecord | undefined {
  switch (raw['type']) {
    case 'user':
      return userRecord(raw);
    case 'assistant':
      return assistantRecord(raw);
    case 'system':
      return systemRecord(raw);
    case 'custom-title':
    case 'ai-title':
      return typeof raw['title'] === 'string' ? complete(raw, {}) : undefined;
    case 'queue-operation':
      return queueRecord(raw);
    default:
      return undefined;
  }
}

function userRecord(raw: Fields): SessionRecord | undefined {
  const message = isObject(raw['message']) ? raw['message'] : {};
  const content = typeof message['content'] === 'string' ? message['content'] : readableUserBlocks(message['content']);
  if (content === undefined) return undefined;
  const fields = withoutOddKeys(withoutOddChanges(withoutOddFiles(withoutOddDisplay(raw))));
  return complete(fields, { message: { ...message, role: 'user', content } });
}

function assistantRecord(raw: Fields): SessionRecord | undefined {
  const message = isObject(raw['message']) ? raw['message'] : {};
  const content = readableAssistantBlocks(message['content']);
  if (content === undefined) return undefined;
  return complete(raw, { message: assistantMessage(raw, { ...message, content }) });
}

function systemRecord(raw: Fields): SessionRecord | undefined {
  const subtype = String(raw['subtype']);
  if (subtype === 'result_stored') return storedResult(raw);
  const fields = Object.hasOwn(systemFields, subtype) ? systemFields[subtype] : undefined;
  const fits =
    fields && Object.entries(fields).every(([name, type]) => typeof raw[name] === type && raw[name] !== null);
  return fits ? complete(raw, checkedSystemFields(raw)) : undefined;
}

const queueOperations: readonly unknown[] = ['enqueue', 'remove', 'dequeue'];

function queueRecord(raw: Fields): SessionRecord | undefined {
  const content = readableUserBlocks(raw['content']);
  const fits = queueOperations.includes(raw['operation']) && typeof raw['messageId'] === 'string';
  if (!fits || (content === undefined && raw['content'] !== undefined)) return undefined;
  return complete(withoutOddDisplay(raw), defined({ content }));
}

function checkedSystemFields(raw: Fields): Fields {
  if (raw['subtype'] === 'reply_end') return { stopReason: raw['stopReason'] ?? null };
  // Logs of earlier builds call the user "person".
  return raw['subtype'] === 'decision' && raw['by'] === 'person' ? { by: 'user' } : {};
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
    areStrings(display['attachments']) &&
    typeof display['images'] === 'number' &&
    (display['inline'] === undefined || areStrings(display['inline'])) &&
    (display['comments'] === undefined || areComments(display['comments']));
  return fits ? raw : rest;
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Threads in the editor are made from them. */
function areComments(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one: unknown) =>
        isObject(one) &&
        ['id', 'path', 'quoted', 'words'].every((field) => typeof one[field] === 'string') &&
        ['start', 'end'].every((field) => Number.isInteger(one[field])),
    )
  );
}

/** They count as read: without a path and a hash each, none does. */
function withoutOddFiles(raw: Fields): Fields {
  const { attachedFiles, ...rest } = raw;
  return attachedFiles === undefined || areFiles(attachedFiles) ? raw : rest;
}

/** They count as told, and some as read. */
function withoutOddChanges(raw: Fields): Fields {
  const { changedFiles, ...rest } = raw;
  return changedFiles === undefined || areFiles(changedFiles) ? raw : rest;
}

function areFiles(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (file: unknown) => isObject(file) && typeof file['filePath'] === 'string' && typeof file['hash'] === 'string',
    )
  );
}

/** What it names counts as sent. */
function withoutOddKeys(raw: Fields): Fields {
  const { contextKeys, ...rest } = raw;
  const fits =
    contextKeys === undefined || (Array.isArray(contextKeys) && contextKeys.every((key) => typeof key === 'string'));
  return fits ? raw : rest;
}
