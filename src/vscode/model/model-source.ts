// Where answers come from: the provider of the settings, VS Code's own models, or the demo model; decided anew for every request.
import * as vscode from 'vscode';
import { credentialValues } from '../../core/text/credentials';
import { DeftError } from '../../core/text/errors';
import { type CredentialCommands, type CredentialSettings } from '../../core/model/credential-commands';
import { type ModelOverrides } from '../../core/model/provider-models';
import { type Clock } from '../../core/ports/clock';
import { type ModelClient } from '../../core/ports/model';
import { clientVariables, requestVariables } from '../../core/settings/request-variables';
import { credentialsFromEnvironment } from '../../providers/credentials';
import { createKnownModels, type KnownModels } from '../../core/model/known-models';
import { demoCapabilities } from '../../core/model/demo-capabilities';
import { canBeModelOf } from '../../core/model/model-of-provider';
import { chooseProvider, isVendorAddress } from '../../core/model/provider-choice';
import { readConfiguration } from '../host/configuration';
import { type FittedModel, type LanguageModelClient } from './language-models';
import { heldSecrets } from './held-secrets';
import { createKeptClient } from './kept-client';
import { createStoredKeys, type KeyedProvider } from './stored-keys';

const foundryKeyVariable = 'ANTHROPIC_FOUNDRY_API_KEY';
/** VS Code may have to start an extension before it knows its models. */
const listMs = 3_000;

export interface ModelSource {
  /** Delegates to whatever is set up when a request is made. */
  readonly client: ModelClient;
  /** Loads what the first request needs, where something is set up; sends nothing. */
  prepare(): Promise<void>;
  /** True while the provider has no key, token, address or model, and the demo is off. The clouds are asked with whatever their own tools are set up with. */
  needsSetup(): Promise<boolean>;
  /** Whether VS Code itself offers a model that Deft can use. Asks nobody. */
  hasVscodeModels(): Promise<boolean>;
  /** The wanted model where the provider can have it, else `usual`, or VS Code's usual one. */
  fitModel(wanted: string, usual: string): Promise<FittedModel>;
  /** The demo answers, in place of any model. */
  demo: boolean;
  /** For the address that is set now; the vendor's where another provider is chosen. */
  setKey(key: string, provider?: KeyedProvider): Promise<void>;
  /** Where the stored key may go, if there is one that may not go to this address. */
  keyElsewhere(address: string): Promise<readonly string[] | undefined>;
  /** The user agreed that the stored key goes there too. */
  allowKey(address: string): Promise<void>;
  /** ANTHROPIC_BASE_URL, of the environment or of settings files. */
  environmentAddress(): Promise<string | undefined>;
  clearKey(): Promise<void>;
  /** Values that no log and no tool result may hold: the key as it was last read, and what the environment holds. */
  secrets(): string[];
  readonly onDidChange: vscode.Event<void>;
}

/** What settings files say of models and credentials. */
export interface SettingsEnvironment {
  /** Resolves once the files were read. */
  read(): Promise<void>;
  /** The process's environment with what the files add to it. */
  variables(): Readonly<Record<string, string | undefined>>;
  /** Of the user and their organisation. */
  values(): CredentialSettings & { modelOverrides?: ModelOverrides | undefined };
}

