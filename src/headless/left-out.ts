// Reports once, at the start of an unattended run, what of a project does not run there: a check skipped in silence is worse than none.
import { type JudgedHooks } from '../core/hooks/hook-settings';
import { type HookEntry } from '../core/hooks/hook-entry';
import { type McpServerStatus } from '../core/ports/mcp';

/** Undefined where all of them run. The same hook may also come from a file that the user has named. */
export function hooksLeftOut({ active, all }: Pick<JudgedHooks, 'active' | 'all'>): string | undefined {
  const run = new Set(active.map(textOf));
  const left = all.filter(({ entry, state }) => state === 'untrusted' && !run.has(textOf(entry)));
  if (left.length === 0) return undefined;
  const events = [...new Set(left.map(({ entry }) => entry.event))].join(', ');
  return `The project's hooks (${events}) do not run: nobody can be asked to allow them. Start the run with --trust-project, or name their file with --settings.`;
}

/** Undefined where an organization's settings keep none of them from running. */
export function hooksLocked({ all }: Pick<JudgedHooks, 'all'>): string | undefined {
  const events = [...new Set(all.flatMap(({ entry, state }) => (state === 'locked' ? [entry.event] : [])))].join(', ');
  return events === ''
    ? undefined
    : `Some hooks (${events}) do not run: your organization's settings let only its own run.`;
}

export function serversLeftOut(servers: readonly McpServerStatus[]): string | undefined {
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
