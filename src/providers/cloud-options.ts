// What the clients of Bedrock, Vertex AI and Foundry are given.
import { ModelError } from '../core/text/errors';
import { type CredentialCommands } from '../core/model/credential-commands';
import { type ModelOverrides } from '../core/model/provider-models';
import { type ClientOptions } from './messages-client';

export interface CloudOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The process's environment with what settings add: addresses and credentials as each SDK's users have them. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Commands of the user's settings. */
  commands?: CredentialCommands | undefined;
  /** `modelOverrides` of settings. */
  modelOverrides?: ModelOverrides | undefined;
  /** Foundry: a token of the user's Microsoft account for the scope that it is given, new where the old one ends. Throws what a user can read. */
  azureADTokenProvider?: ((scope: string) => Promise<string>) | undefined;
}

/** Throws where nothing could ever be sent there: "localhost:11434" has a scheme of its own, as addresses go. */
export function checkAddress(baseUrl: string): void {
  if (/^https?:\/\/[^/?#]/i.test(baseUrl) && URL.canParse(baseUrl)) return;
  const shown = baseUrl.replace(/^.*@/, '');
  const missing = /^https?:\/\//i.test(baseUrl) ? '' : ' It begins with http:// or https://.';
  throw new ModelError(
    `"${shown}" is not an address of a model API.${missing || ' Check it for typos.'}`,
    { kind: 'network', missing: 'address' },
    { retryable: false },
  );
}

export function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host || baseUrl;
  } catch {
    return baseUrl;
  }
}
