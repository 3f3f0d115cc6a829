// What hooks are sent about a session, in the terms they know: causes, failures, calls, tasks.
import { type RuleSource } from '../../../shared/permission';
import { textOf } from '../../model/whole-reply';
import { type Terminal } from '../../ports/terminal';
import { callRecord } from '../../sessions/call-records';
import { type SessionRecord } from '../../ports/record';
import { type ToolRegistry } from '../../tools/registry';
import { shownInput } from './session-tool-hooks';
import { type ExecutedCall } from '../../calls/tool-call';
import { type AssistantBlock } from '../../wire/wire';

export const configSources: Record<RuleSource, string> = {
  userSettings: 'user_settings',
  projectSettings: 'project_settings',
  localSettings: 'local_settings',
  managedSettings: 'policy_settings',
  commandLine: 'command_line',
  session: 'session',
};

/** As transcripts and matchers of StopFailure name them. */
export function failureName(code: string | undefined): string {
  const names: Record<string, string> = {
    'model-rate_limit': 'rate_limit',
    'model-authentication': 'authentication_failed',
    'model-permission': 'authentication_failed',
    'model-billing': 'billing_error',
    'model-spend_limit': 'billing_error',
    'model-invalid_request': 'invalid_request',
    'model-not_found': 'invalid_request',
    'model-too_large': 'invalid_request',
    'model-overloaded': 'server_error',
    'model-server': 'server_error',
    'model-timeout': 'server_error',
  };
  return names[code ?? ''] ?? 'unknown';
}

/** With the result as the model gets it; the tool by its own name, whatever the model called it. */
export function toolCall(
  { block }: ExecutedCall,
  {
    records,
    registry,
    session,
  }: { records: readonly SessionRecord[]; registry: Pick<ToolRegistry, 'find'>; session: { cwd: string } },
): Record<string, unknown> {
  const id = block.tool_use_id;
  const call = callRecord(records, id)?.message.content.find((one) => one.type === 'tool_use' && one.id === id);
  const { name, input } = call?.type === 'tool_use' ? call : { name: '', input: {} };
  const tool = registry.find(name);
  return {
    tool_name: tool?.name ?? name,
    tool_input: shownInput(input, session.cwd, tool),
    tool_use_id: id,
    tool_response: block.content,
  };
}

/** Read from the end: no more of the log than belongs to it. */
export function lastText(records: readonly SessionRecord[]): string {
  let id: string | undefined;
  const blocks: AssistantBlock[] = [];
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.type !== 'assistant') continue;
    if (id !== undefined && record.message.id !== id) break;
    id = record.message.id;
    blocks.unshift(...record.message.content);
  }
  return textOf(blocks);
}

export function runningTasks(terminal: Terminal, records: readonly SessionRecord[]): Record<string, unknown>[] {
  return terminal
    .background()
    .flatMap(({ taskId, toolUseId, command, end }) =>
      end === undefined && callRecord(records, toolUseId) !== undefined
        ? [{ id: taskId, type: 'shell', status: 'running', command }]
        : [],
    );
}
