// The tools of MCP servers: they come and go while the session runs, and rules may take them away.
import { type ContextSource } from '../../context/context-source';
import { type FeatureFactory } from '../../feature/session-feature';
import { toolDenial } from '../../permissions/rules/tool-rules';
import { type AnyTool } from '../../tool/tool';
import { defaultMcpOutputTokens } from '../../tools/mcp/mcp-tool';
import { createServerNotes } from '../../tools/mcp/server-notes';
import { createServerTools } from '../../tools/mcp/server-tools';

/** An agent gets of its session's tools what it may have, as it stands when it starts. */
export const mcpFeature: FeatureFactory = (access) => {
  const { settings, ports } = access;
  if (ports.mcp === undefined) return notesFeature([])(access);
  const serverTools = createServerTools(ports.mcp, {
    deferral:
      settings.registry.find('ToolSearch') === undefined ? 'off' : (settings.requests?.toolSearch?.deferral ?? 'on'),
    maxOutputTokens: settings.tools?.mcpOutputTokens ?? defaultMcpOutputTokens,
  });
  const allowed = allowedTools(serverTools, () => settings.permission.current().rules);
  return { ...notesFeature([createServerNotes(ports.mcp, allowed)])(access), tools: allowed };
};

/** What the servers say about themselves; an agent is sent those that it reaches and those that run for it alone. */
function notesFeature(notes: readonly ContextSource[]): FeatureFactory {
  return () => ({
    name: 'mcp',
    sources: notes,
    inAgents: ({ definition, tools, sources }) =>
      notesFeature(
        definition.builtIn?.bare === true ? [] : [...notes.map((note) => note.narrowed?.(tools) ?? note), ...sources],
      ),
  });
}

/** Rules are asked only where they or the tools are others than before. */
function allowedTools(
  tools: () => readonly AnyTool[],
  rules: () => Parameters<typeof toolDenial>[0],
): () => readonly AnyTool[] {
  type Rules = Parameters<typeof toolDenial>[0];
  let known: { tools: readonly AnyTool[]; rules: Rules; key: string; allowed: readonly AnyTool[] } | undefined;
  return () => {
    const now = tools();
    const current = rules();
    // Each name in each sentence for the model asks what is offered.
    if (known?.tools === now && known.rules === current) return known.allowed;
    const denying = current.filter(({ behavior }) => behavior === 'deny');
    const key = JSON.stringify(denying.map(({ value }) => value));
    if (known?.tools === now && known.key === key) {
      known.rules = current;
      return known.allowed;
    }
    const isDenied = toolDenial(denying);
    known = { tools: now, rules: current, key, allowed: now.filter(({ name }) => !isDenied(name)) };
    return known.allowed;
  };
}
