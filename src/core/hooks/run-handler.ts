// Runs one hook by its kind.
import { defined } from '../../shared/defined';
import { messageOf } from '../text/errors';
import { matchesName } from '../permissions/rules/rule-syntax';
import { pluginEnvironment } from '../ports/plugin-identity';
import { type HookHandlers, type HookResult } from '../ports/hook-handlers';
import { type HookEntry, type HookHandler, isProjectHook } from './hook-entry';
import { type JudgedHooks } from './hook-settings';

export interface HandlerServices {
  /** Asked at each event: settings, trust and consent may change. */
  hooks: () => Pick<JudgedHooks, 'active' | 'allowedUrls' | 'allowedVariables' | 'refuses'>;
  /** Undefined where this host runs none. */
  handlers: HookHandlers | undefined;
  askModel: (
    handler: Extract<HookHandler, { type: 'prompt' | 'agent' }>,
    input: string,
    signal: AbortSignal,
  ) => Promise<HookResult>;
  /** The environment of commands. */
  variables: () => Record<string, string>;
}

export interface HandlerRun extends HandlerServices {
  /** The event as JSON. */
  input: string;
  environmentFile: string | undefined;
  onLine: (line: string) => void;
}

/** Never rejects. */
export async function runHandler(entry: HookEntry, run: HandlerRun, signal: AbortSignal): Promise<HookResult> {
  const { handler } = entry;
  const { handlers, input } = run;
  if (handlers === undefined) return { kind: 'failed', message: 'This host runs no hooks.' };
  try {
    const { cwd } = JSON.parse(input) as { cwd: string };
    // A project's scripts may have changed since they were allowed, and so may all of a plugin.
    const refused =
      entry.plugin !== undefined || (handler.type === 'command' && isProjectHook(entry))
        ? await run.hooks().refuses?.(entry, cwd)
        : undefined;
    if (refused !== undefined) return { kind: 'failed', message: refused };
    return await dispatch(entry, { ...run, handlers, cwd }, signal);
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

interface DispatchedRun extends HandlerRun {
  handlers: HookHandlers;
  cwd: string;
}

function dispatch(entry: HookEntry, run: DispatchedRun, signal: AbortSignal): Promise<HookResult> {
  const { handler } = entry;
  const { handlers, input } = run;
  switch (handler.type) {
    case 'command':
      return runCommand(entry, handler, run, signal);
    case 'http':
      return post(handler, run, signal);
    case 'mcp_tool':
      if (handlers.callMcpTool === undefined)
        return failed(`There are no MCP servers here, so \`${handler.tool}\` of \`${handler.server}\` was not called.`);
      return handlers.callMcpTool({ server: handler.server, tool: handler.tool, input: handler.input ?? {} }, signal);
    case 'callback':
      if (handlers.callback === undefined) return failed('No program is connected here that could answer.');
      return handlers.callback({ event: entry.event, id: handler.id }, input, signal);
    case 'prompt':
    case 'agent':
      return run.askModel(handler, input, signal);
  }
}

function runCommand(
  { plugin }: HookEntry,
  { command, args, shell, allowedEnvVars: passes }: Extract<HookHandler, { type: 'command' }>,
  run: DispatchedRun,
  signal: AbortSignal,
): Promise<HookResult> {
  const { handlers, cwd, input } = run;
  const variables = { ...run.variables(), ...(plugin === undefined ? {} : pluginEnvironment(plugin)) };
  const optional = defined({ args, shell, passes, environmentFile: run.environmentFile });
  // A script that reads line by line gets a whole one.
  return handlers.command({ command, cwd, input: `${input}\n`, variables, ...optional }, run.onLine, signal);
}

function post(
  { url, headers = {}, allowedEnvVars = [] }: Extract<HookHandler, { type: 'http' }>,
  run: DispatchedRun,
  signal: AbortSignal,
): Promise<HookResult> {
  const { allowedUrls, allowedVariables } = run.hooks();
  if (allowedUrls !== undefined && !allowedUrls.some((pattern) => matchesName(pattern, url)))
    return failed(`\`allowedHttpHookUrls\` does not allow ${url}.`);
  const variables = allowedEnvVars.filter((name) => allowedVariables === undefined || allowedVariables.includes(name));
  return run.handlers.post({ url, headers, variables, body: run.input }, signal);
}

async function failed(message: string): Promise<HookResult> {
  return { kind: 'failed', message };
}
