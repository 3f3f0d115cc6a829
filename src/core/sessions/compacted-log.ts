// Which part of a log the model is sent: from the last compaction on that was not undone, with its summary in front.
import { type AssistantBlock } from '../wire/wire';
import { type SessionRecord, type SystemRecord, type UserRecord } from '../ports/record';
import { isLight, isSameRecord } from './light-records';

export type CompactBoundary = Extract<SystemRecord, { subtype: 'compact_boundary' }>;

export interface Compaction {
  boundary: CompactBoundary;
  /** As it was edited last. */
  summary: UserRecord;
  /** Where the summary is in the log. */
  at: number;
}

/** The block of a replacing text that the user may rewrite begins so. */
export const summaryHeading = '# Summary of the conversation so far\n\n';

/** All compactions of the log in order. A boundary whose summary was never written is none. */
export function compactions(log: readonly SessionRecord[]): (Compaction & { undone: boolean })[] {
  const undone = new Set(log.flatMap((record) => (isSystem(record, 'compact_undone') ? [record.boundary] : [])));
  const edited = new Map(
    log.flatMap((record) => (isSystem(record, 'compact_edited') ? [[record.boundary, record.summary] as const] : [])),
  );
  return log.flatMap((boundary, index) => {
    if (!isSystem(boundary, 'compact_boundary')) return [];
    const behind = log
      .slice(index + 1, index + 1 + longestGap)
      .findIndex(
        (record) => record.type === 'user' || record.type === 'assistant' || isSystem(record, 'compact_boundary'),
      );
    const at = index + 1 + behind;
    const found = behind === -1 ? undefined : log[at];
    if (found?.type !== 'user' || found.isCompactSummary !== true) return [];
    const text = edited.get(boundary.uuid);
    return [
      {
        boundary,
        summary: text === undefined ? found : withSummary(found, text),
        at,
        undone: undone.has(boundary.uuid),
      },
    ];
  });
}

/** Other programs write facts between a boundary and its summary; more would not be one compaction. */
const longestGap = 10;

/** The same array where nothing is compacted. */
export function presentRecords(log: readonly SessionRecord[]): readonly SessionRecord[] {
  if (!log.some(concernsCompaction)) return log;
  return presentOf(log, compactions(log));
}

/** What would be sent if this compaction were undone. */
export function withoutCompaction(log: readonly SessionRecord[], boundary: string): readonly SessionRecord[] {
  return presentOf(
    log,
    compactions(log).map((one) => (one.boundary.uuid === boundary ? { ...one, undone: true } : one)),
  );
}

function presentOf(log: readonly SessionRecord[], all: ReturnType<typeof compactions>): readonly SessionRecord[] {
  const summaries = new Set(all.map(({ at }) => log[at]));
  const isLeftOut = (record: SessionRecord): boolean => summaries.has(record) || isApiSummary(record);
  const present = lastOf(log, all);
  if (present === undefined) return log.filter((record) => !isLeftOut(record));
  const { summary, at, from, end } = present;
  return [summary, ...[...log.slice(from, end), ...log.slice(at + 1)].filter((record) => !isLeftOut(record))];
}

/** The compaction that holds. What it kept as it was is from `from` up to `end`, where its boundary is: nothing before that is sent. */
export function presentCompaction(
  log: readonly SessionRecord[],
): (Compaction & { from: number; end: number }) | undefined {
  return log.some((record) => isSystem(record, 'compact_boundary')) ? lastOf(log, compactions(log)) : undefined;
}

function lastOf(
  log: readonly SessionRecord[],
  all: ReturnType<typeof compactions>,
): ReturnType<typeof presentCompaction> {
  const present = all.findLast(({ undone }) => !undone);
  if (present === undefined) return undefined;
  const { keptFrom } = present.boundary;
  const end = log.indexOf(present.boundary);
  const from = keptFrom === undefined ? -1 : log.findIndex((record) => 'uuid' in record && record.uuid === keptFrom);
  return { ...present, from: from === -1 || from > end ? end : from, end };
}

