// The pure reducer of the chat: the same events give the same state in host and webview.
import { type ChatEvent, type ChatItem, type ChatState, type ToolItem } from './chat';
import { grow, nothingWritten } from './writing';

/** From this many events on, an index pays for itself. */
const indexedBatch = 16;

/** Never throws; events for items that are not loaded change nothing. */
export function reduceChat(state: ChatState, event: ChatEvent): ChatState {
  return reduceEvents(state, [event]);
}

/** The same, in one step for many events. */
export function reduceEvents(state: ChatState, events: readonly ChatEvent[]): ChatState {
  const next = { ...state, items: [...state.items] };
  const find = events.length < indexedBatch ? lastIndexIn(next) : indexedIn(next);
  for (const event of events) apply(next, event, find);
  return next;
}

interface Finder {
  at(id: string): number;
  added(id: string, at: number): void;
  removed(): void;
}

function apply(state: ChatState, event: ChatEvent, find: Finder): void {
  switch (event.type) {
    case 'item': {
      const at = find.at(event.item.id);
      if (at >= 0) state.items[at] = event.item;
      else find.added(event.item.id, state.items.push(event.item) - 1);
      return;
    }
    case 'delta':
      return change(state, event.id, find, (item) =>
        item.kind === 'text' || item.kind === 'thinking' ? { ...item, text: item.text + event.text } : item,
      );
    case 'block_end':
      return change(state, event.id, find, (item) => {
        if (item.kind === 'text') return { ...item, streaming: false };
        if (item.kind !== 'thinking') return item;
        return {
          ...item,
          streaming: false,
          ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
        };
      });
    case 'remove': {
      const at = find.at(event.id);
      if (at < 0) return;
      state.items.splice(at, 1);
      find.removed();
      return;
    }
    case 'tool':
      return change(state, event.id, find, (item) => (item.kind === 'tool' ? changedTool(item, event.change) : item));
    case 'writing':
      return change(state, event.id, find, (item) =>
        item.kind === 'tool'
          ? { ...item, writing: grow(item.writing ?? nothingWritten, event.part, event.text, event.lines) }
          : item,
      );
    case 'written':
      return change(state, event.id, find, (item) => (item.kind === 'tool' ? withoutWriting(item) : item));
    case 'status':
      state.status = event.status;
      return;
    case 'activity':
      state.activity = event.text;
      return;
    case 'queue':
      state.queue = event.queue;
      return;
    case 'approvals':
      state.approvals = event.approvals;
      return;
    case 'questions':
      state.questions = event.questions;
      return;
    case 'mcpRequests':
      state.mcpRequests = event.mcpRequests;
      return;
    case 'background':
      state.background = event.background;
      return;
    case 'todos':
      state.todos = event.todos;
      return;
    case 'changes':
      state.changes = event.changes;
      return;
    case 'usage':
      state.usage = event.usage;
      return;
    case 'goal':
      state.goal = event.goal;
      return;
    case 'loop':
      state.loop = event.loop;
      return;
    case 'side':
      state.side = event.side;
      return;
    case 'sideText': {
      const at = state.side.findIndex((one) => one.state === 'asking');
      state.side = state.side.map((one, index) => (index === at ? { ...one, answer: one.answer + event.text } : one));
      return;
    }
    case 'title':
      state.title = event.title;
      return;
    case 'mode':
      state.mode = event.mode;
      return;
    case 'model':
      state.model = event.model;
      return;
  }
}

/** What it was going to write is told by what it did, or by why it did not. */
function changedTool(item: ToolItem, change: Partial<ToolItem>): ToolItem {
  const changed = { ...item, ...change };
  return changed.view !== undefined || (changed.state !== 'waiting' && changed.state !== 'running')
    ? withoutWriting(changed)
    : changed;
}

function withoutWriting(item: ToolItem): ToolItem {
  const { writing: _writing, ...rest } = item;
  return rest;
}

function change(state: ChatState, id: string, find: Finder, update: (item: ChatItem) => ChatItem): void {
  const at = find.at(id);
  const item = state.items[at];
  if (item !== undefined) state.items[at] = update(item);
}

/** From the end: changes nearly always concern the newest items. */
function lastIndexIn(state: ChatState): Finder {
  return { at: (id) => state.items.findLastIndex((item) => item.id === id), added: () => {}, removed: () => {} };
}

function indexedIn(state: ChatState): Finder {
  let index: Map<string, number> | undefined;
  const built = (): Map<string, number> => (index ??= new Map(state.items.map((item, at) => [item.id, at])));
  return {
    at: (id) => built().get(id) ?? -1,
    added: (id, at) => void built().set(id, at),
    removed: () => (index = undefined),
  };
}
