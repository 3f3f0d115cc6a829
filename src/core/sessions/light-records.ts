// Records whose contents were let go: they are read from the log's file again when somebody asks for them. Whoever has such a
// record has the same fields as before; only what it costs is another.
import { type SessionRecord } from '../ports/record';
import { type RecordPlace, type StoredRecords } from '../ports/session-store';
import { type Slices } from './slices';

/** Not enumerable: a copy of the record has its contents instead. */
const source = Symbol('source');

interface Source extends RecordPlace {
  stored: StoredRecords;
}

type Fields = Record<PropertyKey, unknown>;

/** What scans of a whole log look at; the rest of a record is read when it is asked for. */
const heldTexts: readonly string[] = ['type', 'subtype', 'uuid', 'toolUseId', 'toolState', 'operation'];

/** The record without its contents, which stand at this place. */
export function lightRecord(record: SessionRecord, stored: StoredRecords, place: RecordPlace): SessionRecord {
  const light: Fields = {};
  // Spelled out: a spread one would have a shape of its own for each record.
  const from: Source = { stored, at: place.at, length: place.length, check: place.check, format: place.format };
  for (const [key, value] of Object.entries(record)) {
    if (isHeld(key, value)) light[key] = value;
    else Object.defineProperty(light, key, { get: getterOf(key), enumerable: true, configurable: true });
  }
  Object.defineProperty(light, source, { value: from });
  return light as unknown as SessionRecord;
}

export function isLight(record: SessionRecord): boolean {
  return source in record;
}

/** The same record with its contents. Throws a DeftError where they cannot be read any more. */
export function wholeRecord(record: SessionRecord): SessionRecord {
  const { [source]: from } = record as unknown as { [source]?: Source };
  return from === undefined ? record : from.stored.read(from);
}

const sliceMs = 8;

/** All of them with their contents, for whoever needs the whole log; in slices, since reading takes its time. */
export async function wholeRecords(
  records: readonly SessionRecord[],
  { pause, now }: Slices,
): Promise<readonly SessionRecord[]> {
  if (!records.some(isLight)) return records;
  const whole: SessionRecord[] = [];
  let started = now();
  for (const record of [...records]) {
    whole.push(wholeRecord(record));
    if (now() - started < sliceMs) continue;
    await pause();
    started = now();
  }
  return whole;
}

/** Whether this is still the record that was read last; its contents may have been let go since. */
export function isSameRecord(one: SessionRecord | undefined, other: SessionRecord | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || 'raw' in one || 'raw' in other) return false;
  return isLight(one) && one.uuid === other.uuid;
}

function isHeld(key: string, value: unknown): boolean {
  return typeof value === 'string' ? heldTexts.includes(key) : typeof value !== 'object' || value === null;
}

/** One per field for all records: objects with the same fields then have the same shape, which takes no room of its own. */
const getters = new Map<string, (this: SessionRecord) => unknown>();

function getterOf(key: string): (this: SessionRecord) => unknown {
  const known = getters.get(key);
  if (known !== undefined) return known;
  const getter = function (this: SessionRecord): unknown {
    return (wholeRecord(this) as unknown as Fields)[key];
  };
  getters.set(key, getter);
  return getter;
}
