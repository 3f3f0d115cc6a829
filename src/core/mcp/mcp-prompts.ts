// Prompts that servers offer, as commands of the composer: "/mcp__server__prompt first "second one"".
import { serverParts, toolNames } from './tool-name';
import { type McpContent, type McpPrompt, type McpServers } from '../ports/mcp';
import { attachment } from '../text/attachment';
import { slashLine } from '../text/slash-line';
import { neutralText } from '../text/system-reminder';
import { splitWords } from '../text/split-words';
import { headOf } from '../../shared/cut-text';

export interface McpCommand {
  name: string;
  description: string;
  argumentHint: string;
}

export type McpPromptText =
  | { outcome: 'text'; text: string }
  /** A sentence for the user. */
  | { outcome: 'refused'; message: string };

const maxChars = 100_000;

/** For the menu of the composer. */
export function mcpCommands(servers: Pick<McpServers, 'list'>): McpCommand[] {
  return promptsOf(servers).map(({ name, prompt }) => ({
    name,
    description: prompt.description,
    argumentHint: prompt.arguments.map(hintOf).join(' '),
  }));
}

/** Undefined where the message is not a server's prompt. */
export async function mcpPromptText(
  text: string,
  servers: Pick<McpServers, 'list' | 'prompt'>,
  signal: AbortSignal,
): Promise<McpPromptText | undefined> {
  const line = slashLine(text);
  if (line === undefined || !line.name.startsWith('mcp__')) return undefined;
  const prompt = promptsOf(servers).find(({ name }) => name === line.name)?.prompt;
  if (prompt === undefined) return refused(`No connected MCP server offers /${line.name}. /mcp shows the servers.`);
  const words = splitWords(line.rest);
  if (words === undefined) return refused('A quote in the command is not closed.');
  const names = prompt.arguments;
  if (words.length > names.length)
    return refused(
      `/${line.name} takes ${names.length === 0 ? 'no arguments' : names.map(hintOf).join(' ')}. Put quotes around words that belong together.`,
    );
  const missing = names.slice(words.length).find(({ required }) => required);
  if (missing !== undefined) return refused(`/${line.name} needs “${missing.name}”: ${names.map(hintOf).join(' ')}.`);
  const input = Object.fromEntries(words.map((word, index): [string, string] => [names[index]?.name ?? '', word]));
  const answer = await servers.prompt(prompt.server, prompt.name, input, signal);
  if (answer.outcome === 'failed') return refused(answer.message);
  const written = answer.content
    .map(contentText)
    .filter((part) => part !== '')
    .join('\n\n');
  return written.trim() === ''
    ? refused(`The server ${prompt.server} gave an empty prompt.`)
    : { outcome: 'text', text: headOf(written, maxChars) };
}

/** Named as tools are: the same servers give the same names. */
function promptsOf(servers: Pick<McpServers, 'list'>): { name: string; prompt: McpPrompt }[] {
  const all = servers.list();
  const parts = serverParts(all.map(({ entry }) => entry));
  return all.flatMap(({ entry, prompts }) => {
    const names = toolNames(
      parts.get(entry.name) ?? '',
      prompts.map(({ name }) => name),
    );
    return prompts.map((prompt) => ({ name: names.get(prompt.name) ?? '', prompt }));
  });
}

function hintOf({ name, required }: McpPrompt['arguments'][number]): string {
  return required ? `<${name}>` : `[${name}]`;
}

/** What comes with a prompt is data, what it says is the prompt. */
function contentText(piece: McpContent): string {
  switch (piece.type) {
    case 'text':
      return neutralText(piece.text);
    case 'resource':
      return attachment({ resource: piece.uri }, piece.text ?? `[${piece.mimeType ?? 'data'}]`);
    case 'link':
      return neutralText(`${piece.name}: ${piece.uri}`);
    default:
      return neutralText(`[${piece.mimeType}]`);
  }
}

function refused(message: string): McpPromptText {
  return { outcome: 'refused', message };
}
