// The answer to `initialize`, and what of it a run takes.
import { refusedModel } from '../../core/model/available-models';
import { chooseProvider } from '../../core/model/provider-choice';
import { knownModelIds, modelLabel } from '../../core/model/models';
import { type AgentDefinition } from '../../core/subagents/agent-definition';
import { defined } from '../../shared/defined';
import { type ControlRequest } from './control-messages';
import { openingFields } from './initialize-options';
import { protocolVersion } from './public-words';

export interface InitializeTarget {
  /** `availableModels` of the settings files. */
  available: readonly string[] | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  commands: readonly { name: string; description: string; argumentHint: string }[];
  agents: readonly Pick<AgentDefinition, 'name' | 'description' | 'model'>[];
  outputStyle: string;
  /** Where the key is from. */
  keySource: string;
  styles: readonly string[];
  /** `initialize` came ahead of everything else: the session was opened as it says. */
  initialized: boolean;
  /** Hooks of the program, from now on; a sentence where they cannot be used. */
  register(hooks: unknown): string | undefined;
  warn(message: string): void;
}

/** In the words of the public SDK. */
const apiProviders = {
  anthropic: 'firstParty',
  bedrock: 'bedrock',
  vertex: 'vertex',
  foundry: 'foundry',
  vscode: undefined,
} as const;

/** What a run takes, and what asks for nothing. */
const heeded = new Set<string>([
  ...openingFields,
  'subtype',
  'hooks',
  'promptSuggestions',
  'agentProgressSummaries',
  'supportedDialogKinds',
  'perTaskStopAffordance',
  'forwardSubagentText',
  'systemPromptSnapshot',
  'excludeDynamicSections',
  // A shortcut for the handshake with servers inside the program: the handshake itself is done in its place.
  'sdkMcpServerManifests',
  'sdkMcpServerManifestsOrigin',
]);

export function answerInitialize(
  { fields }: ControlRequest,
  target: InitializeTarget,
): Record<string, unknown> | string {
  const late = target.initialized ? [] : openingFields.filter((name) => !isEmpty(fields[name]));
  if (late.length > 0)
    return `initialize came too late for ${late.join(', ')}: send it as the first line, before the session is opened.`;
  const refused = target.register(fields['hooks']);
  if (refused !== undefined) return refused;
  const passedOver = Object.keys(fields).filter((name) => !heeded.has(name) && !isEmpty(fields[name]));
  if (passedOver.length > 0)
    target.warn(
      `initialize contains options that this runner does not support: ${passedOver.join(', ')}. The run continues without them; docs/headless.md lists what is supported.`,
    );
  const { available, environment } = target;
  const models = knownModelIds.filter((model) => refusedModel(model, available, environment) === undefined);
  return {
    commands: target.commands,
    agents: target.agents.map(({ name, description, model }) => ({ name, description, ...defined({ model }) })),
    output_style: target.outputStyle,
    available_output_styles: target.styles,
    models: models.map((model) => ({ value: model, displayName: modelLabel(model), description: '' })),
    // Nobody is signed in: the key or the cloud is all that there is to say.
    account: { apiKeySource: target.keySource, apiProvider: apiProviders[chooseProvider('auto', environment)] },
    hooks_applied: true,
    hook_on_failure_supported: true,
    ...(isEmpty(fields['plugins']) ? {} : { plugins_applied: true }),
    ...(isEmpty(fields['mcpServers']) ? {} : { mcp_servers_applied: true }),
    claude_code_version: protocolVersion,
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
