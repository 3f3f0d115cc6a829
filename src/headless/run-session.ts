// The session of a run: what the command line, settings files and variables say of it, and its features.
import { defined } from '../shared/defined';
import { createGitSource } from '../core/context/git-source';
import { type Emit } from '../core/events/session-event';
import { type AgentSession } from '../core/feature/agent-session';
import { type FeatureFactory } from '../core/feature/session-feature';
import { type PermissionSettings, type SessionSettings } from '../core/feature/session-settings';
import { featureCommands } from '../core/features/shown-features';
import {
  structuredOutputFeature,
  type StructuredOutputOptions,
} from '../core/features/structured-output/structured-output-feature';
import { standardFeatures } from '../core/features/standard-features';
import { type AgentHost } from '../core/features/subagents/agent-host';
import { type JudgedHooks } from '../core/hooks/hook-settings';
import { mayUse } from '../core/model/available-models';
import { smallModelOf } from '../core/model/models';
import { type OpenSandbox } from '../core/sandbox/tool-sandbox';
import { thinkingChoices } from '../core/session/chosen-effort';
import reminderNote from '../core/session/reminder-note.md';
import { openSession } from '../core/session/open-session';
import { settingsOfFiles } from '../core/session/settings-of-files';
import { fallbackWithin } from '../core/settings/fallback-models';
import { type RequestVariables } from '../core/settings/request-variables';
import { type SkillCatalogue } from '../core/skills/skill-catalogue';
import { type OutputStyles } from '../core/styles/find-styles';
import { conversationModel } from '../core/subagents/agent-choices';
import { type AgentDefinition } from '../core/subagents/agent-definition';
import { createStyleSource } from '../core/styles/style-source';
import { type Environment } from '../core/text/environment-reminder';
import { type AnyTool } from '../core/tool/tool';
import { createToolRegistry } from '../core/tools/registry';
import { type PermissionMode } from '../shared/permission';
import { portPath } from '../node/files/port-path';
import { type RunOptions } from './command-line/run-options';
import { chooseModel } from './model-name';
import { type OpenedSession } from './open-session';
import { type SystemPromptTexts } from './run-basis';
import { createRunMemory } from './run-memory';
import { type RunPorts } from './run-ports';
import { type RunSettings } from './run-settings';
import { type Secrets } from '../core/text/redact';

/** All that was read and opened for the run, in four groups. */
export interface RunSessionParts {
  given: {
    options: RunOptions;
    variables: RequestVariables;
    settings: RunSettings;
    systemPrompt: SystemPromptTexts;
    thinking: { readonly limit: number | undefined };
    answer: StructuredOutputOptions | undefined;
  };
  program: {
    /** With that of the settings. */
    environment: NodeJS.ProcessEnv;
    /** As the program was started. */
    startEnvironment: NodeJS.ProcessEnv;
    version: string;
    warn: (message: string) => void;
  };
  place: { cwd: string; home: string; where: Environment; resultsDirectory: string };
  opened: OpenedSession;
  ports: RunPorts;
  tools: readonly AnyTool[];
  sandbox: OpenSandbox | undefined;
  secrets: () => Secrets;
  emit: Emit;
  permission: PermissionSettings['current'];
  styles: OutputStyles;
  skills: SkillCatalogue;
  agentHost: AgentHost;
  /** The conversation is this agent's. */
  agent: AgentDefinition | undefined;
  mode: PermissionMode;
  /** The current ones: the program may register more. */
  hooks: () => JudgedHooks;
}

export function openRunSession(parts: RunSessionParts): AgentSession {
  return openSession(parts.ports, settingsOf(parts), featuresOf(parts));
}

/** In place of Deft's: an empty text is none at all. What is said about reminders stays true. */
function ownPrompt({ whole }: SystemPromptTexts, agent: AgentDefinition | undefined): string | undefined {
  const own = whole || agent?.prompt;
  if (own === undefined && whole === undefined) return undefined;
  return [own, reminderNote.trim()].filter((text) => text !== undefined && text !== '').join('\n\n');
}

