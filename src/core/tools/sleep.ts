// Sleep: waits without a shell, and wakes early when there is something to hear.
import { defined } from '../../shared/defined';
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../tool/build-tool';
import { type Arrival } from '../tool/arrivals';
import prompt from './sleep.md';
import { type ToolContext, type ToolResult } from '../tool/tool';

const maxSleepMs = 600_000;

const inputSchema = z.strictObject({
  duration_ms: z
    .number()
    .int()
    .min(1)
    .max(maxSleepMs)
    .describe(`How long to wait at most, in milliseconds, up to ${maxSleepMs} (10 minutes)`),
});

const outputSchema = z.object({
  requestedMs: z.number(),
  sleptMs: z.number(),
  /** What ended it early. */
  wokenBy: z.enum(['message', 'event']).optional(),
});

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const sleepTool = buildTool<Input, Output>({
  name: 'Sleep',
  aliases: ['SleepTool'],
  seldom: 'waits without a command',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isReadOnly: () => true,
  describe: ({ duration_ms: ms }) => ({ now: `Waiting ${shownTime(ms)}`, past: `Waited ${shownTime(ms)}` }),
  call,
  content: resultText,
  view: () => ({ kind: 'markdown', text: '' }),
  detail: ({ wokenBy }) =>
    wokenBy === undefined ? '' : wokenBy === 'message' ? 'woken by your message' : 'woken by a background event',
});

async function call(
  { duration_ms: requestedMs }: Input,
  { session, ports, signal }: ToolContext,
): Promise<ToolResult<Output>> {
  const startedAt = ports.clock.now();
  const woken = new AbortController();
  let wokenBy: Arrival | undefined;
  const unsubscribe = session.onArrival((arrival) => {
    wokenBy ??= arrival;
    woken.abort();
  });
  try {
    await ports.clock.sleep(requestedMs, AbortSignal.any([signal, woken.signal]));
  } catch (error) {
    // The user's Stop ends the call; news end only the wait.
    if (signal.aborted || !woken.signal.aborted) throw error;
  } finally {
    unsubscribe();
  }
  return {
    data: { requestedMs, sleptMs: ports.clock.now() - startedAt, ...defined({ wokenBy }) },
  };
}

function resultText({ requestedMs, sleptMs, wokenBy }: Output): string {
  if (wokenBy === undefined) return `Waited ${shownTime(requestedMs)}.`;
  const why =
    wokenBy === 'message'
      ? 'the user has written; their message follows'
      : 'something has happened in the background; it follows';
  return `Woke after ${shownTime(sleptMs)} of ${shownTime(requestedMs)}: ${why}.`;
}

/** "250 ms", "1.5 s", "2 min 5 s". */
function shownTime(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
