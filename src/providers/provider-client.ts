// The ModelClient of the provider that settings and environment choose; each provider's SDK is loaded on first use.
import { DeftError } from '../core/errors';
import { type ProviderId } from '../core/model/capabilities';
import { type ModelClient } from '../core/ports/model';
import { createAnthropicClient } from './anthropic-client';
import { type EnvironmentCredentials } from './credentials';
import { type ClientOptions } from './messages-client';

/** Those that an SDK reaches; a host brings the others itself. */
export type CloudProvider = Extract<ProviderId, 'anthropic' | 'bedrock' | 'vertex' | 'foundry'>;

export interface ProviderOptions extends Omit<ClientOptions, keyof EnvironmentCredentials>, EnvironmentCredentials {
  provider: CloudProvider;
  /** Where each SDK's users keep their credentials. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** Throws a DeftError for a provider that cannot be used. */
export async function createProviderClient({ provider, variables, ...options }: ProviderOptions): Promise<ModelClient> {
  switch (provider) {
    case 'anthropic':
      return createAnthropicClient(options);
    case 'bedrock':
    case 'vertex':
    case 'foundry':
      throw new DeftError('provider-missing', `${provider} ${Object.keys(variables).length}`, { audience: 'person' });
  }
}
