// Waits for servers at the start of an unattended run, and reports once what does not run or is not used there: a check skipped in silence is worse than none.
import { type JudgedHooks } from '../core/hooks/hook-settings';
import { type HookEntry } from '../core/hooks/hook-entry';
import { reportServers } from '../core/mcp/late-servers';
import { timesFromVariables } from '../core/mcp/limits';
import { settleServers } from '../core/mcp/settle-servers';
import { type McpServerStatus } from '../core/ports/mcp';
import { type RunBasis } from './run-basis';
import { type RunConnections } from './run-connections';

/** Servers are waited for briefly: a program that runs Deft cannot wait for them itself, and one that hangs must not hold it up. */
export async function settledServers(
  { host, environment }: RunBasis,
  { mcp, hooks }: RunConnections,
): Promise<readonly McpServerStatus[]> {
  const { warn } = host;
  if (mcp !== undefined) await settleServers(mcp, timesFromVariables(environment).connectMs, host.interruption.signal);
  for (const sentence of mcp?.problems() ?? []) warn(sentence);
  const servers = mcp?.list() ?? [];
  if (mcp !== undefined) reportServers(mcp, (_name, sentence) => warn(sentence));
  for (const sentence of [hooksLeftOut(hooks.atStart), hooksLocked(hooks.atStart), serversLeftOut(servers)])
    if (sentence !== undefined) warn(sentence);
  return servers;
}

/** Undefined where all of them run. The same hook may also come from a file that the user has named. */
function hooksLeftOut({ active, all }: Pick<JudgedHooks, 'active' | 'all'>): string | undefined {
  const run = new Set(active.map(textOf));
  const left = all.filter(({ entry, state }) => state === 'untrusted' && !run.has(textOf(entry)));
  if (left.length === 0) return undefined;
  const events = [...new Set(left.map(({ entry }) => entry.event))].join(', ');
  return `The project's hooks (${events}) do not run: nobody can be asked to allow them. Start the run with --trust-project, or name their file with --settings.`;
}

/** Undefined where an organization's settings keep none of them from running. */
function hooksLocked({ all }: Pick<JudgedHooks, 'all'>): string | undefined {
  const events = [...new Set(all.flatMap(({ entry, state }) => (state === 'locked' ? [entry.event] : [])))].join(', ');
  return events === ''
    ? undefined
    : `Some hooks (${events}) do not run: your organization's settings let only its own run.`;
}

function serversLeftOut(servers: readonly McpServerStatus[]): string | undefined {
  const names = servers.flatMap(({ entry, state }) => (state.kind === 'unapproved' ? [entry.name] : []));
  if (names.length === 0) return undefined;
  return `The project's MCP servers (${names.join(', ')}) are not started: nobody can be asked to approve them. Name them in enabledMcpjsonServers of your own settings, or their file with --mcp-config.`;
}

/** Files of skills and agents that are not used, or not as they are, each with the reason. */
export function filesLeftOut(problems: readonly { file: string; message: string }[]): string[] {
  return [...new Set(problems.map(({ file, message }) => `${file}: ${message}`))];
}

function textOf({ event, matcher, handler, condition }: HookEntry): string {
  return JSON.stringify([event, matcher, handler, condition]);
}
