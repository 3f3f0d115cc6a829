// The model of a run: the scripted demo, or that of the provider which the environment chooses, with its credentials.
import { defined } from '../shared/defined';
import { credentialValues } from '../core/text/credentials';
import { type Secrets } from '../core/text/redact';
import { secretVariables } from '../core/text/secret-variables';
import { DeftError } from '../core/text/errors';
import { createDemoModel } from '../core/model/demo/demo-model';
import { type ModelClient } from '../core/ports/model';
import { clientVariables, type RequestVariables } from '../core/settings/request-variables';
import { type CredentialSettings } from '../core/model/credential-commands';
import { chooseProvider } from '../core/model/provider-choice';
import { type ModelOverrides } from '../core/model/provider-models';
import { createCredentialCommand } from '../node/terminal/credential-command';
import { credentialsFromEnvironment, type EnvironmentCredentials } from '../providers/credentials';
import { missingVariable } from '../providers/missing-variable';
import { type CloudProvider, createProviderClient } from '../providers/provider-client';

export interface ModelSource {
  client: ModelClient;
  /** As the init message names it. */
  keySource: string;
  /** Values that no log and no tool result may hold. */
  readonly secrets: Secrets;
}

export interface ModelSourceOptions {
  demo: boolean;
  /** Beta features that every request asks for too. */
  betas?: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  variables: Pick<RequestVariables, 'timeoutMs' | 'extraBody' | 'withoutBetas' | 'toolSearch'>;
  /** Of the user and their organisation. */
  settings?: CredentialSettings & { modelOverrides?: ModelOverrides; visibleVariables?: string[] };
}

/** Throws a DeftError where what the provider needs is missing. */
export async function createModelSource({
  demo,
  betas = [],
  environment,
  variables,
  settings = {},
}: ModelSourceOptions): Promise<ModelSource> {
  const given = [...credentialValues(environment), ...secretVariables(environment, settings.visibleVariables)];
  if (demo) return { client: createDemoModel(), keySource: 'none', secrets: given };
  const credentials = credentialsFromEnvironment(environment);
  const provider = chooseProvider('auto', environment);
  if (provider === 'vscode')
    throw new DeftError('model-provider', 'The models of VS Code can be used in VS Code only.', { audience: 'user' });
  const missing =
    provider === 'anthropic' ? missingKey(credentials, settings) : await missingVariable(provider, environment);
  if (missing !== undefined) throw new DeftError('model-authentication', missing, { audience: 'user' });
  const commands = { ...settings, run: createCredentialCommand({ environment: () => ({ ...environment }) }) };
  const client = await createProviderClient({
    ...credentials,
    betas: [...(credentials.betas ?? []), ...betas],
    ...clientVariables(variables),
    ...(await throughProxy(environment)),
    provider,
    variables: environment,
    commands,
    modelOverrides: settings.modelOverrides,
  });
  return {
    client,
    keySource: keySource(provider, environment, settings),
    get secrets() {
      return [...new Set([...given, ...(client.secrets?.() ?? [])])];
    },
  };
}

const noKey =
  'No API key is set. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), name a command that prints it as apiKeyHelper in ~/.claude/settings.json, a server of your own in ANTHROPIC_BASE_URL, ' +
  'or a cloud with CLAUDE_CODE_USE_BEDROCK, CLAUDE_CODE_USE_VERTEX or CLAUDE_CODE_USE_FOUNDRY. Or start with --demo.';

function missingKey(
  { apiKey, authToken, baseUrl, headers }: EnvironmentCredentials,
  { apiKeyHelper }: CredentialSettings,
): string | undefined {
  if ([apiKey, authToken, baseUrl, headers, apiKeyHelper].some((given) => given !== undefined)) return undefined;
  return noKey;
}

/** Where each provider's credentials come from, by the variables in the order in which they count. */
const sources: Readonly<Record<CloudProvider, { variables: readonly string[]; otherwise: string }>> = {
  anthropic: { variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'], otherwise: 'none' },
  bedrock: {
    variables: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_PROFILE'],
    otherwise: 'AWS credentials',
  },
  vertex: { variables: ['GOOGLE_APPLICATION_CREDENTIALS'], otherwise: 'Google credentials' },
  foundry: { variables: ['ANTHROPIC_FOUNDRY_API_KEY'], otherwise: 'Microsoft Entra ID' },
};

function keySource(
  provider: CloudProvider,
  environment: ModelSourceOptions['environment'],
  settings: CredentialSettings,
): string {
  if (provider === 'bedrock' && settings.awsCredentialExport !== undefined && !environment['AWS_BEARER_TOKEN_BEDROCK'])
    return 'awsCredentialExport';
  const { variables, otherwise } = sources[provider];
  const found = variables.find((name) => (environment[name]?.trim() ?? '') !== '');
  return found ?? (provider === 'anthropic' && settings.apiKeyHelper !== undefined ? 'apiKeyHelper' : otherwise);
}

/** Loaded only where a proxy is named. */
async function throughProxy(environment: ModelSourceOptions['environment']): Promise<{ fetch?: typeof fetch }> {
  if (!Object.entries(environment).some(([name, value]) => /^https?_proxy$/i.test(name) && (value ?? '').trim() !== ''))
    return {};
  const { fetchThroughProxy } = await import('../node/web/proxied-fetch');
  const through = fetchThroughProxy(environment, fetch);
  return defined({ fetch: through });
}
