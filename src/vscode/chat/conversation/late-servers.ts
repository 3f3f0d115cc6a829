// Lines of a chat about MCP servers that are not there for a prompt, and are later: each once in a session.
import { reportServers } from '../../../core/mcp/late-servers';
import { type McpServers } from '../../../core/ports/mcp';

export interface LateServers {
  /** Another session is shown; undefined where it has no servers, or where there is none yet. */
  begin(servers: Pick<McpServers, 'list' | 'onChange'> | undefined): void;
  promptSent(): void;
}

/** `line` shows a line, in place of an earlier one of this ID. */
export function createLateServers(line: (id: string, text: string) => void): LateServers {
  let present: { servers: Pick<McpServers, 'list' | 'onChange'>; told: Set<string> } | undefined;
  return {
    begin: (servers) => void (present = servers && { servers, told: new Set() }),
    promptSent() {
      const mine = present;
      if (mine === undefined) return;
      const tell = (name: string, sentence: string): void => {
        // Servers outlive the session that was told of them.
        if (mine === present) line(`mcp-server:${name}`, sentence);
      };
      reportServers(mine.servers, tell, mine.told);
    },
  };
}
