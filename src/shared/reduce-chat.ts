// The pure reducer of the chat: the same events give the same state in host and webview.
import { defined } from './defined';
import {
  type ChangedFile,
  type ChatEvent,
  type ChatItem,
  type ChatState,
  type FeatureLine,
  type ToolItem,
} from './chat';
import { usedRetries } from './used-retries';
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

/** A state that one owner changes in place: what an event costs does not depend on the length of the session. */
export interface ChatFold {
  /** The same object at all times. */
  readonly state: ChatState;
  apply(events: readonly ChatEvent[]): void;
}

export function foldChat(initial: ChatState): ChatFold {
  const state = { ...initial, items: [...initial.items] };
  const find = indexedIn(state);
  return {
    state,
    apply(events) {
      for (const event of events) apply(state, event, find);
    },
  };
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
      else {
        dropRetries(state, event, find);
        find.added(event.item.id, state.items.push(event.item) - 1);
      }
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
          ...defined({ durationMs: event.durationMs }),
        };
      });
    case 'marks':
      return change(state, event.id, find, (item) => (item.kind === 'text' ? { ...item, marks: event.marks } : item));
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
    case 'sideText': {
      const at = state.side.findIndex((one) => one.state === 'asking');
      state.side = state.side.map((one, index) => (index === at ? { ...one, answer: one.answer + event.text } : one));
      return;
    }
    case 'edited':
      state.review = { ...state.review, edited: withEdited(state.review.edited, event.files) };
      return;
    case 'drafts':
      state.review = { ...state.review, drafts: event.drafts };
      return;
    case 'line':
      state.lines = withLine(state.lines, event.id, event.line);
      return;
    case 'status':
      dropRetries(state, event, find);
      state.status = event.status;
      return;
    default:
      Object.assign(state, replaced(event));
  }
}

function dropRetries(state: ChatState, event: ChatEvent, find: Finder): void {
  for (const notice of usedRetries(event, newestFirst(state.items))) state.items[find.at(notice.id)] = notice;
}

function* newestFirst(items: readonly ChatItem[]): Generator<ChatItem> {
  for (let at = items.length - 1; at >= 0; at--) yield items[at] as ChatItem;
}

type ItemEvent =
  | 'item'
  | 'delta'
  | 'block_end'
  | 'marks'
  | 'remove'
  | 'tool'
  | 'writing'
  | 'written'
  | 'sideText'
  | 'edited'
  | 'drafts'
  | 'line'
  | 'status';

/** Events that put one field of the state anew. */
function replaced(event: Exclude<ChatEvent, { type: ItemEvent }>): Partial<ChatState> {
  switch (event.type) {
    case 'activity':
      return { activity: event.text };
    case 'queue':
      return { queue: event.queue };
    case 'approvals':
      return { approvals: event.approvals };
    case 'questions':
      return { questions: event.questions };
    case 'mcpRequests':
      return { mcpRequests: event.mcpRequests };
    case 'background':
      return { background: event.background };
    case 'todos':
      return { todos: event.todos };
    case 'changes':
      return { changes: event.changes };
    case 'usage':
      return { usage: event.usage };
    case 'side':
      return { side: event.side };
    case 'title':
      return { title: event.title };
    case 'mode':
      return { mode: event.mode };
    case 'model':
      return { model: event.model };
  }
}

function withEdited(edited: readonly ChangedFile[], files: readonly ChangedFile[]): ChangedFile[] {
  const byPath = new Map(edited.map((file) => [file.path, file]));
  for (const { path, added, removed } of files) {
    const before = byPath.get(path);
    byPath.set(path, { path, added: added + (before?.added ?? 0), removed: removed + (before?.removed ?? 0) });
  }
  return [...byPath.values()];
}

function withLine(lines: readonly FeatureLine[], id: string, line: FeatureLine | null): FeatureLine[] {
  const others = lines.filter((one) => one.id !== id);
  return line === null ? others : [...others, line].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What it was going to write is dropped once its result, or the reason that there is none, shows it. */
function changedTool(item: ToolItem, change: Partial<ToolItem>): ToolItem {
  const goesOn = change.state === 'waiting' || change.state === 'running';
  const changed = { ...(goesOn ? withoutMessage(item) : item), ...change };
  return changed.view !== undefined || (changed.state !== 'waiting' && changed.state !== 'running')
    ? withoutWriting(changed)
    : changed;
}

/** Why it was stopped: it is asked again after a reload. */
function withoutMessage(item: ToolItem): ToolItem {
  const { message: _message, ...rest } = item;
  return rest;
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
