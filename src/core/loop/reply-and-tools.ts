// A reply and its calls, which run while it still streams; both end where the user stops, or a result ends the turn.
import { type StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';
import { type ModelRequest } from '../wire/wire';
import { type ReplyOutcome, type StreamServices, streamReply } from './stream-reply';

/** One reply and the calls in it, which run while it still streams. Ends the stream where the user stops, and where a result ends the turn. */
export async function replyAndTools(
  request: ModelRequest,
  executor: StreamingToolExecutor,
  services: Omit<StreamServices, 'callReady'>,
  signal: AbortSignal,
): Promise<{ reply: ReplyOutcome; results: ExecutedCall[] }> {
  return untilStopped(executor, signal, async (stopped) => {
    const callReady = (call: ToolCall): void => executor.add(call);
    const reply = await streamReply(request, { ...services, callReady }, stopped);
    return { reply, results: await executor.finish() };
  });
}

/** Where the user stops, or a result ends the turn, `stopped` fires and no further call begins. */
export async function untilStopped<Outcome>(
  executor: StreamingToolExecutor,
  signal: AbortSignal,
  work: (stopped: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const stopped = new AbortController();
  const stop = (): void => {
    executor.stop('the user interrupted the turn.');
    stopped.abort(signal.reason);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  // What is whole of the reply stays, as where the user stops.
  executor.turnOver.addEventListener('abort', () => stopped.abort(), { once: true });
  try {
    return await work(stopped.signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
