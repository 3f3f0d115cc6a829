// What hooks do while they run, reported to the log and to the host; and what they say, prepared for the model.
import { defined } from '../../../shared/defined';
import { type HookOutcome } from '../../hooks/hook-outcome';
import { asSentence } from '../../hooks/hook-output';
import { type HookStep } from '../../hooks/run-hooks';
import { type Ports } from '../../ports/ports';
import { type RecordWriter } from '../../events/record-writer';
import { redactText, redactValue, type Secrets } from '../../text/redact';
import { type Emit } from '../../events/session-event';
import { storeLargeResult, textOf } from '../../calls/tool-result-storage';

export interface HookStepServices {
  writer: RecordWriter;
  emit: Emit;
  secrets: () => Secrets;
  /** What the user was told once for the session; added to. */
  told: Set<string>;
}

export function reportHookStep(step: HookStep, services: HookStepServices): void {
  const { writer, emit, secrets, told } = services;
  const { id, event, name, toolUseId, status, outcome } = step;
  const shown = outcome?.quiet === true ? withoutPrinted(step.result) : step.result;
  const result = redactValue(shown, secrets()) as HookStep['result'];
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
  for (const message of outcome?.messages ?? []) noteHook(name, 'info', message, services);
  if (outcome === undefined) return;
  const end = endOf(outcome);
  for (const problem of outcome.problems)
    noteHook(name, 'warning', end === '' ? problem : `${asSentence(problem)} ${end}`, services);
  for (const field of outcome.unused ?? []) {
    const key = `${event} ${field}`;
    if (told.has(key)) continue;
    told.add(key);
    noteHook(name, 'info', `Deft does not use \`${field}\` in the output of this ${event} hook.`, services);
  }
}

/** `suppressOutput`: what it printed on standard output is its own. */
function withoutPrinted(result: HookStep['result']): HookStep['result'] {
  if (result?.kind === 'ended') return { ...result, stdout: '' };
  return result?.kind === 'body' ? { ...result, text: '' } : result;
}

/** What became of the event. */
function endOf(outcome: HookOutcome): string {
  const asSaid = outcome.failedClosed === true ? ', as its entry says (failClosed)' : '';
  if (outcome.withheld !== undefined) return `The output is withheld from the model${asSaid}.`;
  if (outcome.failedClosed === true) return 'What it guards did not happen, as its entry says (failClosed).';
  const { problems: _, ...rest } = outcome;
  const saysNothing = Object.values(rest).every((value) => Array.isArray(value) && value.length === 0);
  return saysNothing ? 'Deft continued without it.' : '';
}

/** A line for the user. */
export function noteHook(
  hookName: string,
  level: 'info' | 'warning',
  text: string,
  { writer, secrets }: Pick<HookStepServices, 'writer' | 'secrets'>,
): void {
  void writer.write({ type: 'system', subtype: 'hook_notice', hookName, level, message: redactText(text, secrets()) });
}

/** Longer texts go to a file, and a preview stands for them. */
const maxContext = 10_000;

export async function hookContext(
  text: string,
  { ports, directory, secrets }: { ports: Pick<Ports, 'files' | 'uuid'>; directory: string; secrets: () => Secrets },
): Promise<string> {
  const clean = redactText(text, secrets());
  if (clean.length <= maxContext) return clean;
  const block = await storeLargeResult(
    { type: 'tool_result', tool_use_id: `hook-${ports.uuid()}`, content: clean },
    { maxChars: maxContext, directory, files: ports.files },
  );
  return textOf(block.content);
}
