// Leads what a server asks of the user to the chat whose call the server is working on.
import { type McpPeople, type McpServers } from '../../core/ports/mcp';

export interface CallingChats {
  /** For the connections: asks the chat that called last, and declines where none is waiting for the server. */
  readonly people: McpPeople;
  /** For the sessions of one chat. */
  of(servers: McpServers, people: McpPeople): McpServers;
}

/** What a server asks for a call is of no use once the call is over. */
interface Call {
  people: McpPeople;
  over: AbortController;
}

export function createCallingChats(): CallingChats {
  const calls = new Map<string, Call[]>();
  const caller = (server: string): Call | undefined => calls.get(server)?.at(-1);
  return {
    people: {
      elicit: async (request, signal) => {
        const call = caller(request.server);
        return call === undefined
          ? { action: 'decline' }
          : call.people.elicit(request, AbortSignal.any([signal, call.over.signal]));
      },
      allowSampling: async (request, signal) => {
        const call = caller(request.server);
        return (
          call !== undefined && (await call.people.allowSampling(request, AbortSignal.any([signal, call.over.signal])))
        );
      },
    },
    of(servers, people) {
      const calling = async <Outcome>(server: string, call: () => Promise<Outcome>): Promise<Outcome> => {
        const waiting = calls.get(server) ?? [];
        calls.set(server, waiting);
        const mine: Call = { people, over: new AbortController() };
        waiting.push(mine);
        try {
          return await call();
        } finally {
          waiting.splice(waiting.indexOf(mine), 1);
          mine.over.abort();
        }
      };
      return {
        ...servers,
        callTool: (server, tool, input, options) =>
          calling(server, () => servers.callTool(server, tool, input, options)),
        readResource: (server, uri, signal) => calling(server, () => servers.readResource(server, uri, signal)),
        prompt: (server, name, input, signal) => calling(server, () => servers.prompt(server, name, input, signal)),
      };
    },
  };
}