interface Followed {
  present: readonly SessionRecord[];
  /** How many records were read, and the last of them. */
  read: number;
  last: SessionRecord | undefined;
}

/** By the log's array, which its session appends to. */
const followed = new WeakMap<readonly SessionRecord[], Followed>();

/** What presentRecords gives, at the cost of what was appended since the call before; the same array grows until a compaction changes what holds. */
export function followPresent(log: readonly SessionRecord[]): readonly SessionRecord[] {
  const before = followed.get(log);
  const added =
    before !== undefined && before.read <= log.length && isSameRecord(log[before.read - 1], before.last)
      ? log.slice(before.read)
      : undefined;
  if (before === undefined || added === undefined || added.some(concernsCompaction)) {
    const present = presentRecords(log);
    followed.set(log, { present, read: log.length, last: log.at(-1) });
    return present;
  }
  if (before.present !== log) (before.present as SessionRecord[]).push(...added);
  before.read = log.length;
  before.last = log.at(-1);
  return before.present;
}

/** The part of the replacing text that the model wrote, or the user in its place. */
export function summaryText({ message: { content } }: UserRecord): string {
  if (typeof content === 'string') return content;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const own = texts.find((text) => text.startsWith(summaryHeading));
  return own === undefined ? texts.join('\n\n') : own.slice(summaryHeading.length);
}

/** All of the replacing text. */
export function replacingText({ message: { content } }: UserRecord): string {
  return typeof content === 'string'
    ? content
    : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

function withSummary(record: UserRecord, summary: string): UserRecord {
  const { content } = record.message;
  const isOwn = (block: { type: string; text?: string }): boolean =>
    block.type === 'text' && block.text?.startsWith(summaryHeading) === true;
  const text = summary.trim() === '' ? '(nothing)' : summary;
  if (typeof content === 'string' || !content.some(isOwn))
    return { ...record, message: { role: 'user', content: text } };
  return {
    ...record,
    message: {
      role: 'user',
      content: content.map((block) => (isOwn(block) ? { type: 'text', text: `${summaryHeading}${text}` } : block)),
    },
  };
}

function concernsCompaction(record: SessionRecord): boolean {
  return (
    isSummary(record) ||
    isApiSummary(record) ||
    isSystem(record, 'compact_boundary') ||
    isSystem(record, 'compact_undone') ||
    isSystem(record, 'compact_edited')
  );
}

/** A block of the API's own compaction: the summary's text stands for it, unless a request takes the block itself. Its contents are never let go. */
export function isApiSummary(record: SessionRecord): boolean {
  return (
    !isLight(record) &&
    record.type === 'assistant' &&
    record.message.content.length > 0 &&
    record.message.content.every(({ type }) => type === 'compaction')
  );
}

/** The block of the compaction that holds, where the API made it and the user has not rewritten its summary. */
export function apiBlock(log: readonly SessionRecord[]): AssistantBlock | undefined {
  const present = log.some((record) => isSystem(record, 'compact_boundary') && record.apiReply !== undefined)
    ? compactions(log).findLast(({ undone }) => !undone)
    : undefined;
  const reply = present?.boundary.apiReply;
  if (present === undefined || reply === undefined || log[present.at] !== present.summary) return undefined;
  return blockOf(log, reply);
}

/** What the API has written into this reply as its summary. */
export function blockOf(log: readonly SessionRecord[], reply: string): AssistantBlock | undefined {
  const record = log.findLast((one) => isApiSummary(one) && one.type === 'assistant' && one.message.id === reply);
  return record?.type === 'assistant' ? record.message.content[0] : undefined;
}

function isSummary(record: SessionRecord): boolean {
  return record.type === 'user' && record.isCompactSummary === true;
}

function isSystem<Subtype extends SystemRecord['subtype']>(
  record: SessionRecord,
  subtype: Subtype,
): record is Extract<SystemRecord, { subtype: Subtype }> {
  return record.type === 'system' && record.subtype === subtype;
}
