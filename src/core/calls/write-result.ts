// Writes the result of a call into the log, next to the reply that requested it.
import { callRecord } from '../sessions/call-records';
import { type SessionRecord } from '../ports/record';
import { slimOutput } from '../sessions/slim-output';
import { type RecordWriter } from '../events/record-writer';
import { type ExecutedCall, type ToolCall } from './tool-call';

export function writeResult(
  call: ToolCall,
  result: ExecutedCall,
  records: readonly SessionRecord[],
  writer: RecordWriter,
): void {
  const source = callRecord(records, call.id);
  writer.write({
    type: 'user',
    message: { role: 'user', content: [result.block] },
    toolUseResult: slimOutput(result.structured),
    toolState: result.state,
    durationMs: result.durationMs,
    ...(source === undefined ? {} : { sourceToolAssistantUUID: source.uuid }),
  });
}
