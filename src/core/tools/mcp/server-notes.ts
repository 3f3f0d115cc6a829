// Informs the model about each server: what it says about itself, which of its tools have to be loaded first, and that it is still to come.
import { type ContextNote, type ContextSource } from '../../context/context-source';
import { type McpServers, type McpServerStatus } from '../../ports/mcp';
import { type AnyTool } from '../../tool/tool';
import { shortHash } from '../../text/short-hash';
import { serverParts } from '../../mcp/tool-name';
import { said, type Words, words } from '../../text/words';

/** For one server's tools; the others are found by searching. */
const maxNames = 100;

export function createServerNotes(servers: McpServers, tools: () => readonly AnyTool[]): ContextSource {
  let last: { tools: readonly AnyTool[]; key: string; notes: ContextNote<Words>[] } | undefined;
  // Asked ahead of each request, and seldom different: a thousand tools are grouped and put into words once.
  const notes = async (): Promise<ContextNote<Words>[]> => {
    const list = servers.list();
    const now = tools();
    const key = JSON.stringify(
      list.map(({ entry, state, instructions, resources }) => [entry.name, state.kind, instructions, resources]),
    );
    if (last?.tools !== now || last.key !== key) last = { tools: now, key, notes: notesOf(list, now) };
    return last.notes;
  };
  return {
    present: notes,
    joined: notes,
    narrowed: (own) => ({ present: async () => notesOf(servers.list(), own, true) }),
  };
}

function notesOf(
  list: readonly McpServerStatus[],
  tools: readonly Pick<AnyTool, 'name' | 'deferred'>[],
  narrowed = false,
): ContextNote<Words>[] {
  const byPrefix = groupByPrefix(tools);
  const parts = serverParts(list.map(({ entry }) => entry));
  return list.flatMap(({ entry, state, instructions, resources }): ContextNote<Words>[] => {
    if (state.kind === 'connecting' && !narrowed) return [stillToCome(entry.name)];
    if (state.kind !== 'connected') return [];
    const prefix = `mcp__${parts.get(entry.name)}__`;
    const own = byPrefix.get(prefix) ?? [];
    if (narrowed && own.length === 0) return [];
    const deferred = own.filter((tool) => tool.deferred === true).map(({ name }) => name);
    const sections = [
      deferred.length === 0
        ? undefined
        : words`{{ToolSearch: These of its tools are not loaded yet. Load what you need with the tool search before you call it: ${namesOf(deferred)}.}}`,
      resources === 0
        ? undefined
        : words`{{ListMcpResources|ReadMcpResource: It offers resources: see {{ListMcpResources, ReadMcpResource}}.}}`,
      instructions === undefined ? undefined : `The server's instructions:\n${instructions}`,
    ].filter((section) => section !== undefined);
    if (sections.length === 0) return [];
    const text: Words = (offers) => {
      const parts = sections.map((section) => said(section, offers)).filter((part) => part !== '');
      return parts.length === 0 ? '' : [`# MCP server ${entry.name}`, ...parts].join('\n\n');
    };
    return [{ key: `mcp:${entry.name}:${shortHash(said(text))}`, text }];
  });
}

/** Told once, whatever becomes of it: its tools are told of when they are there, and the tool search says why they are not. */
function stillToCome(name: string): ContextNote {
  return {
    key: `mcp-connecting:${name}`,
    text: `# MCP server ${name}\n\nIt is still connecting. Its tools can be used once it is there; you are told then.`,
  };
}

/** `mcp__server__`: no two underscores stand within the server's part. */
function groupByPrefix(
  tools: readonly Pick<AnyTool, 'name' | 'deferred'>[],
): Map<string, Pick<AnyTool, 'name' | 'deferred'>[]> {
  const groups = new Map<string, Pick<AnyTool, 'name' | 'deferred'>[]>();
  for (const tool of tools) {
    const end = tool.name.startsWith('mcp__') ? tool.name.indexOf('__', 'mcp__'.length) : -1;
    if (end < 0) continue;
    const prefix = tool.name.slice(0, end + 2);
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, [tool]);
    else group.push(tool);
  }
  return groups;
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ');
  return names.length <= maxNames ? shown : `${shown} and ${names.length - maxNames} more; search for them`;
}
