// What a plugin contains, in words for the user, and everything in it that runs or allows something as one text: the user agrees to that.
import { basename, join } from 'pathe';
import { handlerText, type HookEntry } from '../hooks/hook-entry';
import { readMcpConfig } from '../mcp/read-config';
import { type McpServerEntry } from '../ports/mcp';
import { skillCommands } from '../skills/command-parts';
import { readSkill } from '../skills/read-skill';
import { type Skill } from '../skills/skill';
import { readAgentFile } from '../subagents/agent-definition';
import { type Plugin, type PluginFault } from './plugin';
import { type PluginDisk, pluginFiles } from '../context/plugin-files';
import { type PluginIdentity } from '../ports/plugin-identity';

export interface PluginParts {
  skills: readonly { name: string; description: string }[];
  agents: readonly string[];
  /** One line for each that runs or allows something: hooks, servers, programs, what skills allow and run. */
  runs: readonly string[];
  /** The same as one text, the plugin's own folder left out: it changes with an update. Empty where nothing runs. */
  code: string;
  /** Something of it starts programs, or lets them start: what is in its folder may run. */
  starts: boolean;
  faults: readonly PluginFault[];
}

const maxFileBytes = 1_000_000;

export async function readPluginParts(plugin: Plugin, disk: PluginDisk): Promise<PluginParts> {
  const files = pluginFiles(plugin.root, disk);
  const faults: PluginFault[] = [];
  const skills: Skill[] = [];
  for (const place of plugin.skills) {
    const read = await files.readText(place.file, maxFileBytes).catch(() => undefined);
    const { skill, problems } =
      read?.outcome === 'read'
        ? readSkill(read.file.text, place)
        : { skill: undefined, problems: [read?.message ?? 'It cannot be read.'] };
    for (const message of problems) faults.push({ file: place.file, message });
    if (skill !== undefined) skills.push(skill);
  }
  // Variables are put in when the servers start: what is agreed to is what is written.
  const servers = readMcpConfig(plugin.servers, {}).entries;
  const hooks = [...plugin.hooks, ...skills.flatMap((skill) => skill.hooks?.entries ?? [])];
  const allowing = skills.filter(({ allowedTools }) => allowedTools.length > 0);
  const running = skills
    .map(({ name, body }) => ({ name, commands: skillCommands(body) }))
    .filter(({ commands }) => commands.length > 0);
  const programs = plugin.bin?.programs ?? [];
  const lines = [
    ...hooks.map(hookLine),
    ...servers.map(serverLine),
    ...programs.map((name) => `Program for commands: ${name}`),
    ...allowing.map(({ name, allowedTools }) => `The skill ${name} allows in its turn: ${allowedTools.join(', ')}`),
    ...running.flatMap(({ name, commands }) =>
      commands.map((command) => `The skill ${name} runs when it is used: ${command}`),
    ),
  ];
  // Where it is now is no part of what it is.
  const runs = lines.map((line) =>
    line.replaceAll(plugin.root, () => '${CLAUDE_PLUGIN_ROOT}').replaceAll(plugin.data, () => '${CLAUDE_PLUGIN_DATA}'),
  );
  const code = JSON.stringify([
    hooks.map(hookText),
    servers.map(({ name, written }) => [name, written]),
    programs,
    allowing.map(({ name, allowedTools }) => [name, allowedTools]),
    running.map(({ name, commands }) => [name, commands]),
  ]);
  return {
    skills: skills.map(({ name, description }) => ({ name, description })),
    agents: await agentNames(plugin, disk, faults),
    runs,
    code: runs.length === 0 ? '' : withoutRoot(code, plugin),
    starts:
      programs.length + allowing.length + running.length > 0 ||
      hooks.some(({ handler }) => handler.type === 'command') ||
      servers.some(({ config }) => config.type === 'stdio' || config.headersHelper !== undefined),
    faults,
  };
}

function hookLine({ event, matcher, handler }: HookEntry): string {
  return `Hook at ${event}${matcher === '' || matcher === '*' ? '' : ` (${matcher})`}: ${handlerText(handler)}`;
}

function hookText({ event, matcher, handler, condition, timeoutSeconds }: HookEntry): unknown {
  return [event, matcher, handler, condition, timeoutSeconds];
}

function serverLine({ name, config }: McpServerEntry): string {
  if (config.type === 'stdio') return `MCP server ${name}: ${[config.command, ...config.args].join(' ')}`;
  return `MCP server ${name}: ${config.url}${config.headersHelper === undefined ? '' : `, with headers that this prints: ${config.headersHelper}`}`;
}

function withoutRoot(text: string, { root, data }: PluginIdentity): string {
  const written = (path: string): string => JSON.stringify(path).slice(1, -1);
  return text
    .replaceAll(written(root), () => '${CLAUDE_PLUGIN_ROOT}')
    .replaceAll(written(data), () => '${CLAUDE_PLUGIN_DATA}');
}

/** By their files. One that is no agent is a fault: nobody should count on it. */
async function agentNames({ root, agents }: Plugin, disk: PluginDisk, faults: PluginFault[]): Promise<string[]> {
  const files = pluginFiles(root, disk);
  const inside = async (folder: string, depth: number): Promise<string[]> => {
    const entries = await files.list(folder).catch(() => []);
    const found = entries.map(async ({ name, type }) => {
      if (type === 'directory') return depth === 0 ? [] : inside(join(folder, name), depth - 1);
      return type === 'file' && name.endsWith('.md') ? [join(folder, name)] : [];
    });
    return (await Promise.all(found)).flat();
  };
  const paths = (
    await Promise.all(agents.map(async (path) => (path.endsWith('.md') ? [path] : inside(path, 1))))
  ).flat();
  const names = await Promise.all(
    paths.sort().map(async (file): Promise<string[]> => {
      const read = await files.readText(file, maxFileBytes).catch(() => undefined);
      const { agent, problems } =
        read?.outcome === 'read'
          ? readAgentFile(read.file.text, 'plugin', file)
          : { agent: undefined, problems: [read?.message ?? 'It cannot be read.'] };
      if (agent !== undefined) return [basename(file, '.md')];
      faults.push({ file, message: problems.join(' ') });
      return [];
    }),
  );
  return names.flat().sort();
}
