// What requests are authorised with: stored keys, the environment, and the commands that settings files name. Read anew for every request.
import { type CredentialCommands, type CredentialSettings } from '../../core/model/credential-commands';
import { type ModelOverrides } from '../../core/model/provider-models';
import { chooseProvider } from '../../core/model/provider-choice';
import { clientVariables, requestVariables } from '../../core/settings/request-variables';
import { type ProviderId } from '../../core/wire/model-capabilities';
import { type Variables } from '../../core/text/secret-variables';
import { credentialsFromEnvironment } from '../../providers/credentials';
import { readConfiguration } from '../host/configuration';
import { type StoredKeys } from './stored-keys';

const foundryKeyVariable = 'ANTHROPIC_FOUNDRY_API_KEY';

/** What settings files say of models and credentials. */
export interface SettingsEnvironment {
  /** Resolves once the files were read. */
  read(): Promise<void>;
  /** The process's environment with what the files add to it. */
  variables(): Readonly<Record<string, string | undefined>>;
  /** Of the user and their organisation. */
  values(): CredentialSettings & {
    modelOverrides?: ModelOverrides | undefined;
    visibleVariables?: readonly string[] | undefined;
  };
  /** What commands get, as far as it is known: the login shell may add credentials. */
  commandVariables?(): Variables | undefined;
  /** Why no model may be asked, as sentences. */
  refusal(): string | undefined;
}

type Credentials = Awaited<ReturnType<ProviderCredentials['read']>>;

export class ProviderCredentials {
  readonly #settings: SettingsEnvironment;
  readonly #keys: StoredKeys;

  constructor(settings: SettingsEnvironment, keys: StoredKeys) {
    this.#settings = settings;
    this.#keys = keys;
  }

  get provider(): ReturnType<typeof chooseProvider> {
    return chooseProvider(readConfiguration().provider, this.#settings.variables());
  }

  async read() {
    await this.#settings.read();
    const variables = this.#settings.variables();
    const environment = credentialsFromEnvironment(variables);
    const baseUrl = readConfiguration().baseUrl || environment.baseUrl;
    const apiKey = (await this.#keys.at(baseUrl)) ?? environment.apiKey;
    return {
      ...environment,
      apiKey,
      baseUrl,
      features: readConfiguration().apiFeatures,
      ...clientVariables(requestVariables(variables).variables),
    };
  }

  /** Whether the vendor's API or an address of the user's own can be asked with them. */
  suffice({ apiKey, authToken, baseUrl }: Credentials): boolean {
    return (
      apiKey !== undefined ||
      authToken !== undefined ||
      baseUrl !== undefined ||
      this.#settings.values().apiKeyHelper !== undefined
    );
  }

  async commands(): Promise<CredentialCommands | undefined> {
    const { apiKeyHelper, awsAuthRefresh, awsCredentialExport, gcpAuthRefresh } = this.#settings.values();
    if (this.provider === 'anthropic' && apiKeyHelper === undefined) return undefined;
    const { createCredentialCommand } = await import('../../node/terminal/credential-command');
    return {
      run: createCredentialCommand({ environment: () => ({ ...this.#settings.variables() }) }),
      apiKeyHelper,
      awsAuthRefresh,
      awsCredentialExport,
      gcpAuthRefresh,
    };
  }

  /** A cloud's own variables say where it is and who asks: the key and address of the vendor's API stay out of it. */
  async cloudVariables(
    provider: 'bedrock' | 'vertex' | 'foundry',
  ): Promise<Readonly<Record<string, string | undefined>>> {
    const variables = this.#settings.variables();
    const key = provider === 'foundry' ? await this.#keys.foundry() : undefined;
    return key === undefined || variables[foundryKeyVariable] ? variables : { ...variables, [foundryKeyVariable]: key };
  }
}

/** The Azure sign-in is taken where Foundry has no key. */
export function needsAzureSignIn(
  provider: ProviderId,
  variables: Readonly<Record<string, string | undefined>>,
): boolean {
  return provider === 'foundry' && !variables[foundryKeyVariable];
}
