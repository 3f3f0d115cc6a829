// Where answers come from: the provider of the settings, VS Code's own models, or the demo model; decided anew for every request.
import * as vscode from 'vscode';
import { credentialValues } from '../../core/text/credentials';
import { DeftError } from '../../core/text/errors';
import { type Secrets } from '../../core/text/redact';
import { type Clock } from '../../core/ports/clock';
import { type ModelClient } from '../../core/ports/model';
import { createKnownModels, type KnownModels } from '../../core/model/known-models';
import { demoCapabilities } from '../../core/model/demo-capabilities';
import { canBeModelOf } from '../../core/model/model-of-provider';
import { isVendorAddress } from '../../core/model/provider-choice';
import { readConfiguration } from '../host/configuration';
import { type FittedModel } from './language-models';
import { environmentSecrets } from './environment-secrets';
import { type HeldSecrets } from './held-secrets';
import { createKeptClient, type KeptClient } from './kept-client';
import { LazyLanguageModels } from './lazy-language-models';
import { needsAzureSignIn, ProviderCredentials, type SettingsEnvironment } from './provider-credentials';
import { createStoredKeys, type KeyedProvider, type StoredKeys } from './stored-keys';

/** Who answers now, and what their models can do. */
type CurrentModels = Pick<ModelClient, 'provider' | 'capabilities' | 'regional'>;

export class ModelSource implements vscode.Disposable {
  /** Delegates to whatever is set up when a request is made. */
  readonly client: ModelClient;
  readonly #clock: Clock;
  readonly #settings: SettingsEnvironment;
  readonly #ofEnvironment: ReturnType<typeof environmentSecrets>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange: vscode.Event<void> = this.#changed.event;
  readonly #secrets: HeldSecrets;
  readonly #keys: StoredKeys;
  readonly #kept: KeptClient;
  readonly #credentials: ProviderCredentials;
  readonly #languageModels = new LazyLanguageModels(() => this.#changed.fire());
  /** Before the first client is made, and where none can be: the table alone. */
  readonly #standIns = new Map<string, KnownModels>();
  #demo = false;

