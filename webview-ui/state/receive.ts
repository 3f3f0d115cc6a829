// Turns the host's messages about the conversation into state: snapshots, numbered events, older pages, surroundings.
import { signal, type Signal } from '@preact/signals';
import { type ChatEvent } from '../../src/shared/chat';
import type { HostMessages } from '../../src/shared/host-messages';
import { type ChatSurroundings, unknownSurroundings } from '../../src/shared/surroundings';
import { type ChatReceiver } from './chat-store';
import { createFrameQueue } from './frame-queue';

export interface Received {
  /** False until the first snapshot. */
  ready: Signal<boolean>;
  surroundings: Signal<ChatSurroundings>;
  /** Counts snapshots: views that depend on "a conversation was opened" watch it. */
  opened: Signal<number>;
  takeSnapshot(message: HostMessages['snapshot']): void;
  takeEvents(message: HostMessages['events']): void;
  takeSurroundings(message: HostMessages['surroundings']): void;
  takeOlder(message: HostMessages['older']): void;
}

/**
 * `askForSnapshot` is called after a gap, once until the snapshot comes; `drawn` with the number of the next event once
 * all before it is painted.
 */
export function createReceived(
  store: ChatReceiver,
  askForSnapshot: () => void,
  drawn: (epoch: number, seq: number) => void,
): Received {
  const ready = signal(false);
  const surroundings = signal(unknownSurroundings);
  const opened = signal(0);
  // In the task after the frame.
  const acknowledge = (): void => void setTimeout(() => drawn(epoch, next));
  const queue = createFrameQueue<ChatEvent>((events) => {
    try {
      store.apply(events);
    } finally {
      acknowledge();
    }
  });
  let epoch = -1;
  /** The number that the next event has. */
  let next = 0;
  let asked = false;

  return {
    ready,
    surroundings,
    opened,
    takeSnapshot(message) {
      epoch = message.epoch;
      next = message.seq;
      asked = false;
      queue.clear();
      store.load(message.state);
      surroundings.value = message.surroundings;
      ready.value = true;
      opened.value++;
      acknowledge();
    },
    takeEvents(message) {
      if (message.epoch !== epoch) return;
      if (message.from > next) {
        if (!asked) askForSnapshot();
        asked = true;
        return;
      }
      const fresh = message.events.slice(next - message.from);
      next += fresh.length;
      queue.add(fresh);
    },
    takeSurroundings(message) {
      surroundings.value = message.surroundings;
    },
    takeOlder(message) {
      if (message.epoch === epoch) store.prepend(message.items, message.olderItems);
    },
  };
}
