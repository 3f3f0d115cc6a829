// The order of the "/" menu: how well each command fits what is typed.
import { type SlashCommand } from '../../../shared/answers';

const maxShown = 100;

/** Those that what is typed fits, the best first; groups stay together, the one with the best in front. */
export function rankSlashCommands(commands: readonly SlashCommand[], query: string): SlashCommand[] {
  const ranked = commands
    .map((command) => ({ command, rank: rankOf(command, query.toLowerCase()) }))
    .filter(({ rank }) => rank < never);
  const best = new Map<string, number>();
  for (const { command, rank } of ranked) best.set(command.group, Math.min(best.get(command.group) ?? never, rank));
  const groups = [...best.keys()];
  return ranked
    .sort(
      (a, b) =>
        (best.get(a.command.group) ?? 0) - (best.get(b.command.group) ?? 0) ||
        groups.indexOf(a.command.group) - groups.indexOf(b.command.group) ||
        a.rank - b.rank ||
        a.command.name.localeCompare(b.command.name, 'en'),
    )
    .slice(0, maxShown)
    .map(({ command }) => command);
}

const never = 9;

function rankOf({ name, shortName, description }: SlashCommand, query: string): number {
  return Math.min(
    rankOfName(name, description, query),
    shortName === undefined ? never : rankOfName(shortName, description, query),
  );
}

function rankOfName(name: string, description: string, query: string): number {
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
