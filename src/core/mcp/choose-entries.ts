// Which entry of a name counts: what a project names takes a name from the user's own only once it may run.
import { type McpServerEntry } from '../ports/mcp';
import { type McpStanding } from './standing';

export interface JudgedEntry {
  entry: McpServerEntry;
  standing: McpStanding;
}

/** Takes them with the highest first. `waiting` are those of a project that would come first, once the user lets them run. */
export function chooseEntries(judged: readonly JudgedEntry[]): { chosen: JudgedEntry[]; waiting: JudgedEntry[] } {
  const chosen = new Map<string, JudgedEntry>();
  for (const one of judged) if (!isMereOffer(one) && !chosen.has(one.entry.name)) chosen.set(one.entry.name, one);
  for (const one of judged) if (!chosen.has(one.entry.name)) chosen.set(one.entry.name, one);
  const kept = [...chosen.values()].sort((a, b) => judged.indexOf(a) - judged.indexOf(b));
  const waiting = judged.filter((one) => {
    const winner = chosen.get(one.entry.name);
    return winner !== undefined && !isMereOffer(winner) && judged.indexOf(one) < judged.indexOf(winner);
  });
  return { chosen: kept, waiting };
}

export function isOfProject({ scope }: Pick<McpServerEntry, 'scope'>): boolean {
  return scope === 'project' || scope === 'editor';
}

function isMereOffer({ entry, standing }: JudgedEntry): boolean {
  return isOfProject(entry) && standing.kind !== 'allowed';
}
