// What the session of a run is given: permission, tools and sandbox, and the styles, skills and agents of its folders.
import { type AgentHost } from '../core/features/subagents/agent-host';
import { createAgentHost } from '../core/features/subagents/create-agent-host';
import { resumedMode } from '../core/calls/permission-state';
import { agentMode } from '../core/subagents/agent-choices';
import { type PermissionMode } from '../shared/permission';
import { hiddenNow } from '../core/permissions/files/hidden-paths';
import { canonicalToolName } from '../core/permissions/rules/rule-syntax';
import { bashCalls } from '../core/permissions/rules/tool-rules';
import { type PermissionContext } from '../core/permissions/rules/verdict';
import { ownPlans } from '../core/plan/plan-file';
import { openSandbox, type OpenSandbox, requiredSandbox, sandboxLimits } from '../core/sandbox/tool-sandbox';
import { pluginOnly } from '../core/settings/plugin-only';
import { managedFolderOf } from '../core/settings/settings-places';
import { createSkillCatalogue, type SkillCatalogue } from '../core/skills/skill-catalogue';
import { skillFolders } from '../core/skills/skill-folders';
import { createOutputStyles, type OutputStyles } from '../core/styles/find-styles';
import { usablePlaces } from '../core/subagents/agent-places';
import { type AgentDefinition, readAgentsJson } from '../core/subagents/agent-definition';
import { namesTool, resolveAgentTools } from '../core/subagents/tool-filter';
import { tracksBy } from '../core/tasks/task-lists';
import { DeftError } from '../core/text/errors';
import { teamsOn } from '../core/text/teams-on';
import { availabilityOf } from '../core/tool/availability';
import { type AnyTool } from '../core/tool/tool';
import { getTools, withCommandLimits } from '../core/tools/registry';
import { withTeams } from '../core/tools/teams/team-tools';
import { findAgentPlaces } from '../node/agent-places';
import { portPath } from '../node/files/port-path';
import { personalFolder } from '../node/settings-files';
import { type RunBasis, type RunLog } from './run-basis';
import { type RunConnections } from './run-connections';
import { isRead } from './read-sources';
import { agentServers } from './run-mcp';
import { type RunPorts } from './run-ports';

export interface RunContents {
  permission: () => RunPermission;
  sandbox: OpenSandbox | undefined;
  tools: readonly AnyTool[];
  styles: OutputStyles;
  skills: SkillCatalogue;
  agentHost: AgentHost;
  /** The conversation is this agent's. */
  agent: AgentDefinition | undefined;
  /** The permission mode that it begins in. */
  mode: PermissionMode;
}

type RunPermission = Omit<PermissionContext, 'mode' | 'cwd'>;
type IsHidden = (path: string) => boolean;

export async function findContents(basis: RunBasis, log: RunLog, connections: RunConnections): Promise<RunContents> {
  const { ports } = connections;
  const permission = permissionOf(basis, log, ports);
  const isHidden = hiddenNow(() => ({ ...permission(), mode: 'default', cwd: basis.where.cwd }));
  const { styles, skills } = await stylesAndSkills(basis, ports, isHidden);
  const agentHost = await agentsOf(basis, log, connections, isHidden);
  const agent = await mainAgent(basis, agentHost);
  const mode = modeOf(basis, log, agent);
  const { sandbox, tools } = await toolsOf(basis, connections, { mode, agent });
  return { permission, sandbox, tools: toolsFor(agent, tools), styles, skills, agentHost, agent, mode };
}

/** An agent's own file never asks less than the run does. */
function modeOf(
  { options, settings }: RunBasis,
  { opened }: RunLog,
  agent: AgentDefinition | undefined,
): PermissionMode {
  const chosen = options.permissions.mode ?? resumedMode(opened.records) ?? settings.defaultMode ?? 'default';
  return agent === undefined ? chosen : agentMode(agent, chosen);
}

async function toolsOf(
  { options, settings, variables, environment, limits }: RunBasis,
  { ports, interactive }: RunConnections,
  { mode, agent }: Pick<RunContents, 'mode' | 'agent'>,
): Promise<Pick<RunContents, 'sandbox' | 'tools'>> {
  const names = (tool: string): boolean =>
    settings.rules.some(({ behavior, value }) => behavior === 'allow' && canonicalToolName(value.toolName) === tool) ||
    namesTool([...(options.tools ?? []), ...(agent?.tools ?? [])], tool);
  const availability = availabilityOf(ports, {
    interactive,
    platform: process.platform,
    names,
    tracks: tracksBy(() => environment, names),
    teams: () => teamsOn(environment),
    startsInPlan: () => mode === 'plan',
  });
  const sandbox = await openSandbox(ports.sandbox, settings.values.sandbox);
  const missing = requiredSandbox(sandbox, settings.sandboxRequiredBy);
  if (missing !== undefined) throw new DeftError('sandbox-missing', missing, { audience: 'user' });
  const chosen = options.tools && new Set(options.tools.map(canonicalToolName));
  // Some can say yes or no, and nothing more.
  const cannotAsk = (name: string): boolean => name === 'AskUserQuestion' && ports.questioner === undefined;
  // There is no editor here: what these do is run commands.
  const runsBash = (name: string): boolean => bashCalls.has(name) && settings.isDenied('Bash');
  const isDenied = (name: string): boolean =>
    settings.isDenied(name) || runsBash(name) || chosen?.has(name) === false || cannotAsk(name);
  const tools = withCommandLimits(
    withTeams(getTools({ isDenied, simple: variables.simple, availability }), teamsOn(environment)),
    {
      ...limits,
      withoutBackground: variables.withoutBackground,
      gitInstructions: settings.values.includeGitInstructions !== false,
      ...sandboxLimits(sandbox),
    },
  );
  return { sandbox, tools };
}

