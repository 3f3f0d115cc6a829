// Turns the host's messages into state: snapshots, numbered events, older pages, and what goes to single listeners.
import { signal, type Signal } from '@preact/signals';
import { type ChatEvent } from '../../src/shared/chat';
import type { ChatSurroundings, HostMessage, SessionRow } from '../../src/shared/protocol';
import { type ChatStore } from './chat-store';
import { createFrameQueue } from './frame-queue';

/** What a tool wrote in full, once asked for. */
export interface ToolOutput {
  text: string;
  truncated: boolean;
}

/** Why a call was allowed, once asked for. */
export type ToolTrace = Pick<Extract<HostMessage, { type: 'trace' }>, 'trace' | 'present'>;

/** Messages that change no state here: whoever can act on them listens. */
export type HostSignalMessage = Extract<
  HostMessage,
  {
    type:
      | 'found'
      | 'mentions'
      | 'slashCommands'
      | 'unqueued'
      | 'keptImages'
      | 'writeAnew'
      | 'refused'
      | 'insert'
      | 'focus'
      | 'showHistory'
      | 'showMcp'
      | 'showUsage'
      | 'usage'
      | 'showBackground'
      | 'backgroundLines'
      | 'mcpChanged'
      | 'mcpServers'
      | 'mcpAdded'
      | 'ended';
  }
>;

/** The first `rows` of `total` sessions. */
export interface ListedSessions {
  query: string;
  rows: readonly SessionRow[];
  total: number;
  keptDays: number;
}

export interface Received {
  /** False until the first snapshot. */
  ready: Signal<boolean>;
  surroundings: Signal<ChatSurroundings>;
  /** Undefined until the first listing arrives. */
  sessions: Signal<ListedSessions | undefined>;
  /** What the last search in conversations has found so far. */
  matches: Signal<Omit<Extract<HostMessage, { type: 'sessionMatches' }>, 'type'> | undefined>;
  outputs: Signal<ReadonlyMap<string, ToolOutput>>;
  traces: Signal<ReadonlyMap<string, ToolTrace>>;
  /** Counts snapshots: views that depend on "a conversation was opened" watch it. */
  opened: Signal<number>;
  handle(message: HostMessage): void;
  listen(listener: (message: HostSignalMessage) => void): () => void;
}

const noSurroundings: ChatSurroundings = {
  needsSetup: false,
  demo: false,
  trusted: true,
  sendWith: 'enter',
  sound: false,
  suggestions: [],
  modes: [],
  modelLabel: '',
  selection: null,
  platform: 'other',
};

/** `askForSnapshot` is called after a gap, once until the snapshot comes. */
export function createReceived(store: ChatStore, askForSnapshot: () => void): Received {
  const ready = signal(false);
  const surroundings = signal(noSurroundings);
  const sessions = signal<ListedSessions | undefined>(undefined);
  const matches: Received['matches'] = signal(undefined);
  const outputs = signal<ReadonlyMap<string, ToolOutput>>(new Map());
  const traces = signal<ReadonlyMap<string, ToolTrace>>(new Map());
  const opened = signal(0);
  const listeners = new Set<(message: HostSignalMessage) => void>();
  const queue = createFrameQueue<ChatEvent>((events) => store.apply(events));
  let epoch = -1;
  /** The number that the next event has. */
  let next = 0;
  let asked = false;

  function handleEvents(message: Extract<HostMessage, { type: 'events' }>): void {
    if (message.epoch !== epoch) return;
    if (message.from > next) {
      if (!asked) askForSnapshot();
      asked = true;
      return;
    }
    const fresh = message.events.slice(next - message.from);
    next += fresh.length;
    queue.add(fresh);
  }

  return {
    ready,
    surroundings,
    sessions,
    matches,
    outputs,
    traces,
    opened,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    handle(message) {
      switch (message.type) {
        case 'snapshot':
          epoch = message.epoch;
          next = message.seq;
          asked = false;
          queue.clear();
          if (message.state.sessionId !== store.facts.peek().sessionId) {
            outputs.value = new Map();
            traces.value = new Map();
          }
          store.load(message.state);
          surroundings.value = message.surroundings;
          ready.value = true;
          opened.value++;
          return;
        case 'events':
          return handleEvents(message);
        case 'surroundings':
          surroundings.value = message.surroundings;
          return;
        case 'older':
          if (message.epoch === epoch) store.prepend(message.items, message.olderItems);
          return;
        case 'output':
          outputs.value = new Map(outputs.peek()).set(message.toolUseId, {
            text: message.text,
            truncated: message.truncated,
          });
          return;
        case 'trace':
          traces.value = new Map(traces.peek()).set(message.toolUseId, {
            trace: message.trace,
            present: message.present,
          });
          return;
        case 'sessions':
          sessions.value = listedWith(sessions.peek(), message);
          return;
        case 'sessionMatches': {
          const before = matches.peek();
          const kept = before?.requestId === message.requestId ? before.sessions : [];
          matches.value = {
            requestId: message.requestId,
            sessions: [...kept, ...message.sessions],
            done: message.done,
          };
          return;
        }
        case 'found':
        case 'mentions':
        case 'slashCommands':
        case 'unqueued':
        case 'keptImages':
        case 'writeAnew':
        case 'refused':
        case 'insert':
        case 'focus':
        case 'showHistory':
        case 'showMcp':
        case 'showUsage':
        case 'usage':
        case 'showBackground':
        case 'backgroundLines':
        case 'mcpChanged':
        case 'mcpServers':
        case 'mcpAdded':
        case 'ended':
          for (const listener of [...listeners]) listener(message);
      }
    },
  };
}

/** A page that fits behind what is there goes there; one that begins anew replaces it. */
function listedWith(
  before: ListedSessions | undefined,
  { query, from, total, sessions, keptDays }: Extract<HostMessage, { type: 'sessions' }>,
): ListedSessions | undefined {
  if (from === 0) return { query, rows: sessions, total, keptDays };
  if (before?.query !== query || before.rows.length !== from) return before;
  return { query, rows: [...before.rows, ...sessions], total, keptDays };
}
