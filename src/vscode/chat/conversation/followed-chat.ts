// A session that another window writes, shown as it continues there: what its log says is projected as it comes, in slices.
import { setImmediate as nextTask } from 'node:timers/promises';
import { type ChatProjection } from '../../../core/projection/chat-projection';
import { followOpenCalls, missingResultText } from '../../../core/sessions/messages-from-records';
import { type SessionRecord } from '../../../core/ports/record';
import { type ChatEvent, type ChatState, type NoticeItem } from '../../../shared/chat';
import { reduceEvents } from '../../../shared/reduce-chat';
import { endsInTurn } from './shown-end';

/** Well under a frame. */
const sliceMs = 10;
/** The reducer makes an index for each batch: few are cheaper than many. */
const reducedAtOnce = 1_000;
const mostAtOnce = 2_000;

export interface FollowedChat {
  /** The whole log so far. */
  begin(empty: ChatState, records: readonly SessionRecord[]): Promise<ChatState>;
  /** What came since; `push` gets it in slices. */
  add(records: readonly SessionRecord[], push: (events: ChatEvent[]) => void): Promise<void>;
  /** Whether the other window has it open. */
  held(isHeld: boolean): ChatEvent[];
}

const releasedNotice: NoticeItem = {
  kind: 'notice',
  id: 'notice:released',
  level: 'info',
  title: 'The other window has closed this session.',
  detail: 'To continue it here, open it from the history.',
};

export function createFollowedChat(projection: ChatProjection): FollowedChat {
  const calls = followOpenCalls();
  let reply = '';
  let working = false;
  let wasHeld = true;
  /** A reply or a turn behind them: no result of theirs will come. */
  const stopOpen = (): ChatEvent[] =>
    calls.open().map(({ toolUseId, cause }) => ({
      type: 'tool',
      id: toolUseId,
      change: { state: 'stopped', message: missingResultText[cause] },
    }));
  const eventsOf = (record: SessionRecord): ChatEvent[] => {
    const turnEnds = record.type === 'system' && record.subtype === 'turn_end';
    const replyBegins = record.type === 'assistant' && record.message.id !== reply;
    if (record.type === 'assistant') reply = record.message.id;
    const before = turnEnds || replyBegins ? stopOpen() : [];
    calls.add(record);
    const isStart = record.type === 'system' && record.subtype === 'tool_started';
    const started: ChatEvent[] = isStart
      ? [
          {
            type: 'tool',
            id: record.toolUseId,
            change: { state: 'running', startedAt: Date.parse(record.timestamp) || 0 },
          },
        ]
      : [];
    // What waits and what runs in the background is acted on in the other window.
    const said = projection
      .project({ type: 'record', record })
      .filter(({ type }) => type !== 'queue' && type !== 'background');
    return [...before, ...said, ...started];
  };
  const inSlices = async (
    records: readonly SessionRecord[],
    onEvents: (events: ChatEvent[]) => void,
    atOnce = 1,
  ): Promise<void> => {
    let events: ChatEvent[] = [];
    let started = performance.now();
    for (const record of records) {
      events.push(...eventsOf(record));
      if (events.length < mostAtOnce && performance.now() - started < sliceMs) continue;
      await nextTask();
      if (events.length >= atOnce) {
        onEvents(events);
        events = [];
        await nextTask();
      }
      started = performance.now();
    }
    await nextTask();
    working =
      endsInTurn(records) ||
      (working && !records.some((record) => record.type === 'system' && record.subtype === 'turn_end'));
    onEvents([...events, { type: 'status', status: working && wasHeld ? 'working' : 'idle' }]);
  };
  return {
    async begin(empty, records) {
      let state = empty;
      await inSlices(records, (events) => (state = reduceEvents(state, events)), reducedAtOnce);
      return state;
    },
    add: inSlices,
    held(isHeld) {
      wasHeld = isHeld;
      if (isHeld)
        return [
          { type: 'remove', id: releasedNotice.id },
          { type: 'status', status: working ? 'working' : 'idle' },
        ];
      return [...stopOpen(), { type: 'item', item: releasedNotice }, { type: 'status', status: 'idle' }];
    },
  };
}
