// MCP servers that are functions of the program which runs Deft: their messages travel as control requests.
import { type McpServerEntry } from '../../core/ports/mcp';
import { isObject } from '../../shared/plain-object';
import { type ProgramServers } from '../../node/mcp/program-transport';
import { type ControlChannel } from './control-channel';
import { type ControlRequest } from './control-messages';

export interface RunProgramServers extends ProgramServers {
  /** A message that a server sent by itself; a sentence where nobody listens to it. */
  take(request: ControlRequest): Readonly<Record<string, unknown>> | string;
}

export function createProgramServers(channel: Pick<ControlChannel, 'ask'>): RunProgramServers {
  const listeners = new Map<string, (message: unknown) => void>();
  return {
    async ask(server, message, signal) {
      const answer = await channel.ask({ subtype: 'mcp_message', server_name: server, message }, signal);
      if (answer.kind === 'error') throw new Error(answer.message);
      if (answer.kind === 'closed') throw new Error('The program that runs Deft has closed its input.');
      if (answer.kind === 'malformed' || !isObject(answer.response))
        throw new Error('The program that runs Deft gave an unreadable answer.');
      return answer.response['mcp_response'];
    },
    listen(server, listener) {
      listeners.set(server, listener);
      return () => {
        if (listeners.get(server) === listener) listeners.delete(server);
      };
    },
    take({ fields }) {
      const listener = listeners.get(String(fields['server_name']));
      if (listener === undefined) return `There is no MCP server ${JSON.stringify(fields['server_name'])}.`;
      listener(fields['message']);
      return {};
    },
  };
}

/** As a file would name it; nothing is started. */
export function programEntry(name: string): McpServerEntry {
  return {
    name,
    scope: 'command-line',
    config: { type: 'stdio', command: '', args: [], env: {} },
    alwaysLoad: false,
    program: true,
    written: JSON.stringify({ type: 'sdk', name }),
  };
}
