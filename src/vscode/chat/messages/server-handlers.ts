// What the MCP manager's messages and the answers to servers do.
import * as vscode from 'vscode';
import { type McpServerList } from '../../../shared/answers';
import { type serverMessages } from '../../../shared/protocol';
import { type Handlers, type HandlerServices } from '../panel/handler';

export const serverHandlers: Handlers<typeof serverMessages> = {
  listMcp: (_input, _chat, services) => listServers(services),
  mcp: async ({ server, seen, action }, _chat, services) => {
    const problem = await (await services.mcp()).act(server, seen, action);
    if (problem !== undefined) void vscode.window.showWarningMessage(`Deft: ${problem}`);
    return listServers(services);
  },
  addMcp: async ({ name, kind, target, scope }, _chat, services) => {
    const problem = await (await services.mcp()).add({ name, kind, target, scope });
    return { problem: problem ?? null, list: await listServers(services) };
  },
  answerMcp: async ({ requestId, answer }, chat) => {
    const request = chat.mcpRequests.find(requestId);
    // Only now, and only what the user has read.
    if (request?.kind === 'url' && answer.action === 'accept')
      await vscode.env.openExternal(vscode.Uri.parse(request.url, true));
    chat.mcpRequests.answer(requestId, answer);
  },
};

async function listServers({ mcp }: HandlerServices): Promise<McpServerList> {
  const window = await mcp();
  return { servers: window.rows(), problems: [...window.servers.problems()] };
}
