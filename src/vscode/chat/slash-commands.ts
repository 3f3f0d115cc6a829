// What the "/" menu offers: a list of sources, and the order in which what is typed finds their commands.
import { type Skill } from '../../core/skills/skill';
import { type McpServers } from '../../core/ports/mcp';
import { type SlashCommand } from '../../shared/protocol';
import { sourceNames } from './commands/pages';
import { mcpCommands } from '../mcp/mcp-prompts';
import { panelCommands } from './panel-commands';

export interface SlashWindow {
  /** Of MCP servers; undefined where there are none. */
  servers?: () => Promise<Pick<McpServers, 'list'>>;
  skills: () => Promise<{ skills: readonly Skill[] }>;
}

/** One line a source; they are asked anew each time the menu opens. Whoever adds one carries its commands out too. */
const sources: readonly ((window: SlashWindow) => Promise<SlashCommand[]>)[] = [
  async () => panelCommands.map(({ name, description, argumentHint }) => ({ name, description, group: 'Deft', ...(argumentHint === undefined ? {} : { argumentHint }) })),
  async ({ servers }) => (servers === undefined ? [] : mcpCommands(await servers()).map((command) => ({ ...command, group: 'MCP servers' }))),
  async ({ skills }) => (await skills()).skills.flatMap(skillCommand),
];

export async function allSlashCommands(window: SlashWindow): Promise<SlashCommand[]> {
  const all = (await Promise.all(sources.map((source) => source(window)))).flat();
  // The panel carries its own out first: a namesake behind it could never run.
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

const maxShown = 100;

/** Those that what is typed fits, the best first; groups stay together, the one with the best in front. */
export function rankSlashCommands(commands: readonly SlashCommand[], query: string): SlashCommand[] {
  const ranked = commands.map((command, index) => ({ command, index, rank: rankOf(command, query.toLowerCase()) })).filter(({ rank }) => rank < never);
  const best = new Map<string, number>();
  for (const { command, rank } of ranked) best.set(command.group, Math.min(best.get(command.group) ?? never, rank));
  const groups = [...best.keys()];
  return ranked
    .sort((a, b) => (best.get(a.command.group) ?? 0) - (best.get(b.command.group) ?? 0) || groups.indexOf(a.command.group) - groups.indexOf(b.command.group) || a.rank - b.rank || a.index - b.index)
    .slice(0, maxShown)
    .map(({ command }) => command);
}

const never = 9;

function rankOf({ name, description }: SlashCommand, query: string): number {
  const lower = name.toLowerCase();
  if (query === '' || lower === query) return 0;
  if (lower.startsWith(query)) return 1;
  if (lower.split(/[-_:./]/).some((word) => word.startsWith(query))) return 2;
  if (lower.includes(query)) return 3;
  if (isWithin(query, lower)) return 4;
  return query.length > 2 && description.toLowerCase().includes(query) ? 5 : never;
}

/** Its letters come in this order. */
function isWithin(query: string, name: string): boolean {
  let at = 0;
  for (const letter of query) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function skillCommand({ name, description, argumentHint, arguments: names, forPerson, source, body }: Skill): SlashCommand[] {
  if (!forPerson) return [];
  const hint = argumentHint ?? (names.length > 0 ? names.map((one) => `[${one}]`).join(' ') : /\$(ARGUMENTS|\d)/.test(body) ? '[arguments]' : undefined);
  return [{ name, description, group: source === 'bundled' ? 'Deft' : sourceNames[source], ...(hint === undefined ? {} : { argumentHint: hint }) }];
}
