// All agents that there are now, of every place, and what is wrong with the files that are none.
import { dirname, join, relative } from 'pathe';
import { redactText, type Secrets } from '../text/redact';
import { projectFileCheck, type ProjectFileCheck } from '../context/project-file';
import { leadsOut } from '../context/plugin-files';
import { type PluginIdentity, putPluginFolders } from '../ports/plugin-identity';
import { type FileSystem } from '../ports/files';
import { type AgentDefinition, readAgentFile } from './agent-definition';
import { type AgentPlace } from './agent-places';
import { readAgentServers } from './agent-servers';
import { builtInAgents } from './built-in-agents';

export interface AgentProblem {
  file: string;
  /** Sentences. */
  message: string;
}

export interface AgentList {
  /** Those that can be used, one of each name, in a stable order. */
  agents: AgentDefinition[];
  problems: AgentProblem[];
}

export interface LoadAgentsRequest {
  files: Pick<FileSystem, 'list' | 'readText' | 'realPath'>;
  places: readonly AgentPlace[];
  /** From the command line. */
  given?: readonly AgentDefinition[];
  /** False: what the project supplies is ignored. */
  trusted: boolean;
  /** What deny rules hide: a project's file among it is not read. */
  isHidden?: ((path: string) => boolean) | undefined;
  /** Credentials that nothing may hold which goes to the model. */
  secrets?: Secrets | undefined;
}

const maxFileBytes = 256 * 1024;
const maxDepth = 6;
/** In one place: more than anybody keeps. */
const maxFiles = 5_000;

export async function loadAgents({
  files,
  places,
  given = [],
  trusted,
  isHidden,
  secrets = [],
}: LoadAgentsRequest): Promise<AgentList> {
  // Each place is the folder `.claude/agents` of one.
  const roots = places.flatMap(({ source, folder }) => (source === 'project' ? [dirname(dirname(folder))] : []));
  const check = projectFileCheck({ files, roots, isHidden });
  const problems: AgentProblem[] = [];
  const read = await Promise.all(
    places.map(async (place) => {
      const found = await agentFiles(place.folder, files);
      if (found.length > maxFiles)
        problems.push({
          file: place.folder,
          message: `It has more than ${maxFiles} agents: only the first ${maxFiles}, by name, are used.`,
        });
      const paths = found.slice(0, maxFiles);
      return Promise.all(
        paths.map(async (file) => ({ place, file, reading: await readOne(file, place, { files, check, secrets }) })),
      );
    }),
  );
  const usable: AgentDefinition[] = [];
  for (const { place, file, reading } of read.flat()) {
    const found = [...reading.problems];
    const { agent } = reading;
    if (agent !== undefined && place.source === 'project' && !trusted)
      found.push('The workspace is not trusted: its agents are not used.');
    else if (agent !== undefined) {
      const { agent: safe, left } = withoutUnsafe(agent);
      found.push(...left);
      usable.push(safe);
    }
    if (found.length > 0) problems.push({ file, message: found.join(' ') });
  }
  const byPlace = (source: AgentDefinition['source']): AgentDefinition[] =>
    usable.filter((agent) => agent.source === source);
  const byName = new Map<string, AgentDefinition>();
  for (const agent of [
    ...byPlace('managed'),
    ...given,
    ...byPlace('project'),
    ...byPlace('user'),
    ...byPlace('plugin'),
    ...builtInAgents,
  ]) {
    const winner = byName.get(agent.name);
    if (winner === undefined) byName.set(agent.name, agent);
    else if (agent.file !== undefined)
      problems.push({
        file: agent.file,
        message: `Another agent ${agent.name} takes precedence: ${winner.file ?? 'the one from the command line'}.`,
      });
  }
  const builtIn = new Set(builtInAgents.map(({ name }) => name));
  const order = (agent: AgentDefinition): string => `${builtIn.has(agent.name) ? 0 : 1}${agent.name}`;
  return { agents: [...byName.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1)), problems };
}

