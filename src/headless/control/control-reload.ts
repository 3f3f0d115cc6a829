// Reads skills and plugins anew while a run goes on, as a program asks for it.
import path from 'node:path';
import { readMcpConfig } from '../../core/mcp/read-config';
import { type PluginFeed } from '../../core/plugins/plugin-feed';
import { subagents } from '../../core/features/subagents/subagents-key';
import { type AgentDefinition } from '../../core/subagents/agent-definition';
import { defined } from '../../shared/defined';
import { type OpenRun } from '../open-run';
import { type OfferedCommand } from '../run-commands';
import { readRunSettings } from '../run-settings';
import { type ControlRequest } from './control-messages';
import { RefusedRequest } from './control-channel';
import { statusRow } from './control-servers';
import { isPlugins, withoutServers } from './initialize-options';

type Answer = Readonly<Record<string, unknown>> | string;

/** What a program may name, as it is now. */
export interface Offered {
  commands: readonly OfferedCommand[];
  agents: readonly Pick<AgentDefinition, 'name' | 'description' | 'model'>[];
  skills: readonly { name: string; description: string; argumentHint?: string | undefined }[];
}

export interface ReloadTarget {
  run: OpenRun;
  /** Looks again at what there is; later answers of `initialize` have it too. */
  offered(): Promise<Offered>;
  /** Messages wait for their turns. */
  waits(): boolean;
}

export async function reloadSkills(_request: ControlRequest, { offered }: ReloadTarget): Promise<Answer> {
  const { skills } = await offered();
  return {
    skills: skills.map(({ name, description, argumentHint = '' }) => ({ name, description, argumentHint })),
  };
}

export async function reloadPlugins({ fields }: ControlRequest, target: ReloadTarget): Promise<Answer> {
  const { add_plugins: added = [], hold_on_cache_impact: holds, refuse_if_busy: refuses } = fields;
  const { basis, connections } = target.run;
  const { options, settings, plugins, cwd } = basis;
  if (!isPlugins(added) || !added.every((one) => path.isAbsolute(one.path)))
    return 'reload_plugins takes `add_plugins` as a list of {"type":"local","path"} with absolute paths.';
  if (added.length > 0 && settings.values.disableSideloadFlags === true)
    return "Your organization's settings do not allow plugins of the program that runs Deft (disableSideloadFlags).";
  if (refuses === true && isBusy(target))
    throw new RefusedRequest('reload_plugins_busy', 'The session is busy: nothing was reloaded.');
  // What settings switch on may be another choice by now. Everything else of them holds until the run ends.
  const { values } = await readRunSettings({
    ...{ options, cwd, home: basis.home, environment: basis.host.environment },
    warn: () => undefined,
  });
  const found = await plugins.reread(
    { values },
    { given: added.map((one) => one.path), withoutServers: withoutServers(added) },
  );
  const impact = holds === true ? impactOf(plugins, found.feed, target) : undefined;
  if (impact !== undefined) return { ...(await partsOf(target)), error_count: 0, held: true, cache_impact: impact };
  for (const problem of found.problems) basis.host.warn(problem);
  const paths = new Set(plugins.path.map(({ folder }) => folder));
  await found.apply();
  const late = plugins.path.filter(({ folder }) => !paths.has(folder));
  for (const { folder } of late) basis.host.warn(`${folder}: commands do not find these programs before the next run.`);
  connections.hooks.reread();
  await connections.rereadServers();
  return {
    ...(await partsOf(target)),
    error_count: found.problems.length,
    ...(holds === true ? { held: false } : {}),
  };
}

async function partsOf({ run, offered }: ReloadTarget): Promise<Record<string, unknown>> {
  const { commands, agents } = await offered();
  return {
    commands,
    agents: agents.map(({ name, description, model }) => ({ name, description, ...defined({ model }) })),
    plugins: run.basis.plugins.shown,
    mcpServers: (run.connections.mcp?.list() ?? []).map(statusRow),
  };
}

/** The servers whose tools would come or go; undefined where there is no conversation that has been cached with them, or where none would. */
function impactOf(before: PluginFeed, after: PluginFeed, { run }: ReloadTarget): Record<string, unknown> | undefined {
  if (!run.session.records.some(({ type }) => type === 'assistant')) return undefined;
  const names = ({ servers }: PluginFeed): string[] =>
    readMcpConfig(servers, run.basis.environment).entries.map(({ name }) => name);
  const [old, now] = [names(before), names(after)];
  const added = now.filter((name) => !old.includes(name));
  const removed = old.filter((name) => !now.includes(name));
  return added.length === 0 && removed.length === 0
    ? undefined
    : { mcp_servers_added: added, mcp_servers_removed: removed, lsp_tool_change: null };
}

function isBusy({ run: { session }, waits }: ReloadTarget): boolean {
  const agents = session.feature(subagents)?.running.running() ?? [];
  return session.turns.running || waits() || agents.some(({ idle }) => idle !== true);
}
