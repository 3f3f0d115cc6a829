// Sends the model each note of the session's context sources once, and again after what was sent has left the conversation.
import { type ContextNote, type ContextSource, type InstructionsFile, keySubject } from '../context/context-source';
import { followPresent } from '../sessions/compacted-log';
import { type SessionRecord } from '../ports/record';
import { reminder } from '../text/system-reminder';
import { type RecordWriter } from '../events/record-writer';
import { type Offers, said, type Words } from '../text/words';

export interface SessionContext {
  /** In front of a prompt: what the model does not know yet. */
  inject(signal: AbortSignal): Promise<void>;
  /** Between two requests: what belongs to files that calls have touched, and what has come up meanwhile. */
  injectFor(paths: readonly string[], signal: AbortSignal): Promise<void>;
  /** All that holds now, for a text that stands in place of the conversation. */
  whole(signal: AbortSignal): Promise<ContextNote[]>;
}

export interface SessionContextServices {
  /** Asked each time: they are there once all features are. */
  sources: () => readonly ContextSource[];
  /** The tools that notes may name. */
  offers: Offers;
  records: readonly SessionRecord[];
  writer: RecordWriter;
  /** The model was sent these files of instructions. */
  onInstructions: (files: readonly InstructionsFile[]) => void;
}

export function createSessionContext({
  sources,
  offers,
  records,
  writer,
  onInstructions,
}: SessionContextServices): SessionContext {
  const sentKeys = followSentKeys(records);
  const ask = async (
    question: (source: ContextSource) => Promise<ContextNote<Words>[]> | undefined,
  ): Promise<ContextNote[]> =>
    (await Promise.all(sources().map(async (source) => (await question(source)) ?? [])))
      .flat()
      .map((note) => ({ ...note, text: said(note.text, offers) }))
      // Of tools that the session lacks there may be nothing to say.
      .filter(({ text }) => text !== '');
  const write = (notes: readonly ContextNote[]): void => {
    if (notes.length === 0) return;
    const known = sentKeys();
    const fresh = notes.filter(({ key, takesBack }) => {
      const before = known.get(keySubject(key));
      if (before === key || (takesBack === true && before === undefined)) return false;
      known.set(keySubject(key), key);
      return true;
    });
    if (fresh.length === 0) return;
    writer.write({
      type: 'user',
      message: { role: 'user', content: fresh.map(({ text }) => ({ type: 'text', text: reminder(text) })) },
      isMeta: true,
      contextKeys: fresh.map(({ key }) => key),
    });
    onInstructions(filesOf(fresh));
  };
  return {
    inject: async (signal) => write(await ask((source) => source.present(signal))),
    injectFor: async (paths, signal) => {
      write(await ask((source) => source.joined?.()));
      if (paths.length > 0) write(await ask((source) => source.touched?.(paths, signal)));
    },
    async whole(signal) {
      const notes = (await ask((source) => source.present(signal))).filter(({ takesBack }) => takesBack !== true);
      onInstructions(filesOf(notes).map((file) => ({ ...file, load_reason: 'compact' })));
      return [...notes, ...(await ask((source) => source.reattached?.()))];
    },
  };
}

function filesOf(notes: readonly ContextNote[]): InstructionsFile[] {
  return notes.flatMap(({ instructions = [] }) => instructions);
}

/** The newest notes about each subject that are still in the conversation. Only what was added to it is read. */
function followSentKeys(records: readonly SessionRecord[]): () => Map<string, string> {
  let read: { of: readonly SessionRecord[]; count: number; keys: Map<string, string> } | undefined;
  return () => {
    const present = followPresent(records);
    if (read?.of !== present) read = { of: present, count: 0, keys: new Map() };
    for (const record of present.slice(read.count)) {
      if (record.type === 'user') for (const key of record.contextKeys ?? []) read.keys.set(keySubject(key), key);
    }
    read.count = present.length;
    return read.keys;
  };
}
