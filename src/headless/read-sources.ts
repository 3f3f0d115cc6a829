// Whose files a run reads (`--setting-sources`): for each kind of content and each of its sources, the name that decides.
import { type MemoryType } from '../core/memory/memory-entry';
import { type McpScope } from '../core/ports/mcp';
import { type SkillFolder } from '../core/skills/skill-folders';
import { type AgentPlace } from '../core/subagents/agent-places';
import { type RuleSource } from '../shared/permission';
import { type SettingSource } from './command-line/run-options';

interface Sources {
  settings: RuleSource;
  memory: MemoryType;
  /** Commands and output styles, too. */
  skills: SkillFolder['source'];
  agents: AgentPlace['source'];
  servers: McpScope;
}

/** `always`: an organization's, or what the command line or a plugin that is switched on brings. */
const owners: { [Kind in keyof Sources]: Readonly<Record<Sources[Kind], SettingSource | 'always'>> } = {
  settings: {
    userSettings: 'user',
    projectSettings: 'project',
    localSettings: 'local',
    managedSettings: 'always',
    commandLine: 'always',
    session: 'always',
  },
  memory: { User: 'user', Auto: 'user', Project: 'project', Local: 'local', Managed: 'always' },
  skills: { personal: 'user', project: 'project', managed: 'always', plugin: 'always', bundled: 'always' },
  agents: { user: 'user', project: 'project', managed: 'always', plugin: 'always' },
  servers: {
    user: 'user',
    project: 'project',
    editor: 'project',
    local: 'local',
    managed: 'always',
    'command-line': 'always',
    plugin: 'always',
  },
};

/** `chosen`: undefined for everybody's. */
export function isRead<Kind extends keyof Sources>(
  kind: Kind,
  source: Sources[Kind],
  chosen: readonly SettingSource[] | undefined,
): boolean {
  const owner = owners[kind][source];
  return chosen === undefined || owner === 'always' || chosen.includes(owner);
}
