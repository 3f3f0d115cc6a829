// Sends what a server's prompt says in place of the command that was typed; gives the command back where that cannot be.
import { type ComposerImage } from '../../../shared/written-message';
import { type Chat } from '../conversation/chat';
import { type HandlerServices } from './handler';
import { mcpPromptText } from '../../../core/mcp/mcp-prompts';

const patienceMs = 60_000;

export async function sendMcpPrompt(
  { text, images }: { text: string; images: ComposerImage[] },
  chat: Chat,
  { mcp, post }: Pick<HandlerServices, 'mcp' | 'post'>,
): Promise<void> {
  const servers = (await mcp()).of(chat.mcpRequests.people);
  const prompt = await mcpPromptText(text, servers, AbortSignal.timeout(patienceMs)).catch(() => ({
    outcome: 'refused' as const,
    message: 'The MCP server did not answer within a minute.',
  }));
  // What the server wrote mentions nothing: only a user's mention attaches a file.
  if (prompt?.outcome === 'text') return chat.send({ text: prompt.text, typed: text, mentionsIn: '', images });
  chat.notice('warning', 'The prompt was not sent.', prompt?.message ?? 'No MCP server has a prompt of this name.');
  post({ type: 'givenBack', text, images });
}
