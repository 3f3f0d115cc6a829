// Tells the model each note of the session's context sources once, and again after what was told has left the conversation.
import { type ContextNote, type ContextSource } from '../context/context-source';
import { presentRecords } from '../sessions/compacted-log';
import { type SessionRecord } from '../sessions/record';
import { reminder } from './environment-reminder';
import { type RecordWriter } from './record-writer';

export interface SessionContext {
  /** In front of a prompt: what the model does not know yet. */
  tell(signal: AbortSignal): Promise<void>;
  /** What belongs to files that calls have touched. */
  tellOf(paths: readonly string[], signal: AbortSignal): Promise<void>;
  /** All that holds now, for a text that stands in place of the conversation. */
  whole(signal: AbortSignal): Promise<ContextNote[]>;
}

export function createSessionContext(sources: readonly ContextSource[], records: readonly SessionRecord[], writer: RecordWriter): SessionContext {
  const ask = async (question: (source: ContextSource) => Promise<ContextNote[]> | undefined): Promise<ContextNote[]> =>
    (await Promise.all(sources.map(async (source) => (await question(source)) ?? []))).flat();
  const write = (notes: readonly ContextNote[]): void => {
    if (notes.length === 0) return;
    const known = toldKeys(records);
    const fresh = notes.filter(({ key }) => !known.has(key) && known.add(key));
    if (fresh.length === 0) return;
    writer.write({ type: 'user', message: { role: 'user', content: fresh.map(({ text }) => ({ type: 'text', text: reminder(text) })) }, isMeta: true, contextKeys: fresh.map(({ key }) => key) });
  };
  return {
    tell: async (signal) => write(await ask((source) => source.present(signal))),
    tellOf: async (paths, signal) => {
      if (paths.length > 0) write(await ask((source) => source.touched?.(paths, signal)));
    },
    whole: async (signal) => [...(await ask((source) => source.present(signal))), ...(await ask((source) => source.reattached?.()))],
  };
}

/** Of the notes that still stand in the conversation. */
function toldKeys(records: readonly SessionRecord[]): Set<string> {
  return new Set(presentRecords(records).flatMap((record) => (record.type === 'user' ? (record.contextKeys ?? []) : [])));
}
