// The hooks around a tool call: what each event gets, and what its outcome means for the call.
import { type PermissionSuggestion } from '../../../shared/permission';
import { type HookOutcome, noOutcome } from '../../hooks/hook-outcome';
import { type HookEvent } from '../../ports/hook-events';
import { joinReplacements } from '../../hooks/replaced-outputs';
import { type HookRunner, type HookSubject } from '../../hooks/run-hooks';
import { type HookedCall, type ToolHooks } from '../../hooks/tool-hooks';
import { type PermissionContext } from '../../permissions/rules/verdict';
import { type FileSystem } from '../../ports/files';
import { bashTool } from '../../tools/bash/bash';
import { filePath } from '../../tools/files/file-path';
import { type ToolRegistry } from '../../tools/registry';
import { type AnyTool, type ToolSession } from '../../tool/tool';
import { isObject } from '../../../shared/plain-object';
import { reminder } from '../../text/system-reminder';
import { permissionCall, resolveTargets } from '../../calls/resolve-targets';

export interface SessionToolHookServices {
  runner: HookRunner;
  registry: ToolRegistry;
  session: ToolSession;
  files: FileSystem;
  permission: () => PermissionContext;
  /** A hook that ends everything is remembered; the outcome itself is returned. */
  noted: (outcome: HookOutcome) => HookOutcome;
  /** For the user. */
  problem: (hookName: string, sentence: string) => void;
  /** Fit for the model. */
  context: (text: string) => Promise<string>;
}

const keptBack = 'The output is withheld from the model.';

export function createSessionToolHooks(services: SessionToolHookServices): ToolHooks {
  const { runner, session, registry } = services;
  const dispatch = async (
    event: HookEvent,
    call: HookedCall,
    fields: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<HookOutcome> =>
    runner.has(event)
      ? services.noted(await runner.dispatch(event, subjectOf(call, fields, services), signal))
      : noOutcome;
  const texts = async (event: HookEvent, lines: readonly string[]): Promise<string | undefined> =>
    lines.length === 0 ? undefined : reminder(`${event} hook: ${await services.context(lines.join('\n'))}`);
  const basic = (call: HookedCall): Record<string, unknown> => ({
    tool_name: call.toolName,
    tool_input: shownInput(call.input, session.cwd, registry.find(call.toolName)),
    tool_use_id: call.toolUseId,
  });
  const optional = <Value>(name: string, value: Value | undefined): Record<string, Value> =>
    value === undefined ? {} : { [name]: value };

  return {
    async before(call, signal) {
      const outcome = await dispatch('PreToolUse', call, basic(call), signal);
      const additionalContext = await texts('PreToolUse', outcome.context);
      if (outcome.stop !== undefined) return { decision: 'deny', reason: outcome.stop || 'a hook stopped the turn.' };
      return {
        // Nobody can be asked later than now.
        ...optional('decision', outcome.decision === 'defer' ? 'ask' : outcome.decision),
        ...optional('reason', outcome.reason),
        ...optional('updatedInput', outcome.updatedInput),
        ...optional('additionalContext', additionalContext),
      };
    },
    async request(call, suggestions, signal) {
      const { tool_use_id: _, ...fields } = basic(call);
      const outcome = await dispatch(
        'PermissionRequest',
        call,
        {
          ...fields,
          permission_suggestions: suggestions.flatMap((suggestion: PermissionSuggestion) => suggestion.updates),
        },
        signal,
      );
      return outcome.stop === undefined
        ? outcome.permission
        : { behavior: 'deny', updates: [], interrupt: true, message: outcome.stop || 'a hook stopped the turn.' };
    },
    async denied(call, reason, signal) {
      const outcome = await dispatch('PermissionDenied', call, { ...basic(call), reason }, signal);
      return texts('PermissionDenied', [
        ...outcome.context,
        ...(outcome.retry === true ? ['the call may be tried again.'] : []),
      ]);
    },
    async after(call, output, signal) {
      if (!runner.has('PostToolUse')) return {};
      const shown = output();
      const fields = { ...basic(call), tool_response: shown, duration_ms: call.durationMs ?? 0 };
      const outcome = await dispatch('PostToolUse', call, fields, signal);
      const { value, earlier = [] } = outcome.updatedOutput ?? {};
      const replaced = outcome.updatedOutput && joinReplacements(shown, [...earlier, value]);
      const told = optional('additionalContext', await texts('PostToolUse', [...outcome.feedback, ...outcome.context]));
      if (outcome.withheld !== undefined) return { ...told, withheld: outcome.withheld };
      if (replaced === undefined) return told;
      if ('value' in replaced) return { ...told, updatedToolOutput: replaced.value };
      const conflict = `changed ${replaced.conflict} of the output in ways that do not fit together.`;
      services.problem(`PostToolUse:${call.toolName}`, `It and another hook ${conflict} ${keptBack}`);
      return { ...told, withheld: `Several PostToolUse hooks ${conflict}` };
    },
    unusable: ({ toolName }, problem) =>
      services.problem(
        `PostToolUse:${toolName}`,
        `It replaced the output of ${toolName} with something that cannot be used. ${problem} ${keptBack}`,
      ),
    async failed(call, error, signal) {
      const event = 'PostToolUseFailure';
      const fields = { ...basic(call), error, is_interrupt: signal.aborted, duration_ms: call.durationMs ?? 0 };
      if (signal.aborted) {
        // The turn has ended: the hook is notified, and nobody waits for it.
        void dispatch(event, call, fields, new AbortController().signal);
        return undefined;
      }
      const outcome = await dispatch(event, call, fields, signal);
      return texts(event, [...outcome.feedback, ...outcome.context]);
    },
  };
}

function subjectOf(
  call: HookedCall,
  fields: Record<string, unknown>,
  { registry, session, files, permission }: SessionToolHookServices,
): HookSubject {
  return {
    fields,
    toolUseId: call.toolUseId,
    call: async () => {
      // Commands of other tools are asked about as Bash's, also where the session has no Bash.
      const tool = registry.find(call.toolName) ?? (call.toolName === bashTool.name ? bashTool : undefined);
      if (tool === undefined) return undefined;
      const resolved = await resolveTargets(tool, call.input, session, files);
      return { call: permissionCall(tool, call.input, resolved), context: { ...permission(), cwd: resolved.cwd } };
    },
  };
}

const pathFields = ['file_path', 'notebook_path', 'path'];

/** Hooks do not stand where the agent does. What a server's own fields mean, only the server knows. */
export function shownInput(input: unknown, cwd: string, tool: Pick<AnyTool, 'isMcp'> | undefined): unknown {
  if (!isObject(input) || tool?.isMcp !== false) return input;
  const changed = Object.entries(input).map(([name, value]: [string, unknown]) => [
    name,
    pathFields.includes(name) && typeof value === 'string' ? filePath(value, cwd) : value,
  ]);
  return Object.fromEntries(changed) as unknown;
}
