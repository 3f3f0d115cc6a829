// Gives a session the tools of MCP servers: they come and go while it runs, and rules may take them away.
import { createServerNotes } from '../tools/mcp/server-notes';
import { createServerTools } from '../tools/mcp/server-tools';
import { toolDenial } from '../permissions/rules/tool-rules';
import { defaultMcpOutputTokens } from '../tools/mcp/mcp-tool';
import { assembleToolPool, nearNames, type ToolRegistry } from '../tools/registry';
import { type AnyTool } from '../tool/tool';
import { type SessionOptions } from './session-options';

/** The same where the host has no servers, and for agents: those get of their session's tools what they may have, as it stands when they start. */
export function withMcp(options: SessionOptions): SessionOptions {
  const { ports, registry, toolSearch, mcpOutputTokens } = options;
  if (ports.mcp === undefined || options.agent !== undefined) return options;
  const serverTools = createServerTools(ports.mcp, {
    deferral: registry.find('ToolSearch') === undefined ? 'off' : (toolSearch?.deferral ?? 'on'),
    maxOutputTokens: mcpOutputTokens ?? defaultMcpOutputTokens,
  });
  const allowed = allowedTools(serverTools, () => options.permission().rules);
  return {
    ...options,
    registry: withServerTools(registry, allowed),
    contextSources: [...(options.contextSources ?? []), createServerNotes(ports.mcp, allowed)],
  };
}

/** Rules are asked only where they or the tools are others than before. */
function allowedTools(
  tools: () => readonly AnyTool[],
  rules: () => Parameters<typeof toolDenial>[0],
): () => readonly AnyTool[] {
  let known: { tools: readonly AnyTool[]; rules: string; allowed: readonly AnyTool[] } | undefined;
  return () => {
    const now = tools();
    const denying = rules().filter(({ behavior }) => behavior === 'deny');
    const key = JSON.stringify(denying.map(({ value }) => value));
    if (known?.tools !== now || known.rules !== key) {
      const isDenied = toolDenial(denying);
      known = { tools: now, rules: key, allowed: now.filter(({ name }) => !isDenied(name)) };
    }
    return known.allowed;
  };
}

function withServerTools(base: ToolRegistry, serverTools: () => readonly AnyTool[]): ToolRegistry {
  let known: { of: readonly AnyTool[]; all: AnyTool[]; byName: ReadonlyMap<string, AnyTool> } | undefined;
  const current = (): { all: AnyTool[]; byName: ReadonlyMap<string, AnyTool> } => {
    const tools = serverTools();
    if (known?.of !== tools)
      known = {
        of: tools,
        all: assembleToolPool(base.all(), tools),
        byName: new Map(tools.map((tool) => [tool.name, tool])),
      };
    return known;
  };
  const registry: ToolRegistry = {
    register(tool) {
      base.register(tool);
      known = undefined;
      return registry;
    },
    find: (name) => (name.startsWith('mcp__') ? current().byName.get(name) : undefined) ?? base.find(name),
    all: () => current().all,
    near: (name) =>
      nearNames(
        name,
        current().all.map((tool) => tool.name),
      ),
  };
  return registry;
}
