// What a session needs of its host to start agents.
import { type SessionLog } from '../../ports/session-store';
import { type SessionRecord } from '../../ports/record';
import { type McpServers } from '../../ports/mcp';
import { type Path } from '../../ports/path';
import { type AgentMemoryPlaces } from './agent-memory';
import { type AgentList } from '../../subagents/load-agents';

export interface AgentHost {
  /** As the files are now. */
  list(): Promise<AgentList>;
  /** The transcript of an agent of this session; `open` is undefined if there is none. */
  createLog(agentId: string): Promise<SessionLog>;
  openLog(agentId: string): Promise<{ log: SessionLog; records: SessionRecord[] } | undefined>;
  /** Where agents keep their notes; undefined where they keep none. */
  memoryPlaces?: AgentMemoryPlaces | undefined;
  /** Servers that an agent's own file describes, by name: they connect at once, and end with `dispose`. */
  startServers?(servers: Record<string, unknown>, file: Path | undefined): McpServers;
  /** Variables that choose models and limits. */
  environment(): Readonly<Record<string, string | undefined>>;
}
