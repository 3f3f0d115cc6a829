// Reads a session file of Codex: rollouts of new and old versions, and the record that its terminal program can keep of itself.
import { firstPrompt } from './claude-code';
import { addEnd, addEvent, addItem } from './codex-items';
import { createCodexRecords, type CodexRecords } from './codex-records';
import { type Fields, type ExternalSession, parseLines, textOf } from './external-session';
import { pairCalls } from './pair-calls';
import { isObject } from '../../shared/plain-object';

/** What the files of all versions are made of. */
interface CodexLine {
  kind: 'meta' | 'item' | 'event' | 'turn' | 'compacted' | 'other';
  timestamp: string;
  fields: Fields;
}

/** Never throws. */
export function readCodex(lines: Iterable<string>): ExternalSession {
  const { objects, unreadable } = parseLines(lines);
  const read = objects.map(codexLine);
  const facts = codexFacts(objects);
  const built = createCodexRecords(facts);
  built.at.model = facts.model;
  const hasItems = read.some(({ kind }) => kind === 'item');
  const ends: Fields[] = [];
  let from = 0;
  for (const { kind, timestamp, fields } of read) {
    built.at.timestamp = timestamp === '' ? built.at.timestamp : timestamp;
    if (kind === 'turn') built.at.model = textOf(fields['model']) ?? built.at.model;
    else if (kind === 'item') addItem(fields, built);
    else if (kind === 'compacted') from = addSummary(fields, built) ?? from;
    else if (kind === 'event' && fields['type'] === 'turn_aborted') built.interrupted();
    else if (kind === 'event' && fields['type'] === 'thread_rolled_back') rollBack(Number(fields['num_turns']), built);
    else if (kind === 'event' && !hasItems) addEvent(fields, built);
    else if (kind === 'event') ends.push(fields);
  }
  const answered = new Set(
    built.records
      .flatMap((record) =>
        record.type === 'user' && typeof record.message.content !== 'string' ? record.message.content : [],
      )
      .flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
  for (const end of ends) if (!answered.has(String(end['call_id']).replace(/[^a-zA-Z0-9_-]/g, '_'))) addEnd(end, built);
  const first = built.records[from];
  const paired = pairCalls(built.records, new Map());
  const uuid = first && 'uuid' in first ? first.uuid : undefined;
  return {
    source: 'codex',
    id: facts.id,
    title: facts.title ?? firstPrompt(paired.records),
    cwd: facts.cwd,
    ...paired,
    from: Math.max(
      0,
      paired.records.findIndex((record) => 'uuid' in record && record.uuid === uuid),
    ),
    unreadable,
  };
}

/** What a file says about itself; its first lines are enough for all but the title. */
export function codexFacts(objects: readonly Fields[]): {
  id: string;
  cwd: string;
  version: string;
  model: string;
  title: string | undefined;
} {
  const read = objects.map(codexLine);
  const metas = read.flatMap(({ kind, fields }) => (kind === 'meta' ? [fields] : []));
  const found = (name: string): string => textOf(metas.find((meta) => textOf(meta[name]) !== undefined)?.[name]) ?? '';
  const turn = read.find(({ kind }) => kind === 'turn')?.fields ?? {};
  const named = read.findLast(
    ({ kind, fields }) => kind === 'event' && fields['type'] === 'thread_name_updated',
  )?.fields;
  const id = found('id') === '' ? found('session_id') : found('id');
  const cwd = found('cwd') === '' ? (textOf(turn['cwd']) ?? environmentFolder(read)) : found('cwd');
  return {
    id,
    cwd,
    version: found('cli_version'),
    model: found('model') === '' ? (textOf(turn['model']) ?? '') : found('model'),
    title: textOf(named?.['thread_name']),
  };
}

const itemTypes = [
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'function_call_result',
  'local_shell_call',
  'local_shell_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'web_search_call',
];

export function isCodexLine(line: Fields): boolean {
  return (
    codexLine(line).kind !== 'other' || 'record_type' in line || line['dir'] === 'to_tui' || line['dir'] === 'from_tui'
  );
}

function codexLine(line: Fields): CodexLine {
  const payload = isObject(line['payload']) ? line['payload'] : {};
  const timestamp = textOf(line['timestamp']) ?? textOf(line['ts']) ?? '';
  const as = (kind: CodexLine['kind'], fields: Fields = payload): CodexLine => ({ kind, timestamp, fields });
  switch (line['type']) {
    case 'session_meta':
      return as('meta');
    case 'response_item':
      return as('item');
    case 'event_msg':
      return as('event');
    case 'turn_context':
      return as('turn');
    case 'compacted':
      return isObject(line['payload']) ? as('compacted') : as('other');
  }
  if (itemTypes.includes(String(line['type'])) && !('uuid' in line)) return as('item', line);
  if (
    line['type'] === undefined &&
    textOf(line['id']) !== undefined &&
    'timestamp' in line &&
    ('instructions' in line || 'git' in line)
  )
    return as('meta', line);
  return terminalLine(line, payload, as);
}

/** The terminal program's record of itself: what it sent, and the events that it got. */
function terminalLine(
  line: Fields,
  payload: Fields,
  as: (kind: CodexLine['kind'], fields?: Fields) => CodexLine,
): CodexLine {
  if (line['kind'] === 'session_start') return as('meta', line);
  if (line['kind'] === 'codex_event' && isObject(payload['msg']))
    return as(payload['msg']['type'] === 'session_configured' ? 'meta' : 'event', payload['msg']);
  if (
    line['kind'] !== 'op' ||
    !['user_input', 'user_turn'].includes(String(payload['type'])) ||
    !Array.isArray(payload['items'])
  )
    return as('other');
  const text = payload['items']
    .flatMap((item: unknown) => (isObject(item) ? (textOf(item['text']) ?? []) : []))
    .join('\n');
  return as('event', { type: 'user_message', message: text });
}

/** The conversation continues from the summary. */
function addSummary(fields: Fields, to: CodexRecords): number | undefined {
  const message = textOf(fields['message']);
  if (message === undefined) return undefined;
  to.prompt(message, {
    display: { text: 'Summary of the conversation so far, made by Codex.', attachments: ['summary'], images: 0 },
  });
  return to.records.length - 1;
}

function rollBack(turns: number, { records }: CodexRecords): void {
  for (let left = turns; left > 0; left--) {
    const at = records.findLastIndex(
      (record) =>
        record.type === 'user' &&
        record.isMeta !== true &&
        (typeof record.message.content === 'string' ||
          record.message.content.some((block) => block.type !== 'tool_result')),
    );
    if (at < 0) return;
    records.length = at;
  }
}

/** Older versions send the folder only to the model. */
function environmentFolder(read: readonly CodexLine[]): string {
  for (const { kind, fields } of read) {
    const content = kind === 'item' && Array.isArray(fields['content']) ? fields['content'] : [];
    for (const part of content as unknown[]) {
      const text = isObject(part) ? (textOf(part['text']) ?? '') : '';
      const folder = /<cwd>([^<]+)<\/cwd>|Current working directory: ([^\n]+)/.exec(text);
      if (folder !== null) return folder[1] ?? folder[2] ?? '';
    }
  }
  return '';
}
