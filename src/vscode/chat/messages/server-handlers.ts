// What the manager's messages and the answers to servers do.
import * as vscode from 'vscode';
import { type WebviewMessageType } from '../../../shared/protocol';
import { type Handler, type HandlerServices } from '../panel/handler';

type Handlers<Type extends WebviewMessageType> = { [Each in Type]: Handler<Each> };

export const mcpHandlers: Handlers<'listMcp' | 'mcp' | 'addMcp' | 'answerMcp'> = {
  listMcp: (_message, _chat, services) => showServers(services),
  mcp: async ({ server, seen, action }, _chat, services) => {
    const problem = await (await services.mcp()).act(server, seen, action);
    if (problem !== undefined) void vscode.window.showWarningMessage(`Deft: ${problem}`);
    await showServers(services);
  },
  addMcp: async ({ name, kind, target, scope }, _chat, services) => {
    const problem = await (await services.mcp()).add({ name, kind, target, scope });
    services.post({ type: 'mcpAdded', problem: problem ?? null });
    await showServers(services);
  },
  answerMcp: async ({ requestId, answer }, chat) => {
    const request = chat.mcpRequests.find(requestId);
    // Only now, and only what the person has read.
    if (request?.kind === 'url' && answer.action === 'accept')
      await vscode.env.openExternal(vscode.Uri.parse(request.url, true));
    chat.mcpRequests.answer(requestId, answer);
  },
};

async function showServers({ mcp, post }: HandlerServices): Promise<void> {
  const { rows, servers } = await mcp();
  post({ type: 'mcpServers', servers: rows(), problems: [...servers.problems()] });
}