function settingsOf(parts: RunSessionParts): SessionSettings {
  const { opened, ports, tools, sandbox, permission, emit, secrets } = parts;
  const { options, settings, variables, systemPrompt, thinking } = parts.given;
  const { environment, version } = parts.program;
  const { where, home, resultsDirectory } = parts.place;
  const fromFiles = settingsOfFiles(() => settings.values, variables, systemPrompt.appended);
  return {
    ...fromFiles,
    registry: createToolRegistry(tools),
    ...{ log: opened.log, records: opened.records, emit, version },
    secrets,
    place: { environment: where, home: portPath(home), resultsDirectory },
    choices: {
      model: chooseModel({
        option: options.model ?? conversationModel(parts.agent),
        demo: options.demo,
        records: opened.records,
        settings: settings.values.model,
        available: settings.values.availableModels,
        environment,
      }),
      smallModel: smallModelOf(environment),
      mayUse: (model) => options.demo || mayUse(model, settings.values.availableModels, environment),
      ...defined({
        effort: options.effort ?? parts.agent?.effort ?? settings.values.effortLevel,
        fast: options.fast ?? settings.values.fastMode,
        thinking: options.thinking.on ?? thinkingChoices(settings.values).thinking,
      }),
    },
    permission: {
      mode: parts.mode,
      current: permission,
      autoRules: () => settings.values.autoMode,
    },
    requests: {
      ...fromFiles.requests,
      ...defined({ systemPrompt: ownPrompt(systemPrompt, parts.agent) }),
      get maxThinkingTokens() {
        return thinking.limit;
      },
      cacheLifetime: () => (variables.withoutCaching ? 'off' : '5m'),
    },
    turns: { ...fromFiles.turns, ...defined({ maxTurns: options.limits.turns ?? parts.agent?.maxTurns }) },
    tools: {
      ...fromFiles.tools,
      ...defined({ sandbox }),
      // The end of such a call could wake nobody here: the run waits for it, unless a variable says otherwise.
      mcpBackgroundMs: variables.mcpBackgroundMs ?? 0,
    },
    checkpoints:
      settings.values.fileCheckpointingEnabled === false
        ? undefined
        : ports.checkpoints.open({ id: opened.log.id, resultsDirectory, folders: where.folders }),
  };
}

function featuresOf(parts: RunSessionParts): FeatureFactory[] {
  const { opened, ports, permission, styles, skills, agentHost, hooks, secrets } = parts;
  const { options, settings } = parts.given;
  const { budget } = options.limits;
  const { environment, startEnvironment, warn } = parts.program;
  const { cwd, home } = parts.place;
  const features = standardFeatures({
    sources: [
      createRunMemory({
        files: ports.files,
        settings,
        cwd,
        home,
        environment: startEnvironment,
        permission,
        secrets,
        sources: options.settingSources,
        warn,
      }),
      createStyleSource(styles.current, opened.records),
      ...(settings.values.includeGitInstructions === false || ports.git === undefined
        ? []
        : [createGitSource(ports.git.state(portPath(cwd)), secrets)]),
    ],
    hooks,
    setup: options.setup?.trigger,
    startSource: opened.cleared === true ? 'clear' : opened.source === undefined ? undefined : 'fork',
    skills: options.withoutCommands
      ? undefined
      : {
          ...(options.trustProject ? { agreed: () => true } : {}),
          catalogue: skills,
          shellDisabled: () => settings.values.disableSkillShellExecution === true,
          otherNames: () => ['compact', ...featureCommands.map(({ name }) => name)],
          variables: () => environment,
        },
    maxRepeats: options.limits.repeats,
    budget:
      budget === undefined
        ? undefined
        : { limit: () => budget, counts: 'run', ...defined({ spentBefore: opened.spentBefore }) },
    // A flag is the user's word for refusals too: nobody can be asked later.
    fallback: () =>
      fallbackWithin(
        options.fallbackModels ?? settings.values.fallbackModel,
        settings.values.availableModels,
        environment,
        options.fallbackModels !== undefined,
      ),
    agents: agentHost,
  });
  const { answer } = parts.given;
  return answer === undefined ? features : [...features, structuredOutputFeature(answer)];
}
