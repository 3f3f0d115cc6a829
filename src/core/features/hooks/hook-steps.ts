// What hooks do while they run, reported to the log and to the host; and what they say, prepared for the model.
import { defined } from '../../../shared/defined';
import { type HookStep } from '../../hooks/run-hooks';
import { type Ports } from '../../ports/ports';
import { type RecordWriter } from '../../events/record-writer';
import { redactText, redactValue } from '../../text/redact';
import { type Emit } from '../../events/session-event';
import { storeLargeResult, textOf } from '../../calls/tool-result-storage';

export interface HookStepServices {
  writer: RecordWriter;
  emit: Emit;
  secrets: () => readonly string[];
}

export function reportHookStep(step: HookStep, { writer, emit, secrets }: HookStepServices): void {
  const { id, event, name, toolUseId, status, outcome } = step;
  const result = redactValue(step.result, secrets()) as HookStep['result'];
  writer.progress({ type: 'hook_progress', hookEvent: event, hookName: name, status }, toolUseId ?? id);
  const { statusMessage } = step.entry;
  emit({
    type: 'hook_step',
    id,
    event,
    name,
    status,
    ...defined({ statusMessage, result }),
  });
  const notice = (level: 'info' | 'warning', text: string): void =>
    void writer.write({
      type: 'system',
      subtype: 'hook_notice',
      hookName: name,
      level,
      message: redactText(text, secrets()),
    });
  for (const message of outcome?.messages ?? []) notice('info', message);
  for (const problem of outcome?.problems ?? []) notice('warning', problem);
}

/** Longer texts go to a file, and a preview stands for them. */
const maxContext = 10_000;

export async function hookContext(
  text: string,
  {
    ports,
    directory,
    secrets,
  }: { ports: Pick<Ports, 'files' | 'uuid'>; directory: string; secrets: () => readonly string[] },
): Promise<string> {
  const clean = redactText(text, secrets());
  if (clean.length <= maxContext) return clean;
  const block = await storeLargeResult(
    { type: 'tool_result', tool_use_id: `hook-${ports.uuid()}`, content: clean },
    { maxChars: maxContext, directory, files: ports.files },
  );
  return textOf(block.content);
}
