// The tools of all servers as the session's own: rebuilt only for a server whose list has changed.
import { type McpServerEntry, type McpServers, type McpServerStatus, type McpTool } from '../../ports/mcp';
import { createMcpTool } from './mcp-tool';
import { type AnyTool } from '../../tool/tool';
import { serverParts, toolNames } from '../../mcp/tool-name';

export interface ServerToolsOptions {
  /** `auto`: deferred only where there are many. */
  deferral: 'on' | 'off' | 'auto';
  maxOutputTokens: number;
}

/** Descriptions and schemas of more characters than a tenth of a model's window takes are worth a search. */
const autoChars = 70_000;

/** Tools know nothing of their session: all sessions share those of one list. */
const shared = new WeakMap<readonly McpTool[], { key: string; tools: AnyTool[] }>();

/** The same array until something has changed. Tools stay while their server reconnects. */
export function createServerTools(servers: McpServers, options: ServerToolsOptions): () => readonly AnyTool[] {
  const made = new Map<
    string,
    { of: readonly McpTool[]; part: string; entry: unknown; deferral: boolean; tools: AnyTool[] }
  >();
  let all: readonly AnyTool[] = [];
  const sizes = new WeakMap<readonly McpTool[], number>();
  const sizeOf = (tools: readonly McpTool[]): number => {
    const size = sizes.get(tools) ?? JSON.stringify(tools).length;
    sizes.set(tools, size);
    return size;
  };
  let named: { readonly entries: readonly McpServerEntry[]; readonly parts: ReadonlyMap<string, string> } | undefined;
  // Every search for a tool by its name comes here.
  const partsOf = (list: readonly McpServerStatus[]): ReadonlyMap<string, string> => {
    if (named?.entries.length !== list.length || list.some(({ entry }, index) => named?.entries[index] !== entry)) {
      const entries = list.map(({ entry }) => entry);
      named = { entries, parts: serverParts(entries) };
    }
    return named.parts;
  };
  return () => {
    const list = servers.list();
    const parts = partsOf(list);
    const deferred =
      options.deferral === 'on' ||
      (options.deferral === 'auto' && list.reduce((sum, { tools }) => sum + sizeOf(tools), 0) > autoChars);
    let changed = false;
    const names = new Set<string>();
    for (const status of list) {
      const { entry, tools } = status;
      names.add(entry.name);
      const part = parts.get(entry.name) ?? entry.name;
      const before = made.get(entry.name);
      if (before?.of === tools && before.part === part && before.entry === entry && before.deferral === deferred)
        continue;
      changed = true;
      made.set(entry.name, {
        of: tools,
        part,
        entry,
        deferral: deferred,
        tools: toolsOf(status, part, deferred, options),
      });
    }
    for (const name of [...made.keys()]) {
      if (names.has(name)) continue;
      changed = true;
      made.delete(name);
    }
    if (changed) all = [...made.values()].flatMap(({ tools }) => tools).sort((a, b) => (a.name < b.name ? -1 : 1));
    return all;
  };
}

function toolsOf(
  { entry, tools }: McpServerStatus,
  part: string,
  deferred: boolean,
  { maxOutputTokens }: ServerToolsOptions,
): AnyTool[] {
  const key = JSON.stringify([entry.name, part, deferred && !entry.alwaysLoad, maxOutputTokens]);
  const known = shared.get(tools);
  if (known?.key === key) return known.tools;
  const names = toolNames(
    part,
    tools.map(({ name }) => name),
  );
  const made = tools.map((tool) =>
    createMcpTool({
      server: entry.name,
      tool,
      name: names.get(tool.name) ?? tool.name,
      deferred: deferred && !entry.alwaysLoad && tool.meta['anthropic/alwaysLoad'] !== true,
      maxOutputTokens,
    }),
  );
  shared.set(tools, { key, tools: made });
  return made;
}
