// The names that the model and permission rules know servers' tools by: `mcp__<server>__<tool>`, each once, at most 64 characters.
import { type McpServerEntry } from '../ports/mcp';
import { isOfProject } from './choose-entries';
import { shortHash } from '../text/short-hash';

const maxName = 64;
const maxServer = 36;

/**
 * One part for each server, in the order of their names; what a project names takes what the user's own have left. Two underscores part server and tool, so none are left within a server's part
 * or at its end: a rule for one server must not cover another.
 */
export function serverParts(servers: readonly Pick<McpServerEntry, 'name' | 'scope'>[]): Map<string, string> {
  const own = new Set(servers.filter((server) => !isOfProject(server)).map(({ name }) => name));
  const names = servers.map(({ name }) => name);
  const plain = (name: string): string => {
    const made = allowed(name).replace(/_{2,}/g, '_').replace(/_$/, '');
    return made.length > maxServer ? withHash(made, name, maxServer) : made === '' ? shortHash(name) : made;
  };
  return unique(
    names,
    plain,
    (name) => withHash(plain(name), name, maxServer),
    (name) => own.has(name),
  );
}

/** By the server's own name of a tool. The same for the same set of tools, in whatever order they are listed. */
export function toolNames(serverPart: string, tools: readonly string[]): Map<string, string> {
  const prefix = `mcp__${serverPart}__`;
  const room = maxName - prefix.length;
  const plain = (tool: string): string =>
    allowed(tool).length > room || tool === '' ? withHash(allowed(tool), tool, room) : allowed(tool);
  const parts = unique(tools, plain, (tool) => withHash(allowed(tool), tool, room));
  return new Map([...parts].map(([tool, part]) => [tool, prefix + part]));
}

/** Whoever has the name unchanged keeps it; others of the same name are distinguished by a hash. */
function unique(
  names: readonly string[],
  plain: (name: string) => string,
  apart: (name: string) => string,
  first: (name: string) => boolean = () => false,
): Map<string, string> {
  const sorted = [...new Set(names)]
    .map((name) => ({ name, part: plain(name), rank: first(name) ? 0 : 1 }))
    .sort(
      (a, b) => a.rank - b.rank || Number(b.part === b.name) - Number(a.part === a.name) || (a.name < b.name ? -1 : 1),
    );
  const taken = new Set<string>();
  const made = new Map<string, string>();
  for (const { name, part } of sorted) {
    const used = taken.has(part) ? apart(name) : part;
    taken.add(used);
    made.set(name, used);
  }
  return made;
}

function allowed(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

function withHash(made: string, name: string, length: number): string {
  const hash = shortHash(name);
  return `${made.slice(0, Math.max(0, length - hash.length - 1)).replace(/_+$/, '')}_${hash}`;
}
