// What the model knows of files, recovered from a log: a resumed session may go on editing what it has changed itself.
import { createReadState, type LineRange, type ReadEntry, type ReadState, reminderIn, stillUnseen } from './read-state';
import { movedUnseen, noLines } from './unseen-lines';
import { followPresent } from './compacted-log';
import { followLog } from './follow-log';
import { type SessionRecord } from '../ports/record';

/** By the records that hold, which grow until a compaction; `through`: the last call whose result the API has left out. */
const followed = new WeakMap<
  readonly SessionRecord[],
  {
    state: ReturnType<typeof createReadState>;
    read: number;
    last: SessionRecord | undefined;
    through: string | undefined;
  }
>();

/** At the cost of what was appended since the call before. The caller's own, to be changed. */
export function readStateFromRecords(records: readonly SessionRecord[], clearedThrough?: string): ReadState {
  // A file whose text is no longer before the model counts as unread.
  const present = followPresent(records);
  const before = followed.get(present);
  const known =
    before !== undefined && before.read <= present.length && present[before.read - 1] === before.last
      ? before
      : { state: createReadState(), read: 0, last: undefined, through: undefined };
  for (; known.read < present.length; known.read++) {
    const record = present[known.read];
    addRecord(known.state, record);
    if (record?.type === 'system' && record.subtype === 'reply_end')
      known.through = record.cleared?.through ?? known.through;
  }
  followed.set(present, { ...known, last: present.at(-1) });
  const through = clearedThrough ?? known.through;
  return through === undefined ? createReadState(known.state) : withoutCleared(present, through);
}

/** The state as the session has it, without what was read in calls up to this one alone. */
export function withoutClearedReads(live: ReadState, records: readonly SessionRecord[], through: string): ReadState {
  const present = followPresent(records);
  const left = readStateFromRecords(records, through);
  const cleared = callsUpTo(present, through);
  const paths = new Set(
    present.flatMap((record) =>
      record.type === 'user' && isClearedRead(record, cleared)
        ? [knownFile(record.toolUseResult).filePath ?? [], reminderOf(record.toolUseResult) ?? []].flat()
        : [],
    ),
  );
  return {
    get: (path) => (paths.has(path) ? left : live).get(path),
    set(path, entry) {
      paths.delete(path);
      live.set(path, entry);
    },
    forget(path) {
      left.forget(path);
      live.forget(path);
    },
    keep: (file) => live.keep(file),
    takeKept: (path) => live.takeKept(path),
  };
}

/** What was read in calls up to this one is no longer before the model; what was written is, in the call itself. */
function withoutCleared(present: readonly SessionRecord[], through: string): ReadState {
  const cleared = callsUpTo(present, through);
  const state = createReadState();
  for (const record of present) if (!isClearedRead(record, cleared)) addRecord(state, record);
  return createReadState(state);
}

function callsUpTo(present: readonly SessionRecord[], through: string): ReadonlySet<string> {
  const calls = present.flatMap((record) =>
    record.type === 'assistant'
      ? record.message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
      : [],
  );
  return new Set(calls.slice(0, calls.indexOf(through) + 1));
}

function isClearedRead(record: SessionRecord, cleared: ReadonlySet<string>): boolean {
  if (record.type !== 'user' || typeof record.message.content === 'string' || record.isCompactSummary === true)
    return false;
  const file = knownFile(record.toolUseResult);
  return (
    file.structuredPatch === undefined &&
    file.editMode === undefined &&
    record.message.content.some((block) => block.type === 'tool_result' && cleared.has(block.tool_use_id))
  );
}

/** Tools keep `filePath` and `hash` in their structured output, Read below `file`. */
function addRecord(state: ReadState, record: SessionRecord | undefined): void {
  if (record?.type !== 'user') return;
  if (record.attachedFiles !== undefined)
    for (const { filePath, hash } of record.attachedFiles) state.set(filePath, { hash });
  for (const { filePath, hash, known } of record.changedFiles ?? [])
    if (known === true && state.get(filePath) !== undefined) state.set(filePath, { hash, range: noLines });
  const file = knownFile(record.toolUseResult);
  const { filePath, hash } = file;
  const reminder = reminderOf(record.toolUseResult);
  if (reminder !== undefined && typeof filePath === 'string') state.set(reminder, { hash: filePath });
  if (typeof filePath !== 'string' || typeof hash !== 'string') return;
  // Which cells it left known the log does not say: the notebook has to be read again.
  if (file.editMode !== undefined) {
    state.set(filePath, { hash: '', range: noLines });
    return;
  }
  const unseen = unseenIn(file, hash, state.get(filePath));
  // Which lines were seen last is not kept: none, so that a Read answers with the text.
  state.set(
    filePath,
    unseen === undefined || unseen.length === 0 ? { hash, range: noLines } : { hash, range: noLines, unseen },
  );
}

