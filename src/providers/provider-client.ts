// The ModelClient of the provider that settings and environment choose; each provider's code and SDK are loaded on first use.
import { type ProviderId } from '../core/wire/model-capabilities';
import { keyLifetimeMs } from '../core/model/credential-commands';
import { type ModelClient } from '../core/ports/model';
import { createAnthropicClient } from './anthropic-client';
import { type CloudOptions } from './cloud-options';
import { type EnvironmentCredentials } from './credentials';
import { createFetchedKey } from './fetched-key';
import { withoutSecretHeaders } from './redact';

/** Those that an SDK reaches; a host supplies the others itself. */
export type CloudProvider = Extract<ProviderId, 'anthropic' | 'bedrock' | 'vertex' | 'foundry'>;

export interface ProviderOptions extends Omit<CloudOptions, keyof EnvironmentCredentials>, EnvironmentCredentials {
  provider: CloudProvider;
}

/** Nothing is sent. The first request reports what is missing (a region, a key), as a ModelError. */
export async function createProviderClient({
  provider,
  apiKey,
  authToken,
  baseUrl,
  ...options
}: ProviderOptions): Promise<ModelClient> {
  const inCloud = { ...options, headers: withoutSecretHeaders(options.headers ?? {}) };
  switch (provider) {
    case 'anthropic': {
      const { variables, commands } = options;
      const command = commands?.apiKeyHelper;
      const fetchedKey =
        commands && command
          ? createFetchedKey({
              command,
              run: commands.run,
              lifetimeMs: keyLifetimeMs(variables),
              now: options.now ?? Date.now,
              name: 'apiKeyHelper',
            })
          : undefined;
      return createAnthropicClient({ ...options, apiKey, authToken, baseUrl, fetchedKey });
    }
    // The vendor's keys and addresses do not apply to the clouds, nor do the headers for its gateway.
    case 'bedrock':
      return (await import('./bedrock-client')).createBedrockClient(inCloud);
    case 'vertex':
      return (await import('./vertex-client')).createVertexClient(inCloud);
    case 'foundry':
      return (await import('./foundry-client')).createFoundryClient(inCloud);
  }
}
