// Replays a long log in slices, so that nothing else has to wait for it.
import { type ChatEvent, type ChatState } from '../../shared/chat';
import { reduceEvents } from '../../shared/reduce-chat';
import { type ChatProjection } from './chat-projection';
import { followOpenCalls } from '../sessions/messages-from-records';
import { type SessionRecord } from '../ports/record';
import { type Slices } from '../sessions/slices';

/** Well under a frame. */
const sliceMs = 10;

/** Reduced within a slice. The reducer makes an index for each batch: few are cheaper than many. */
const batchEvents = 2_000;

/** What `projection.replay` gives. */
export async function replayInSlices(
  projection: ChatProjection,
  before: ChatState,
  records: readonly SessionRecord[],
  { pause, now }: Slices,
): Promise<ChatState> {
  let state = before;
  let events: ChatEvent[] = [];
  let started = now();
  const calls = followOpenCalls();
  for (const record of records) {
    calls.add(record);
    events.push(...projection.project({ type: 'record', record }));
    const full = events.length >= batchEvents;
    if (full) {
      state = reduceEvents(state, events);
      events = [];
    }
    if (!full && now() - started < sliceMs) continue;
    await pause();
    started = now();
  }
  await pause();
  return reduceEvents(state, [...events, ...projection.replayed(calls.open())]);
}
