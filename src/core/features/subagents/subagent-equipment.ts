// What an agent has of its own before it starts: a worktree, notes from earlier tasks, servers of its file; and the end of each.
import { defined } from '../../../shared/defined';
import { messageOf } from '../../text/errors';
import { createServerNotes } from '../../tools/mcp/server-notes';
import { createServerTools } from '../../tools/mcp/server-tools';
import { type ContextSource } from '../../context/context-source';
import { type McpServers } from '../../ports/mcp';
import { type Worktree } from '../../ports/worktrees';
import { type AgentDefinition } from '../../subagents/agent-definition';
import { type AgentMemory, openAgentMemory } from './agent-memory';
import { readAgentServers, serversOf } from '../../subagents/agent-servers';
import { defaultMcpOutputTokens } from '../../tools/mcp/mcp-tool';
import { type AnyTool } from '../../tool/tool';
import { ownFolder } from '../../calls/own-folder';
import { type SessionAccess } from '../../feature/session-feature';
import { type RunningAgents } from './running-agents';
import { failed, type Failure } from './subagent-texts';
import { type AgentWorktree, AgentWorktrees } from './subagent-worktree';

const connectMs = 30_000;

export interface AgentEquipment {
  place?: AgentWorktree;
  memory?: AgentMemory;
  /** Those that it may call, where that differs from its session's. */
  servers?: McpServers;
  /** Tools of servers that run for it alone. */
  serverTools: readonly AnyTool[];
  sources: readonly ContextSource[];
  /** `busy`: something of it still runs. The sentences belong to its report. */
  end(busy: boolean): Promise<string | undefined>;
}

export interface WantedEquipment {
  definition: AgentDefinition;
  id: string;
  isolation: 'worktree' | undefined;
  /** It has worked before. */
  again: boolean;
  /** Where it did, known in this process: another session may have started it. */
  earlier?: Worktree | undefined;
}

export interface AgentEquipments {
  open(wanted: WantedEquipment, signal: AbortSignal): Promise<AgentEquipment | Failure>;
  /** Worktrees of ended processes, in a sentence. */
  leftBehind(): Promise<string | undefined>;
  readonly worktrees: Pick<AgentWorktrees, 'list' | 'left' | 'discard'>;
}

/** For the session that starts the agents. */
export function createAgentEquipments(access: SessionAccess, agents: RunningAgents): AgentEquipments {
  const { settings, ports, session } = access;
  const { host } = agents;
  const permission = settings.permission.current;
  const trusted = (): boolean => permission().trusted;
  const worktrees = new AgentWorktrees({
    ports,
    records: settings.records,
    permission,
    folders: () => settings.place.environment.folders,
    cwd: () => ownFolder(session, permission()),
    event: access.event,
    writer: access.writer,
  });

  /** Started for it alone. */
  const startOwn = (definition: AgentDefinition): McpServers | undefined => {
    const inline = readAgentServers(definition.mcpServers)?.inline ?? {};
    if (
      Object.keys(inline).length === 0 ||
      definition.source === 'project' ||
      host.environment()['CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS'] === '0'
    )
      return undefined;
    return host.startServers?.(inline, definition.file);
  };
  /** There when its first request is made: its file names them for it, and it keeps the tools that it starts with. */
  const settled = async (started: McpServers, { name }: AgentDefinition, signal: AbortSignal): Promise<void> => {
    await started.settled(connectMs, signal);
    for (const problem of started.problems()) ports.log.warn(`The agent ${name}: ${problem}`);
    for (const { entry, state } of started.list())
      if (state.kind === 'failed' || state.kind === 'disabled')
        ports.log.warn(`The MCP server ${entry.name} of the agent ${name} cannot be used: ${state.why}`);
  };
  /** Whatever comes of it, the worktree is put away too. */
  const endServers = async (own: McpServers | undefined): Promise<void> => {
    await own
      ?.dispose()
      .catch((error: unknown) => ports.log.warn(`The MCP servers of an agent did not stop: ${messageOf(error)}`));
  };

  return {
    async open({ definition, id, isolation, again, earlier }, signal) {
      const before = again ? (earlier ?? worktrees.last(id)) : undefined;
      const place =
        (isolation ?? definition.isolation) !== undefined || before !== undefined
          ? await worktrees.open(id, { again, earlier: before }, signal)
          : undefined;
      if (place !== undefined && 'kind' in place) return place;
      let own: McpServers | undefined;
      try {
        const memory = await openAgentMemory(definition, {
          files: ports.files,
          places: host.memoryPlaces,
          trusted: trusted(),
          isHidden: (path) => session.isHidden(path),
          secrets: settings.secrets?.() ?? [],
        });
        const started = startOwn(definition);
        own = started;
        if (started !== undefined) await settled(started, definition, signal);
        const serverTools =
          started === undefined
            ? []
            : createServerTools(started, {
                deferral: 'off',
                maxOutputTokens: settings.tools?.mcpOutputTokens ?? defaultMcpOutputTokens,
              })();
        const reached = ports.mcp ?? started;
        return {
          ...defined({ place, memory }),
          ...defined({ servers: reached && serversOf(reached, definition, started) }),
          serverTools,
          sources: started === undefined ? [] : [createServerNotes(started, () => serverTools)],
          async end(busy) {
            await endServers(started);
            return place?.end(busy);
          },
        };
      } catch (error) {
        await endServers(own);
        await place?.end(false);
        signal.throwIfAborted();
        return failed(
          'agent-equipment',
          `The resources of the agent ${definition.name} could not be opened: ${messageOf(error)}`,
        );
      }
    },
    leftBehind: () => worktrees.leftBehind(),
    worktrees,
  };
}
