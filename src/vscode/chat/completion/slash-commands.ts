// What the "/" menu offers: a list of sources.
import { defined } from '../../../shared/defined';
import { type Skill } from '../../../core/skills/skill';
import { type McpServers } from '../../../core/ports/mcp';
import { type SlashCommand } from '../../../shared/answers';
import { sourceNames } from '../../host/pages';
import { mcpCommands } from '../../../core/mcp/mcp-prompts';
import { panelCommands } from '../panel/panel-commands';

export interface SlashWindow {
  /** Of MCP servers; undefined where there are none. */
  servers?: () => Promise<Pick<McpServers, 'list'>>;
  skills: () => Promise<{ skills: readonly Skill[] }>;
}

/** One line a source; they are asked anew each time the menu opens. Whoever adds one carries its commands out too. */
const sources: readonly ((window: SlashWindow) => Promise<SlashCommand[]>)[] = [
  async () =>
    panelCommands.map(({ name, description, argumentHint }) => ({
      name,
      description,
      group: 'Deft',
      ...defined({ argumentHint }),
    })),
  async ({ servers }) =>
    servers === undefined ? [] : mcpCommands(await servers()).map((command) => ({ ...command, group: 'MCP servers' })),
  async ({ skills }) => (await skills()).skills.flatMap(skillCommand),
];

export async function allSlashCommands(window: SlashWindow): Promise<SlashCommand[]> {
  const all = (await Promise.all(sources.map((source) => source(window)))).flat();
  const way = panelCommands.filter(({ givesWay }) => givesWay === true).map(({ name }) => name);
  // The panel carries its own out first: a namesake behind it could never run. Some give way to it.
  return all.filter(
    ({ name }, index) =>
      all[way.includes(name) ? 'findLastIndex' : 'findIndex']((other) => other.name === name) === index,
  );
}

function skillCommand({
  name,
  shortName,
  description,
  argumentHint,
  arguments: names,
  forUser,
  source,
  body,
}: Skill): SlashCommand[] {
  if (!forUser) return [];
  const hint =
    argumentHint ??
    (names.length > 0
      ? names.map((one) => `[${one}]`).join(' ')
      : /\$(ARGUMENTS|\d)/.test(body)
        ? '[arguments]'
        : undefined);
  return [
    {
      name,
      ...defined({ shortName }),
      description,
      group: source === 'bundled' ? 'Deft' : sourceNames[source],
      ...defined({ argumentHint: hint }),
    },
  ];
}
