// The command "/mcp" of the composer: shows the servers.
import { type HandlerServices } from './handler';

export const mcpCommand = {
  name: 'mcp',
  description: 'Show the MCP servers, their state and what they offer, and add servers',
  run: (_chat: unknown, _rest: string, { post }: Pick<HandlerServices, 'post'>): void => post({ type: 'showMcp' }),
};
