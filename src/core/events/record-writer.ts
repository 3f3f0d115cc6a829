// Gives records their envelope, appends them to the log and notifies the host.
import { defined } from '../../shared/defined';
import { messageOf } from '../text/errors';
import { type Clock } from '../ports/clock';
import { type SessionLog } from '../ports/session-store';
import { type KnownRecord, type RecordEnvelope, type SessionRecord } from '../ports/record';
import { type Emit } from './session-event';

type WithoutEnvelope<Record> = Record extends KnownRecord ? Omit<Record, keyof RecordEnvelope> : never;
/** A record's own fields. */
export type RecordContent = WithoutEnvelope<KnownRecord>;

export interface RecordWriterOptions {
  log: SessionLog;
  /** What the log holds already; new records are appended here too. */
  records: SessionRecord[];
  clock: Clock;
  uuid: () => string;
  version: string;
  /** For an agent: the id of the conversation that it belongs to. */
  sidechainOf?: string | undefined;
  cwd: () => string;
  gitBranch: () => string | undefined;
  emit: Emit;
}

export interface RecordWriter {
  /** Under an id that was given out before, else under a new one. */
  write(content: RecordContent, uuid?: string): KnownRecord;
  /** A step of something under way; nothing follows from it. */
  progress(data: Record<string, unknown>, toolUseId: string): void;
  /** On disk when it resolves; a disk error is reported to the host, never thrown: the records stay queued. */
  sync(): Promise<void>;
}

export function createRecordWriter(options: RecordWriterOptions): RecordWriter {
  const { log, records, clock, emit } = options;
  let parentUuid = lastUuid(records);
  const envelope = (): RecordEnvelope => {
    const branch = options.gitBranch();
    return {
      uuid: options.uuid(),
      parentUuid,
      timestamp: new Date(clock.now()).toISOString(),
      sessionId: options.sidechainOf ?? log.id,
      cwd: options.cwd(),
      version: options.version,
      ...defined({ gitBranch: branch }),
      ...(options.sidechainOf === undefined ? {} : { isSidechain: true }),
    };
  };
  /** What comes before anything was said: a session in which nothing ever is leaves no file, and is in no history. */
  let held: SessionRecord[] | undefined = records.some(isSaid) ? undefined : [];
  const append = (record: SessionRecord): void => {
    records.push(record);
    if (held !== undefined && !isSaid(record)) held.push(record);
    else {
      log.append([...(held ?? []), record]);
      held = undefined;
    }
    emit({ type: 'record', record });
  };
  return {
    write(content, uuid) {
      const record = { ...content, ...envelope(), ...defined({ uuid }) } as KnownRecord;
      parentUuid = record.uuid;
      append(record);
      return record;
    },
    progress(data, toolUseId) {
      append({
        type: 'progress',
        raw: { type: 'progress', data, parentToolUseID: toolUseId, toolUseID: toolUseId, ...envelope() },
      });
    },
    async sync() {
      try {
        await log.sync();
      } catch (error) {
        emit({ type: 'log_failed', message: messageOf(error) });
      }
    },
  };
}

function isSaid(record: SessionRecord): boolean {
  return (
    record.type === 'user' ||
    record.type === 'assistant' ||
    record.type === 'queue-operation' ||
    (record.type === 'system' && record.subtype === 'prompt_blocked')
  );
}

function lastUuid(records: readonly SessionRecord[]): string | null {
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record !== undefined && 'uuid' in record) return record.uuid;
  }
  return null;
}
