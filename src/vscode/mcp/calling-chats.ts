// Leads what a server asks of the person to the chat whose call the server is working on.
import { type McpPeople, type McpServers } from '../../core/ports/mcp';

export interface CallingChats {
  /** For the connections: asks the chat that called last, and declines where none is waiting for the server. */
  readonly people: McpPeople;
  /** For the sessions of one chat. */
  of(servers: McpServers, people: McpPeople): McpServers;
}

export function createCallingChats(): CallingChats {
  const calls = new Map<string, McpPeople[]>();
  const caller = (server: string): McpPeople | undefined => calls.get(server)?.at(-1);
  return {
    people: {
      elicit: async (request, signal) => (await caller(request.server)?.elicit(request, signal)) ?? { action: 'decline' },
      allowSampling: async (request, signal) => (await caller(request.server)?.allowSampling(request, signal)) ?? false,
    },
    of(servers, people) {
      const calling = async <Outcome>(server: string, call: () => Promise<Outcome>): Promise<Outcome> => {
        const waiting = calls.get(server) ?? [];
        calls.set(server, waiting);
        waiting.push(people);
        try {
          return await call();
        } finally {
          waiting.splice(waiting.lastIndexOf(people), 1);
        }
      };
      return {
        ...servers,
        callTool: (server, tool, input, options) => calling(server, () => servers.callTool(server, tool, input, options)),
        readResource: (server, uri, signal) => calling(server, () => servers.readResource(server, uri, signal)),
        prompt: (server, name, input, signal) => calling(server, () => servers.prompt(server, name, input, signal)),
      };
    },
  };
}
