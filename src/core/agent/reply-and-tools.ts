// One reply and the calls in it, which run while it still streams.
import { type ModelRequest } from '../wire/wire';
import { type ReplyOutcome, streamReply, type StreamServices } from '../loop/stream-reply';
import { type StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';

/** Ends the stream where the person stops, and where a result ends the turn. */
export async function replyAndTools(
  request: ModelRequest,
  executor: StreamingToolExecutor,
  services: Omit<StreamServices, 'callReady'>,
  signal: AbortSignal,
): Promise<{ reply: ReplyOutcome; results: ExecutedCall[] }> {
  const stream = new AbortController();
  const stop = (): void => {
    executor.stop('the person interrupted the turn.');
    stream.abort(signal.reason);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  // What is whole of the reply stays, as where the person stops.
  executor.turnOver.addEventListener('abort', () => stream.abort(), { once: true });
  try {
    const callReady = (call: ToolCall): void => executor.add(call);
    const reply = await streamReply(request, { ...services, callReady }, stream.signal);
    return { reply, results: await executor.finish() };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
