// Reports from time to time that a tool still runs, so that readers of the stream can distinguish a long call from a dead one.
import { type SessionEvent } from '../core/events/session-event';
import { type Clock } from '../core/ports/clock';

export const heartbeatMs = 30_000;

export interface Heartbeat {
  toolUseId: string;
  toolName: string;
  elapsedMs: number;
}

/** Takes every event of a session. A call counts from where it was allowed to run, not while somebody is asked. */
export function createToolHeartbeat(clock: Clock, onBeat: (beat: Heartbeat) => void): (event: SessionEvent) => void {
  const names = new Map<string, string>();
  const running = new Map<string, AbortController>();

  const start = (toolUseId: string, startedAt: number): void => {
    const ended = new AbortController();
    running.set(toolUseId, ended);
    const beat = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(heartbeatMs, ended.signal);
        onBeat({ toolUseId, toolName: names.get(toolUseId) ?? '', elapsedMs: clock.now() - startedAt });
      }
    };
    // The sleep rejects when the call has ended.
    beat().catch(() => undefined);
  };
  const end = (toolUseId: string): void => {
    running.get(toolUseId)?.abort();
    running.delete(toolUseId);
    names.delete(toolUseId);
  };

  return (event) => {
    if (event.type === 'tool_state' && event.state === 'running') start(event.toolUseId, event.startedAt);
    else if (event.type === 'turn_idle') [...running.keys()].forEach(end);
    else if (event.type === 'record') {
      const { record } = event;
      if ((record.type !== 'assistant' && record.type !== 'user') || typeof record.message.content === 'string') return;
      for (const block of record.message.content) {
        if (block.type === 'tool_use') names.set(block.id, block.name);
        else if (block.type === 'tool_result') end(block.tool_use_id);
      }
    }
  };
}
