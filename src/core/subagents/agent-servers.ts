// MCP servers that an agent's file names: those of its session that it keeps, and those that are started for it alone.
import { serverParts } from '../mcp/tool-name';
import { type McpCallOutcome, type McpServers } from '../ports/mcp';
import { type AgentDefinition } from './agent-definition';
import { isMcpTool } from './tool-filter';
import { isObject } from '../../shared/plain-object';

export interface NamedServers {
  /** The session's servers. */
  names: string[];
  /** Entries as files of servers have them, by name. */
  inline: Record<string, unknown>;
}

/** A list of names and of `{name: entry}`, or an object of entries; a string alone is one name. Undefined where the file says nothing, or nothing that can be read. */
export function readAgentServers(written: unknown): NamedServers | undefined {
  const parts: unknown[] | undefined = Array.isArray(written)
    ? written
    : typeof written === 'string'
      ? written.split(',')
      : isObject(written)
        ? [written]
        : undefined;
  if (parts === undefined) return undefined;
  const found: NamedServers = { names: [], inline: {} };
  for (const part of parts) {
    if (typeof part === 'string' && part.trim() !== '') found.names.push(part.trim());
    else if (isObject(part)) {
      for (const [name, entry] of Object.entries(part)) {
        if (isObject(entry) && Object.keys(entry).length > 0) found.inline[name] = entry;
        else found.names.push(name);
      }
    }
  }
  return found;
}

/** Where `tools` names no servers' tools, all tools of the servers that the file also names are meant. */
export function withNamedServers<Agent extends Pick<AgentDefinition, 'tools' | 'mcpServers'>>(agent: Agent): Agent {
  const { tools, mcpServers } = agent;
  return tools === undefined || mcpServers === undefined || tools.some((entry) => entry.startsWith('mcp__'))
    ? agent
    : { ...agent, tools: [...tools, 'mcp__*'] };
}

/** Only these servers' tools. */
export function keepsServerTool(
  agent: Pick<AgentDefinition, 'mcpServers'>,
  servers: McpServers | undefined,
): (tool: { name: string }) => boolean {
  const named = readAgentServers(agent.mcpServers);
  if (named === undefined) return () => true;
  const prefixes = prefixesOf(servers)
    .filter(({ server }) => named.names.includes(server))
    .map(({ prefix }) => prefix);
  return (tool) => !isMcpTool(tool) || prefixes.some((prefix) => tool.name.startsWith(prefix));
}

/** By the tools' names: which of them this session can reach. */
export function reachesServerTool(servers: McpServers | undefined): (tool: { name: string }) => boolean {
  const prefixes = prefixesOf(servers).map(({ prefix }) => prefix);
  return (tool) => !isMcpTool(tool) || prefixes.some((prefix) => tool.name.startsWith(prefix));
}

function prefixesOf(servers: McpServers | undefined): { server: string; prefix: string }[] {
  const entries = servers?.list().map(({ entry }) => entry) ?? [];
  return [...serverParts(entries)].map(([server, part]) => ({ server, prefix: `mcp__${part}__` }));
}

/** The session's servers as far as the agent's file names them, and behind the same calls its own, which come first. */
export function serversOf(
  session: McpServers,
  agent: Pick<AgentDefinition, 'mcpServers'>,
  own: McpServers | undefined,
): McpServers {
  const named = readAgentServers(agent.mcpServers);
  if (named === undefined && own === undefined) return session;
  const isOwn = (server: string): boolean => own?.list().some(({ entry }) => entry.name === server) === true;
  const isNamed = (server: string): boolean => !isOwn(server) && (named === undefined || named.names.includes(server));
  const of = (server: string): McpServers | undefined =>
    own !== undefined && isOwn(server) ? own : isNamed(server) ? session : undefined;
  const none = async (server: string): Promise<McpCallOutcome> => ({
    outcome: 'failed',
    message: `This agent has no MCP server ${server}.`,
  });
  return {
    ...session,
    list: () => [...(own?.list() ?? []), ...session.list().filter(({ entry }) => isNamed(entry.name))],
    callTool: (server, ...call) => of(server)?.callTool(server, ...call) ?? none(server),
    async resources(server, signal) {
      if (server !== undefined) return (await of(server)?.resources(server, signal)) ?? [];
      const [first, others] = await Promise.all([
        own?.resources(undefined, signal) ?? [],
        session.resources(undefined, signal),
      ]);
      return [...first, ...others.filter((resource) => isNamed(resource.server))];
    },
    readResource: (server, ...request) => of(server)?.readResource(server, ...request) ?? none(server),
    prompt: (server, ...request) => of(server)?.prompt(server, ...request) ?? none(server),
  };
}