/** What the model has not seen of a file after a tool has read or changed it. */
function unseenIn(file: KnownFile, hash: string, before: ReadEntry | undefined): LineRange[] | undefined {
  // For a notebook, cells count.
  const start = file.startLine ?? file.startCell;
  const shown = file.numLines ?? file.numCells;
  const total = file.totalLines ?? file.totalCells;
  if (typeof start === 'number' && typeof shown === 'number' && typeof total === 'number') {
    const unseenBefore = before?.hash === hash ? (before.unseen ?? []) : [{ start: 1, end: total }];
    return stillUnseen(unseenBefore, { start, end: start + shown - 1 }, total, numbersIn(file.cut));
  }
  return Array.isArray(file.structuredPatch) ? unseenAfter(before, file, file.structuredPatch) : before?.unseen;
}

const wholeText: LineRange[] = [{ start: 1, end: Number.MAX_SAFE_INTEGER }];

function unseenAfter(
  before: ReadEntry | undefined,
  { created, unseen, added, removed }: KnownFile,
  patch: unknown[],
): LineRange[] | undefined {
  if (created === true) return undefined;
  // It was read before the compaction: how much of it, nothing that is left says.
  if (before === undefined) return wholeText;
  if (Array.isArray(unseen)) return unseen.every(isRange) ? unseen : wholeText;
  if (before.unseen === undefined) return undefined;
  if (!patch.every(isHunk)) return wholeText;
  // The log has the first lines of a long patch.
  const changed = patch.reduce((sum, { lines }) => sum + lines.filter((line) => /^[+-]/.test(String(line))).length, 0);
  return typeof added === 'number' && typeof removed === 'number' && changed !== added + removed
    ? wholeText
    : movedUnseen(before.unseen, patch);
}

function isRange(value: unknown): value is LineRange {
  return hasNumbers(value, ['start', 'end']);
}

function isHunk(
  value: unknown,
): value is { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: unknown[] } {
  return (
    hasNumbers(value, ['oldStart', 'oldLines', 'newStart', 'newLines']) &&
    'lines' in value &&
    Array.isArray(value.lines)
  );
}

function hasNumbers(value: unknown, names: readonly string[]): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'number')
  );
}

function numbersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];
}

/** The text files that tools have read or changed, each once, in the order in which that last happened; at the cost of what was appended since the call before. */
export function usedFiles(records: readonly SessionRecord[]): string[] {
  return [...(followFiles(records) ?? [])];
}

const followFiles = followLog<Set<string> | undefined>(undefined, (paths, record) => {
  if (record.type !== 'user') return paths;
  const { filePath, hash } = knownFile(record.toolUseResult);
  if (typeof filePath !== 'string' || typeof hash !== 'string') return paths;
  paths?.delete(filePath);
  return (paths ?? new Set()).add(filePath);
});

interface KnownFile {
  filePath?: unknown;
  hash?: unknown;
  startLine?: unknown;
  numLines?: unknown;
  totalLines?: unknown;
  startCell?: unknown;
  numCells?: unknown;
  totalCells?: unknown;
  editMode?: unknown;
  structuredPatch?: unknown;
  created?: unknown;
  added?: unknown;
  removed?: unknown;
  unseen?: unknown;
  cut?: unknown;
}

function reminderOf(output: unknown): string | undefined {
  return typeof output === 'object' && output !== null && 'reminders' in output
    ? reminderIn(output.reminders)
    : undefined;
}

const noFile: KnownFile = {};

function knownFile(output: unknown): KnownFile {
  if (typeof output !== 'object' || output === null) return noFile;
  return 'file' in output && typeof output.file === 'object' && output.file !== null ? output.file : output;
}
