// The Approver where a tool of an MCP server decides (--permission-prompt-tool mcp__server__tool): it is asked as the public format has it.
import { serverParts, toolNames } from '../../core/mcp/tool-name';
import { type Approver } from '../../core/ports/approver';
import { type McpCallOutcome, type McpServers } from '../../core/ports/mcp';
import { type ControlAnswer } from './control-messages';
import { decisionOf, undecided } from './control-approver';

export interface ServerApproverOptions {
  /** As the model would call it. */
  tool: string;
  /** Asked when it is needed: servers come after whoever asks. */
  servers: () => McpServers | undefined;
  warn(sentence: string): void;
}

/** Whatever is not a clear yes is a no. */
export function createServerApprover({ tool, servers, warn }: ServerApproverOptions): Approver {
  return {
    async ask(request, signal) {
      const mcp = servers();
      const found = serverTool(tool, mcp);
      if (mcp === undefined || found === undefined) return undecided(missingTool(tool));
      const { toolName, toolUseId, input } = request;
      const asked = { tool_name: toolName, input, tool_use_id: toolUseId };
      const answer = answerOf(await mcp.callTool(found.server, found.tool, asked, { signal }));
      signal.throwIfAborted();
      return decisionOf(answer, request, { warn, who: `The tool ${tool}` });
    },
  };
}

/** The server's and its own name for a tool that the model knows as `mcp__server__tool`. */
export function serverTool(
  name: string,
  servers: Pick<McpServers, 'list'> | undefined,
): { server: string; tool: string } | undefined {
  const all = servers?.list() ?? [];
  const parts = serverParts(all.map(({ entry }) => entry));
  for (const { entry, tools } of all) {
    const names = toolNames(
      parts.get(entry.name) ?? '',
      tools.map((tool) => tool.name),
    );
    for (const [tool, called] of names) if (called === name) return { server: entry.name, tool };
  }
  return undefined;
}

export function missingTool(name: string): string {
  return `--permission-prompt-tool: no connected MCP server has the tool ${name}.`;
}

function answerOf(outcome: McpCallOutcome): ControlAnswer {
  if (outcome.outcome === 'failed') return { kind: 'error', message: outcome.message };
  const text = outcome.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n');
  if (outcome.isError) return { kind: 'error', message: text };
  try {
    return { kind: 'success', response: JSON.parse(text) };
  } catch {
    return { kind: 'malformed' };
  }
}
