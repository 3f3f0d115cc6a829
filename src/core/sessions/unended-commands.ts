// The commands that a log says run in the background: their end is nowhere in it.
import { defined } from '../../shared/defined';
import { z } from 'zod/v3';
import { callRecord } from './call-records';
import { hasField } from '../text/has-field';
import { type SessionRecord } from '../ports/record';

export interface UnendedCommand {
  taskId: string;
  toolUseId: string;
  command: string;
  /** For a call that was not a command. */
  title?: string;
  outputPath: string;
  /** What it had printed when its call returned. */
  printed: string;
}

const started = z.object({
  state: z.literal('background'),
  backgroundTaskId: z.string(),
  outputPath: z.string(),
  stdout: z.string(),
  title: z.string().optional(),
});
const input = z.object({ command: z.string() });

export function unendedCommands(records: readonly SessionRecord[]): UnendedCommand[] {
  const found = new Map<string, UnendedCommand>();
  for (const record of records) {
    if (record.type === 'system' && record.subtype === 'background_end') {
      for (const { toolUseId, taskId } of [...found.values()]) {
        // Older logs do not name the call.
        if (record.toolUseId === undefined ? record.taskId === taskId : record.toolUseId === toolUseId)
          found.delete(toolUseId);
      }
    }
    if (record.type !== 'user' || typeof record.message.content === 'string') continue;
    // A schema tried on every result would take most of the time that a long log takes to open.
    if (!hasField(record.toolUseResult, 'backgroundTaskId')) continue;
    const output = started.safeParse(record.toolUseResult);
    const toolUseId = record.message.content.find((block) => block.type === 'tool_result')?.tool_use_id;
    if (!output.success || toolUseId === undefined) continue;
    const { backgroundTaskId: taskId, outputPath, stdout: printed, title } = output.data;
    found.set(toolUseId, {
      taskId,
      toolUseId,
      command: title ?? commandOf(records, toolUseId),
      ...defined({ title }),
      outputPath,
      printed,
    });
  }
  return [...found.values()];
}

function commandOf(records: readonly SessionRecord[], toolUseId: string): string {
  const call = callRecord(records, toolUseId)?.message.content.find(
    (block) => block.type === 'tool_use' && block.id === toolUseId,
  );
  const parsed = input.safeParse(call?.type === 'tool_use' ? call.input : undefined);
  return parsed.success ? parsed.data.command : '';
}
