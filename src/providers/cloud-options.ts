// What the clients of Bedrock, Vertex AI and Foundry are given.
import { type CredentialCommands } from '../core/model/credential-commands';
import { type ModelOverrides } from '../core/model/provider-models';
import { type ClientOptions } from './messages-client';

export interface CloudOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The process's environment with what settings add: addresses and credentials as each SDK's users have them. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Commands of the person's settings. */
  commands?: CredentialCommands | undefined;
  /** `modelOverrides` of settings. */
  modelOverrides?: ModelOverrides | undefined;
  /** Foundry: a token of the person's Microsoft account for the scope that it is given, new where the old one ends. Throws what a person can read. */
  azureADTokenProvider?: ((scope: string) => Promise<string>) | undefined;
}

export function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return baseUrl;
  }
}