interface Reading {
  files: LoadAgentsRequest['files'];
  check: ProjectFileCheck;
  secrets: Secrets;
}

async function readOne(
  file: string,
  { source, folder, plugin }: AgentPlace,
  { files, check, secrets }: Reading,
): Promise<ReturnType<typeof readAgentFile>> {
  const left =
    source === 'project'
      ? await check(file)
      : plugin === undefined
        ? undefined
        : await leadsOut(plugin.root, files)(file);
  if (left !== undefined) return { problems: [left] };
  const read = await files.readText(file, maxFileBytes);
  if (read.outcome === 'refused') return { problems: [read.message] };
  const reading = readAgentFile(redactText(read.file.text, secrets), source, file);
  return plugin === undefined || reading.agent === undefined
    ? reading
    : { ...reading, agent: ofPlugin(reading.agent, plugin, dirname(relative(folder, file))) };
}

/** Called by the plugin, the folders that it is in, and its own name. */
function ofPlugin(agent: AgentDefinition, plugin: PluginIdentity, within: string): AgentDefinition {
  const folders = within.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  return {
    ...agent,
    name: [plugin.name, ...folders, agent.name].join(':'),
    prompt: putPluginFolders(agent.prompt, plugin),
  };
}

/** What a project's file may not decide, and what this version does without. */
function withoutUnsafe(agent: AgentDefinition): { agent: AgentDefinition; left: string[] } {
  const left: string[] = [];
  if (agent.source !== 'plugin') return { agent: ofProject(agent, left), left };
  // What a plugin may run is agreed to as a whole, before it is there.
  const { hooks, mcpServers, permissionMode, memory, ...rest } = agent;
  const dropped = Object.entries({ hooks, mcpServers, permissionMode }).flatMap(([name, value]) =>
    value === undefined ? [] : [`\`${name}\``],
  );
  if (dropped.length > 0)
    left.push(`${dropped.join(', ')} of a plugin's agent ${dropped.length === 1 ? 'is' : 'are'} ignored.`);
  if (memory === 'user')
    left.push(
      "`memory: user` of a plugin's agent is ignored: its notes would mix with those of your own agents. `project` and `local` keep them in the project.",
    );
  return { agent: memory === undefined || memory === 'user' ? rest : { ...rest, memory }, left };
}

/** It starts no program that nobody has agreed to, and reads nothing of the user's own. */
function ofProject(agent: AgentDefinition, left: string[]): AgentDefinition {
  const { mcpServers, memory, ...rest } = agent;
  const servers = readAgentServers(mcpServers);
  if (mcpServers !== undefined && servers === undefined)
    left.push('`mcpServers` is not a list of servers; it is ignored.');
  const inline = Object.keys(servers?.inline ?? {});
  const refused = agent.source === 'project' && inline.length > 0;
  if (refused)
    left.push(
      `\`mcpServers\` describes ${inline.join(', ')}: servers of a project's agent are not started. Put them into .mcp.json, where you can approve them, and name them here.`,
    );
  const own = agent.source === 'project' && memory === 'user';
  if (own)
    left.push(
      "`memory: user` of a project's agent is ignored: it could read the notes of your own agents. `project` and `local` keep notes in the project.",
    );
  return {
    ...rest,
    ...(servers === undefined ? {} : { mcpServers: refused ? [...servers.names, ...inline] : mcpServers }),
    ...(memory === undefined || own ? {} : { memory }),
  };
}

/** Sorted by path. A folder that is not there has none. */
async function agentFiles(folder: string, files: LoadAgentsRequest['files']): Promise<string[]> {
  const found: string[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    const entries = await files.list(at).catch(() => []);
    for (const { name, type } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length > maxFiles) return;
      if (type === 'file' && name.endsWith('.md')) found.push(join(at, name));
      else if (type === 'directory' && depth < maxDepth) await walk(join(at, name), depth + 1);
    }
  };
  if (folder.endsWith('.md')) return [folder];
  await walk(folder, 0);
  return found;
}
