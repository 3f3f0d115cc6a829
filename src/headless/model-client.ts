// The model of a run: the scripted demo, or the Messages API with the environment's credentials.
import { credentialValues } from '../core/credentials';
import { DeftError } from '../core/errors';
import { createDemoModel } from '../core/model/demo/demo-model';
import { type ModelClient } from '../core/ports/model';
import { clientVariables, type RequestVariables } from '../core/settings/request-variables';
import { chooseProvider } from '../core/model/provider-choice';
import { credentialsFromEnvironment } from '../providers/credentials';
import { createProviderClient } from '../providers/provider-client';

export interface ModelSource {
  client: ModelClient;
  /** As the init message names it. */
  keySource: string;
  /** Values that no log and no tool result may hold. */
  secrets: string[];
}

export interface ModelSourceOptions {
  demo: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  variables: Pick<RequestVariables, 'timeoutMs' | 'extraBody' | 'withoutBetas' | 'toolSearch'>;
}

/** Throws a DeftError where there is neither a credential nor an address. */
export async function createModelSource({ demo, environment, variables }: ModelSourceOptions): Promise<ModelSource> {
  if (demo) return { client: createDemoModel(), keySource: 'none', secrets: credentialValues(environment) };
  const credentials = credentialsFromEnvironment(environment);
  const { apiKey, authToken, baseUrl, headers } = credentials;
  const provider = chooseProvider('auto', environment);
  if (provider === 'vscode') throw new DeftError('model-provider', 'The models of VS Code can be used in VS Code only.', { audience: 'person' });
  if (provider === 'anthropic' && apiKey === undefined && authToken === undefined && baseUrl === undefined && headers === undefined) {
    const message = 'No API key is set. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or start with --demo.';
    throw new DeftError('model-authentication', message, { audience: 'person' });
  }
  return {
    client: await createProviderClient({ ...credentials, ...clientVariables(variables), ...(await throughProxy(environment)), provider, variables: environment }),
    keySource: apiKey !== undefined ? 'ANTHROPIC_API_KEY' : authToken !== undefined ? 'ANTHROPIC_AUTH_TOKEN' : 'none',
    secrets: credentialValues(environment),
  };
}

/** Loaded only where a proxy is named. */
async function throughProxy(environment: ModelSourceOptions['environment']): Promise<{ fetch?: typeof fetch }> {
  if (!Object.entries(environment).some(([name, value]) => /^https?_proxy$/i.test(name) && (value ?? '').trim() !== '')) return {};
  const { fetchThroughProxy } = await import('../node/proxied-fetch');
  const through = fetchThroughProxy(environment, fetch);
  return through === undefined ? {} : { fetch: through };
}