  constructor(secrets: HeldSecrets, clock: Clock, settings: SettingsEnvironment) {
    this.#clock = clock;
    this.#settings = settings;
    this.#ofEnvironment = environmentSecrets(
      () => [settings.variables(), settings.commandVariables?.()].filter((one) => one !== undefined),
      () => settings.values().visibleVariables,
    );
    this.#secrets = secrets;
    const keys = createStoredKeys(secrets);
    this.#keys = keys;
    // What an old client has fetched stays a secret.
    this.#kept = createKeptClient((client) => (client.secrets?.() ?? []).forEach((secret) => keys.known.add(secret)));
    this.#credentials = new ProviderCredentials(settings, keys);
    this.client = this.#delegate();
    // Known from the start, also where the demo answers; a store that refuses says so when the key is needed.
    for (const read of [() => keys.at(undefined), keys.foundry]) read().catch(() => undefined);
  }

  /** The demo answers, in place of any model. */
  get demo(): boolean {
    return this.#demo;
  }

  set demo(on: boolean) {
    this.#demo = on;
    this.#changed.fire();
  }

  /** Loads what the first request needs, where something is set up; sends nothing. */
  async prepare(): Promise<void> {
    const credentials = this.#credentials;
    if (this.#demo || credentials.provider !== 'anthropic' || credentials.suffice(await credentials.read()))
      await (await this.#resolve()).prepare?.();
  }

  /** True while the provider has no key, token, address or model, and the demo is off. The clouds are asked with whatever their own tools are set up with. */
  async needsSetup(): Promise<boolean> {
    if (this.#demo) return false;
    await this.#settings.read();
    const { provider } = this.#credentials;
    if (provider === 'vscode') return !(await this.hasVscodeModels());
    if (provider === 'anthropic') return !this.#credentials.suffice(await this.#credentials.read());
    const { missingVariable } = await import('../../providers/missing-variable');
    return (await missingVariable(provider, this.#settings.variables())) !== undefined;
  }

  /** Whether VS Code itself offers a model that Deft can use. Asks nobody. */
  hasVscodeModels(): Promise<boolean> {
    return this.#languageModels.any();
  }

  /** The wanted model where the provider can have it, else `usual`, or VS Code's usual one. */
  async fitModel(wanted: string, usual: string): Promise<FittedModel> {
    await this.#settings.read();
    const { provider } = this.#current();
    if (provider === 'vscode') return this.#languageModels.fit(wanted);
    return canBeModelOf(provider, wanted) ? { id: wanted, replaced: false } : { id: usual, replaced: true };
  }

  /** For the address that is set now; the vendor's where another provider is chosen. */
  async setKey(key: string, provider: KeyedProvider = 'anthropic'): Promise<void> {
    await this.#settings.read();
    const address =
      this.#credentials.provider === 'anthropic'
        ? readConfiguration().baseUrl || this.#settings.variables()['ANTHROPIC_BASE_URL']
        : undefined;
    await this.#keys.set(key, provider, address);
    this.demo = false;
  }

  async clearKey(): Promise<void> {
    await this.#keys.clear();
    this.#changed.fire();
  }

  /** Where the stored key may go, if there is one that may not go to this address. */
  keyElsewhere(address: string): Promise<readonly string[] | undefined> {
    return this.#keys.elsewhere(address);
  }

  /** The user agreed that the stored key goes there too. */
  async allowKey(address: string): Promise<void> {
    await this.#keys.allow(address);
    this.#changed.fire();
  }

  /** ANTHROPIC_BASE_URL, of the environment or of settings files. */
  async environmentAddress(): Promise<string | undefined> {
    await this.#settings.read();
    return this.#settings.variables()['ANTHROPIC_BASE_URL'];
  }

  /** Values that no log and no tool result may hold: the key as it was last read, and what the environment holds. */
  secrets(): Secrets {
    const ofClient = this.#kept.present?.secrets?.() ?? [];
    const own = new Set([...this.#keys.known, ...ofClient, ...credentialValues(this.#settings.variables())]);
    return [...own, ...this.#ofEnvironment()];
  }

  dispose(): void {
    this.#secrets.dispose();
    this.#languageModels.dispose();
    this.#changed.dispose();
  }

  #delegate(): ModelClient {
    const current = (): CurrentModels => this.#current();
    const resolve = (): Promise<ModelClient> => this.#resolve();
    return {
      get provider() {
        return current().provider;
      },
      capabilities: (model) => current().capabilities(model),
      regional: (model) => current().regional?.(model) === true,
      async *stream(request, signal, heard) {
        yield* (await resolve()).stream(request, signal, heard);
      },
      countTokens: async (request, signal) => (await resolve()).countTokens(request, signal),
      listModels: async (signal) => (await resolve()).listModels(signal),
    };
  }

  async #resolve(): Promise<ModelClient> {
    if (this.#demo) return (await import('../../core/model/demo/demo-model')).createDemoModel(this.#clock);
    const clientFor = this.#kept.begin();
    const options = await this.#credentials.read();
    const refusal = this.#settings.refusal();
    if (refusal !== undefined) throw new DeftError('settings-locked', refusal, { audience: 'user' });
    const { provider } = this.#credentials;
    if (provider === 'vscode') return this.#languageModels.load();
    if (provider === 'anthropic' && !this.#credentials.suffice(options)) {
      throw new DeftError('model-authentication', 'No API key is set.', { audience: 'user' });
    }
    const { apiKey: _apiKey, authToken: _authToken, baseUrl: _baseUrl, ...shared } = options;
    const chosen = provider === 'anthropic' ? { ...options, provider } : { ...shared, provider };
    const variables =
      provider === 'anthropic' ? this.#settings.variables() : await this.#credentials.cloudVariables(provider);
    const { modelOverrides } = this.#settings.values();
    const commands = await this.#credentials.commands();
    const key = JSON.stringify([chosen, provider === 'anthropic' ? '' : variables, commands, modelOverrides]);
    const { createProviderClient } = await import('../../providers/provider-client');
    const signIn = needsAzureSignIn(provider, variables)
      ? { azureADTokenProvider: (await import('./azure-token')).azureToken }
      : {};
    return clientFor(key, async () =>
      createProviderClient({ ...chosen, variables, modelOverrides, commands, ...signIn }),
    );
  }

  #current(): CurrentModels {
    if (this.#demo) return { provider: 'demo', capabilities: () => demoCapabilities };
    const variables = this.#settings.variables();
    const chosen = this.#credentials.provider;
    if (chosen === 'vscode' && this.#languageModels.loaded !== undefined) return this.#languageModels.loaded;
    const provider =
      chosen === 'anthropic' && !isVendorAddress(readConfiguration().baseUrl || variables['ANTHROPIC_BASE_URL'])
        ? 'gateway'
        : chosen;
    if (this.#kept.present?.provider === provider) return this.#kept.present;
    const features = readConfiguration().apiFeatures;
    const known = this.#standIns.get(`${provider} ${features}`) ?? createKnownModels(provider, { features });
    this.#standIns.set(`${provider} ${features}`, known);
    return { provider, capabilities: (model) => known.capabilities(model) };
  }
}