function permissionOf(
  { settings, where, home }: RunBasis,
  { store, opened }: RunLog,
  { terminal }: RunPorts,
): () => RunPermission {
  const results = [opened.log.id, opened.source].flatMap((id) =>
    id === undefined ? [] : [store.resultsDirectory(id)],
  );
  const own = [...results, opened.log.path, ownPlans(portPath(home))];
  return () => ({
    rules: settings.rules,
    folders: where.folders,
    ownFolders: [...own, ...terminal.outputDirectories()],
    home: portPath(home),
    ignoreCase: process.platform === 'darwin' || process.platform === 'win32',
    // The user started the run here; what the project's own files allow is left out of the rules.
    trusted: true,
    brokenSettings: settings.broken,
    autoDisabled: settings.values.disableAutoMode === 'disable',
    managedRulesOnly: settings.managedRulesOnly,
  });
}

async function stylesAndSkills(
  { options, host, home, repository, where, settings, plugins, style }: RunBasis,
  { files }: RunPorts,
  isHidden: IsHidden,
): Promise<Pick<RunContents, 'styles' | 'skills'>> {
  const checkout = (await repository)?.root;
  const sources = options.settingSources;
  const claudeFolders = skillFolders({
    managedFolder: portPath(managedFolderOf(process.platform)),
    personalFolder: portPath(personalFolder(host.environment, home)),
    projects: where.folders.map((folder) => ({
      folder,
      ...(checkout !== undefined && folder === where.cwd ? { checkout: portPath(checkout) } : {}),
    })),
  }).filter(({ source }) => isRead('skills', source, sources));
  const styles = createOutputStyles({
    files,
    folders: async () => claudeFolders,
    plugins: async () => plugins.styles,
    trusted: () => options.trustProject,
    isHidden,
    chosen: () => style.chosen ?? settings.values.outputStyle,
  });
  const skills = createSkillCatalogue({
    files,
    folders: () => claudeFolders,
    plugins: async () => plugins.skills,
    // Nor those of folders further down, which count once a file there is touched.
    workspace: () => (isRead('skills', 'project', sources) ? where.folders : []),
    // The user started the run here. What a project's skills would allow does not count: nobody can be asked.
    trusted: () => true,
    isHidden,
    pluginOnly: () => pluginOnly(settings.values, 'skills'),
    withoutBundled: () => settings.values.disableBundledSkills === true,
    overrides: () => settings.values.skillOverrides,
  });
  return { styles, skills: options.skills === undefined ? skills : onlySkills(skills, options.skills) };
}

/** `--agent`, else the setting `agent`. */
async function mainAgent(
  { options, host, settings }: RunBasis,
  agentHost: AgentHost,
): Promise<AgentDefinition | undefined> {
  const named = options.agent ?? settings.values.agent;
  if (named === undefined) return undefined;
  const { agents } = await agentHost.list();
  const agent = agents.find(({ name }) => name === named);
  if (agent === undefined)
    throw new DeftError(
      'agent-unknown',
      `${options.agent === undefined ? 'The setting `agent`' : '--agent'}: there is no agent ${named}. There are: ${agents.map(({ name }) => name).join(', ')}.`,
      { audience: 'user' },
    );
  const without = (['hooks', 'mcpServers', 'memory', 'skills'] as const).filter((field) => agent[field] !== undefined);
  if (without.length > 0)
    host.warn(
      `The agent ${agent.name} runs as the conversation itself, without what its file says about ${without.join(', ')}.`,
    );
  return agent;
}

function toolsFor(agent: AgentDefinition | undefined, tools: readonly AnyTool[]): readonly AnyTool[] {
  if (agent === undefined) return tools;
  const resolved = resolveAgentTools(tools, agent);
  if ('error' in resolved) throw new DeftError('agent-tools', resolved.error, { audience: 'user' });
  return resolved.tools;
}

/** By the whole name, or by what follows the name of its plugin. */
function onlySkills(catalogue: SkillCatalogue, names: readonly string[]): SkillCatalogue {
  return {
    ...catalogue,
    async list() {
      const found = await catalogue.list();
      const isChosen = (name: string): boolean => names.some((one) => name === one || name.endsWith(`:${one}`));
      return { ...found, skills: found.skills.filter(({ name }) => isChosen(name)) };
    },
  };
}

async function agentsOf(
  { options, host, cwd, home, where, environment, variables, settings, plugins, model }: RunBasis,
  { store, opened }: RunLog,
  { ports, mcpOptions }: RunConnections,
  isHidden: IsHidden,
): Promise<AgentHost> {
  const places = (await findAgentPlaces({ folders: [cwd], environment: host.environment, home })).filter(({ source }) =>
    isRead('agents', source, options.settingSources),
  );
  const given = options.agents === undefined ? undefined : readAgentsJson(options.agents);
  for (const problem of given?.problems ?? []) host.warn(problem);
  return createAgentHost({
    files: ports.files,
    // The user started the run here.
    places: () => ({
      places: usablePlaces([...places, ...plugins.agents], pluginOnly(settings.values, 'agents')),
      trusted: true,
    }),
    given: given?.agents,
    isHidden,
    secrets: () => model.secrets,
    logs: () => store.agentLogs(opened.log.id),
    environment: () => environment,
    memoryPlaces: { personalFolder: portPath(personalFolder(host.environment, home)), project: () => where.cwd },
    ...(variables.simple ? {} : { startServers: agentServers(mcpOptions) }),
  });
}
