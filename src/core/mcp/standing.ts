// Whether a server may be started: what settings forbid, what the user has switched off, and what a project only names.
import { type McpServerEntry } from '../ports/mcp';
import { pluginOnly } from '../settings/plugin-only';
import { type SettingsValues } from '../settings/settings-keys';
import { matchesName } from '../permissions/rules/rule-syntax';

export interface McpPolicy {
  settings: Pick<
    SettingsValues,
    | 'enableAllProjectMcpServers'
    | 'enabledMcpjsonServers'
    | 'disabledMcpjsonServers'
    | 'allowedMcpServers'
    | 'deniedMcpServers'
    | 'strictPluginOnlyCustomization'
  >;
  /** False: nothing is started, whoever names it. A program that is started within a folder may run what is in it. */
  trusted: boolean;
  /** The user has agreed to this entry of a project. */
  approved(entry: McpServerEntry): boolean;
  /** The user has switched it off. */
  switchedOff(entry: McpServerEntry): boolean;
}

export type McpStanding = { kind: 'allowed' } | { kind: 'unapproved' } | { kind: 'disabled'; why: string };

type Pattern = NonNullable<SettingsValues['deniedMcpServers']>[number];

/** What a project's own files name needs the user's word: it starts programs. */
export function standingOf(
  entry: McpServerEntry,
  { settings, trusted, approved, switchedOff }: McpPolicy,
): McpStanding {
  if (pluginOnly(settings, 'mcp') && !['managed', 'plugin', 'command-line'].includes(entry.scope))
    return {
      kind: 'disabled',
      why: "Your organization's settings allow only servers of plugins (`strictPluginOnlyCustomization`).",
    };
  if (settings.deniedMcpServers?.some((pattern) => matches(pattern, entry)) === true)
    return { kind: 'disabled', why: 'Settings deny this server (`deniedMcpServers`).' };
  if (settings.allowedMcpServers !== undefined && !isAllowed(entry, settings.allowedMcpServers)) {
    return {
      kind: 'disabled',
      why: 'Settings allow only certain servers (`allowedMcpServers`), and this is not one of them.',
    };
  }
  if (entry.scope === 'project' && settings.disabledMcpjsonServers?.includes(entry.name) === true)
    return { kind: 'disabled', why: 'Settings turn it off (`disabledMcpjsonServers`).' };
  if (switchedOff(entry)) return { kind: 'disabled', why: 'You turned it off.' };
  const ofProject = entry.scope === 'project' || entry.scope === 'editor';
  const enabled =
    entry.scope === 'project' &&
    (settings.enableAllProjectMcpServers === true || settings.enabledMcpjsonServers?.includes(entry.name) === true);
  if (ofProject && !enabled && !approved(entry)) return { kind: 'unapproved' };
  return trusted
    ? { kind: 'allowed' }
    : { kind: 'disabled', why: 'Restricted Mode: no server is started until you trust this workspace.' };
}

/** Where the list names commands, a server that is a command must be one of them, whatever its name; so with addresses. */
function isAllowed(entry: McpServerEntry, patterns: readonly Pattern[]): boolean {
  const ofKind = patterns.filter(
    (pattern) => (entry.config.type === 'stdio' ? pattern.serverCommand : pattern.serverUrl) !== undefined,
  );
  return (ofKind.length > 0 ? ofKind : patterns).some((pattern) => matches(pattern, entry));
}

function matches({ serverName, serverCommand, serverUrl }: Pattern, { name, config }: McpServerEntry): boolean {
  const wanted = [
    serverName === undefined ? undefined : serverName === name,
    serverCommand === undefined
      ? undefined
      : config.type === 'stdio' && sameTexts(serverCommand, [config.command, ...config.args]),
    serverUrl === undefined ? undefined : config.type !== 'stdio' && matchesName(serverUrl, config.url),
  ].filter((one) => one !== undefined);
  return wanted.length > 0 && wanted.every((one) => one);
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
