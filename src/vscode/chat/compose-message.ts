// What the person sends, made into a prompt of a session: with the files and the servers' resources that it mentions.
import { type AgentSession } from '../../core/agent/session';
import { type Prompt } from '../../core/agent/steering-queue';
import { type McpPeople } from '../../core/ports/mcp';
import { composePrompt, type PromptInput } from '../../core/prompt/compose-prompt';
import { type ReadMentioned } from '../../core/prompt/resource-mentions';
import { type ChatServices } from './chat-needs';

/** As long as a mention of a server's resource holds the message up. */
const resourceMs = 30_000;

export function composeMessage(input: PromptInput, session: AgentSession, services: Pick<ChatServices, 'servers' | 'folders'>, people: McpPeople): Promise<Prompt> {
  const { cwd, isHidden, readState } = session.surroundings;
  const files = session.files;
  const readResource: ReadMentioned = async ({ server, uri }) => {
    const mcp = services.servers(people);
    return mcp.list().some(({ entry }) => entry.name === server) ? mcp.readResource(server, uri, AbortSignal.timeout(resourceMs)) : undefined;
  };
  return composePrompt(input, { readResource, agents: () => session.agentNames(), files, cwd, folders: services.folders(), isHidden, readState, secrets: session.secrets });
}
