// One reply and the calls in it, which run while it still streams.
import { type ModelRequest } from '../model/wire';
import { type ReplyOutcome, streamReply, type StreamServices } from './stream-reply';
import { type StreamingToolExecutor } from './streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from './tool-call';

export async function replyAndTools(
  request: ModelRequest,
  executor: StreamingToolExecutor,
  services: Omit<StreamServices, 'callReady'>,
  signal: AbortSignal,
): Promise<{ reply: ReplyOutcome; results: ExecutedCall[] }> {
  const stop = (): void => executor.stop('the person interrupted the turn.');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const callReady = (call: ToolCall): void => executor.add(call);
    const reply = await streamReply(request, { ...services, callReady }, signal);
    return { reply, results: await executor.finish() };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
