// Keeps a stream in the order that the API promises, whatever a gateway makes of it: one start, blocks with numbers of their own, nothing behind the end.
import { type StreamEvent } from '../core/wire/wire';

/** Takes the stream's events one by one; undefined for one that does not belong there. */
export type StreamOrder = (event: StreamEvent) => StreamEvent | undefined;

export function createStreamOrder(): StreamOrder {
  /** By the number on the wire: the number that the newest open block has here. */
  const open = new Map<number, number>();
  const used = new Set<number>();
  /** By the number on the wire: the kind of a block that has begun and of which nothing has come yet. */
  const empty = new Map<number, string>();
  let started = false;
  let ended = false;
  return (event) => {
    if (ended || (event.type === 'message_start') === started) return undefined;
    switch (event.type) {
      case 'message_start':
        started = true;
        return event;
      case 'message_stop':
        ended = true;
        return event;
      case 'message_delta':
        return event;
      case 'content_block_start': {
        const { type } = event.content_block;
        // Announced twice, with nothing in between: the second one is a duplicate.
        if (empty.get(event.index) === type && (type === 'text' || type === 'thinking')) return undefined;
        empty.set(event.index, type);
        // Some gateways give every block the same number, and some never end one: what comes under that number belongs to the newest from here on.
        const index = used.has(event.index) ? Math.max(...used) + 1 : event.index;
        used.add(index);
        open.set(event.index, index);
        return index === event.index ? event : { ...event, index };
      }
      case 'content_block_delta':
      case 'content_block_stop': {
        const index = open.get(event.index);
        if (index === undefined) return undefined;
        empty.delete(event.index);
        if (event.type === 'content_block_stop') open.delete(event.index);
        return index === event.index ? event : { ...event, index };
      }
    }
  };
}