export function createModelSource(
  storage: vscode.SecretStorage,
  clock: Clock,
  settings: SettingsEnvironment,
): ModelSource & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let demo = false;
  const secrets = heldSecrets(storage);
  const keys = createStoredKeys(secrets);
  // What an old client has fetched stays a secret.
  const kept = createKeptClient((client) => (client.secrets?.() ?? []).forEach((secret) => keys.known.add(secret)));

  const chosenProvider = () => chooseProvider(readConfiguration().provider, settings.variables());
  const credentials = async () => {
    await settings.read();
    const variables = settings.variables();
    const environment = credentialsFromEnvironment(variables);
    const baseUrl = readConfiguration().baseUrl || environment.baseUrl;
    const apiKey = (await keys.at(baseUrl)) ?? environment.apiKey;
    return {
      ...environment,
      apiKey,
      baseUrl,
      features: readConfiguration().apiFeatures,
      ...clientVariables(requestVariables(variables).variables),
    };
  };
  const hasWay = ({ apiKey, authToken, baseUrl }: Awaited<ReturnType<typeof credentials>>): boolean =>
    apiKey !== undefined ||
    authToken !== undefined ||
    baseUrl !== undefined ||
    settings.values().apiKeyHelper !== undefined;
  const credentialCommands = async (): Promise<CredentialCommands | undefined> => {
    const { apiKeyHelper, awsAuthRefresh, awsCredentialExport, gcpAuthRefresh } = settings.values();
    if (chosenProvider() === 'anthropic' && apiKeyHelper === undefined) return undefined;
    const { createCredentialCommand } = await import('../../node/terminal/credential-command');
    return {
      run: createCredentialCommand({ environment: () => ({ ...settings.variables() }) }),
      apiKeyHelper,
      awsAuthRefresh,
      awsCredentialExport,
      gcpAuthRefresh,
    };
  };
  /** A cloud's own variables say where it is and who asks: the key and address of the vendor's API stay out of it. */
  const cloudVariables = async (
    provider: 'bedrock' | 'vertex' | 'foundry',
  ): Promise<Readonly<Record<string, string | undefined>>> => {
    const variables = settings.variables();
    const key = provider === 'foundry' ? await keys.foundry() : undefined;
    return key === undefined || variables[foundryKeyVariable] ? variables : { ...variables, [foundryKeyVariable]: key };
  };

  let languageModels: Promise<LanguageModelClient> | undefined;
  let listens: vscode.Disposable | undefined;
  let loaded: LanguageModelClient | undefined;
  /** Comes with the first need of it. */
  const vscodeModels = (): Promise<LanguageModelClient> => {
    listens ??= vscode.lm.onDidChangeChatModels(() => {
      loaded?.changed();
      changed.fire();
    });
    languageModels ??= Promise.all([import('./language-model-client'), import('./host-chat-models')]).then(
      ([{ createLanguageModelClient }, { hostChatModels }]) => (loaded = createLanguageModelClient(hostChatModels)),
      (error: unknown) => {
        languageModels = undefined;
        throw error;
      },
    );
    return languageModels;
  };
  const hasVscodeModels = async (): Promise<boolean> => {
    try {
      return (await (await vscodeModels()).listModels(AbortSignal.timeout(listMs))).length > 0;
    } catch {
      return false;
    }
  };

  const resolve = async (): Promise<ModelClient> => {
    if (demo) return (await import('../../core/model/demo/demo-model')).createDemoModel(clock);
    const clientFor = kept.begin();
    const options = await credentials();
    const provider = chosenProvider();
    if (provider === 'vscode') return vscodeModels();
    if (provider === 'anthropic' && !hasWay(options)) {
      throw new DeftError('model-authentication', 'No API key is set.', { audience: 'user' });
    }
    const { apiKey: _apiKey, authToken: _authToken, baseUrl: _baseUrl, ...shared } = options;
    const chosen = provider === 'anthropic' ? { ...options, provider } : { ...shared, provider };
    const variables = provider === 'anthropic' ? settings.variables() : await cloudVariables(provider);
    const { modelOverrides } = settings.values();
    const commands = await credentialCommands();
    const key = JSON.stringify([chosen, provider === 'anthropic' ? '' : variables, commands, modelOverrides]);
    const { createProviderClient } = await import('../../providers/provider-client');
    // Taken where Foundry has no key.
    const signIn =
      provider === 'foundry' && !variables[foundryKeyVariable]
        ? { azureADTokenProvider: (await import('./azure-token')).azureToken }
        : {};
    return clientFor(key, async () =>
      createProviderClient({ ...chosen, variables, modelOverrides, commands, ...signIn }),
    );
  };

  /** Before the first client is made, and where none can be: the table alone. */
  const standIns = new Map<string, KnownModels>();
  const current = (): Pick<ModelClient, 'provider' | 'capabilities' | 'regional'> => {
    if (demo) return { provider: 'demo', capabilities: () => demoCapabilities };
    const variables = settings.variables();
    const chosen = chosenProvider();
    if (chosen === 'vscode' && loaded !== undefined) return loaded;
    const provider =
      chosen === 'anthropic' && !isVendorAddress(readConfiguration().baseUrl || variables['ANTHROPIC_BASE_URL'])
        ? 'gateway'
        : chosen;
    if (kept.present?.provider === provider) return kept.present;
    const features = readConfiguration().apiFeatures;
    const known = standIns.get(`${provider} ${features}`) ?? createKnownModels(provider, { features });
    standIns.set(`${provider} ${features}`, known);
    return { provider, capabilities: (model) => known.capabilities(model) };
  };

  // Known from the start, also where the demo answers; a store that refuses says so when the key is needed.
  for (const read of [() => keys.at(undefined), keys.foundry]) read().catch(() => undefined);

  return {
    client: {
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
    },
    prepare: async () => {
      if (demo || chosenProvider() !== 'anthropic' || hasWay(await credentials())) await (await resolve()).prepare?.();
    },
    async needsSetup() {
      if (demo) return false;
      await settings.read();
      const provider = chosenProvider();
      if (provider === 'vscode') return !(await hasVscodeModels());
      if (provider === 'anthropic') return !hasWay(await credentials());
      const { missingVariable } = await import('../../providers/missing-variable');
      return (await missingVariable(provider, settings.variables())) !== undefined;
    },
    hasVscodeModels,
    async fitModel(wanted, usual) {
      await settings.read();
      const { provider } = current();
      if (provider !== 'vscode')
        return canBeModelOf(provider, wanted) ? { id: wanted, replaced: false } : { id: usual, replaced: true };
      const slow = new Promise<undefined>((give) => setTimeout(() => give(undefined), listMs).unref());
      const chosen = await Promise.race([vscodeModels().then((models) => models.chosen(wanted)), slow]).catch(
        () => undefined,
      );
      return chosen === undefined ? { id: wanted, replaced: false } : { id: chosen.id, replaced: !chosen.named };
    },
    get demo() {
      return demo;
    },
    set demo(on) {
      demo = on;
      changed.fire();
    },
    async setKey(key, provider = 'anthropic') {
      await settings.read();
      const address =
        chosenProvider() === 'anthropic'
          ? readConfiguration().baseUrl || settings.variables()['ANTHROPIC_BASE_URL']
          : undefined;
      await keys.set(key, provider, address);
      demo = false;
      changed.fire();
    },
    async clearKey() {
      await keys.clear();
      changed.fire();
    },
    keyElsewhere: keys.elsewhere,
    async allowKey(address) {
      await keys.allow(address);
      changed.fire();
    },
    async environmentAddress() {
      await settings.read();
      return settings.variables()['ANTHROPIC_BASE_URL'];
    },
    secrets: () => [
      ...new Set([...keys.known, ...(kept.present?.secrets?.() ?? []), ...credentialValues(settings.variables())]),
    ],
    onDidChange: changed.event,
    dispose: () => {
      secrets.dispose();
      listens?.dispose();
      changed.dispose();
    },
  };
}
