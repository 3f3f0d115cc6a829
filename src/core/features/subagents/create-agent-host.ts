// The agents and transcripts of one session, on a host's files and store.
import { defined } from '../../../shared/defined';
import { DeftError } from '../../text/errors';
import { type SessionStore } from '../../ports/session-store';
import { type AgentDefinition } from '../../subagents/agent-definition';
import { type AgentHost } from './agent-host';
import { type AgentPlace } from '../../subagents/agent-places';
import { loadAgents, type LoadAgentsRequest } from '../../subagents/load-agents';
import { type Secrets } from '../../text/redact';

export interface AgentHostParts {
  files: LoadAgentsRequest['files'];
  /** Asked each time: folders and trust may change. */
  places: () => AgentPlaces | Promise<AgentPlaces>;
  /** From the command line. */
  given?: readonly AgentDefinition[] | undefined;
  /** What deny rules hide. */
  isHidden?: (path: string) => boolean;
  secrets?: () => Secrets;
  logs: () => ReturnType<NonNullable<SessionStore['agentLogs']>> | undefined;
  environment: () => Readonly<Record<string, string | undefined>>;
  memoryPlaces?: AgentHost['memoryPlaces'];
  startServers?: AgentHost['startServers'];
}

export interface AgentPlaces {
  places: readonly AgentPlace[];
  trusted: boolean;
}

export function createAgentHost({
  files,
  places,
  given = [],
  isHidden,
  secrets,
  logs,
  environment,
  memoryPlaces,
  startServers,
}: AgentHostParts): AgentHost {
  const store = (): NonNullable<ReturnType<typeof logs>> => {
    const found = logs();
    if (found === undefined) throw new DeftError('agent-logs', 'This session keeps no transcripts of agents.');
    return found;
  };
  return {
    list: async () => loadAgents({ files, given, isHidden, secrets: secrets?.(), ...(await places()) }),
    createLog: (id) => store().create(id),
    openLog: (id) => store().open(id),
    environment,
    ...defined({ memoryPlaces, startServers }),
  };
}
