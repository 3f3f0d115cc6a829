// What the user is shown of the assistant's text where hooks have a say in it: the log, and what the model gets of it, stay as they were said.
import { type Emit } from '../../events/session-event';
import { type DisplayedText } from '../hooks/session-hooks';

export interface MessageDisplayParts {
  emit: Emit;
  /** Some hook wants to see texts before the user does. */
  active: () => boolean;
  /** What is shown in its place; undefined where it stays. */
  ask: (text: DisplayedText) => Promise<string | undefined>;
  /** Into the log: what was shown instead. */
  write: (shown: DisplayedText) => void;
}

export interface MessageDisplay {
  /** For what a reply streams: a text waits, empty and in its place, until its hooks have seen all of it. */
  emit: Emit;
  /** All that waited is shown. */
  settled(): Promise<void>;
}

export function createMessageDisplay({ emit, active, ask, write }: MessageDisplayParts): MessageDisplay {
  const open = new Map<string, { text: string; held: boolean }>();
  const waiting = new Set<Promise<void>>();
  let counted = { messageId: '', texts: 0 };

  const place = (blockId: string): { messageId: string; index: number } => {
    const messageId = blockId.slice(0, blockId.lastIndexOf(':'));
    if (counted.messageId !== messageId) counted = { messageId, texts: 0 };
    return { messageId, index: counted.texts++ };
  };
  const show = async (id: string, durationMs: number, said: DisplayedText): Promise<void> => {
    const shown = (await ask(said)) ?? said.text;
    if (shown !== said.text) write({ ...said, text: shown });
    if (shown === '') return emit({ type: 'block_dropped', id });
    emit({ type: 'block_delta', id, text: shown });
    emit({ type: 'block_ended', id, durationMs });
  };

  return {
    emit(event) {
      switch (event.type) {
        case 'block_started': {
          if (event.block.type !== 'text') return emit(event);
          const held = active();
          open.set(event.id, { text: event.block.text, held });
          return emit(held ? { ...event, block: { ...event.block, text: '' } } : event);
        }
        case 'block_delta': {
          const block = open.get(event.id);
          if (block?.held !== true) return emit(event);
          block.text += event.text;
          return;
        }
        case 'block_ended': {
          const block = open.get(event.id);
          open.delete(event.id);
          const at = block && place(event.id);
          if (block?.held !== true || at === undefined) return emit(event);
          const shown = show(event.id, event.durationMs, { ...at, text: block.text });
          waiting.add(shown);
          return void shown.finally(() => waiting.delete(shown));
        }
        case 'block_dropped':
          open.delete(event.id);
          return emit(event);
        default:
          return emit(event);
      }
    },
    async settled() {
      await Promise.all(waiting);
    },
  };
}
