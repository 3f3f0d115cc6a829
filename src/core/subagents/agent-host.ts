// What a session needs of its host to start agents.
import { type SessionLog } from '../ports';
import { type SessionRecord } from '../sessions/record';
import { type AgentList } from './load-agents';

export interface AgentHost {
  /** As the files are now. */
  list(): Promise<AgentList>;
  /** The transcript of an agent of this session; `open` is undefined where there is none. */
  createLog(agentId: string): Promise<SessionLog>;
  openLog(agentId: string): Promise<{ log: SessionLog; records: SessionRecord[] } | undefined>;
  /** Variables that choose models and limits. */
  environment(): Readonly<Record<string, string | undefined>>;
}
