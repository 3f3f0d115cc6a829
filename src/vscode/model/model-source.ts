// Where answers come from: the person's key, a base URL, or the demo model; decided anew for every request.
import * as vscode from 'vscode';
import { credentialValues } from '../../core/credentials';
import { DeftError } from '../../core/errors';
import { type Clock } from '../../core/ports';
import { type ModelClient } from '../../core/ports/model';
import { clientVariables, requestVariables } from '../../core/settings/request-variables';
import { credentialsFromEnvironment } from '../../providers/credentials';
import { createKnownModels, type KnownModels } from '../../core/model/known-models';
import { demoCapabilities } from '../../core/model/demo/demo-capabilities';
import { chooseProvider, isVendorAddress } from '../../core/model/provider-choice';
import { readConfiguration } from '../configuration';

const keyName = 'deft.anthropic.apiKey';

export interface ModelSource {
  /** Delegates to whatever is set up when a request is made. */
  readonly client: ModelClient;
  /** Loads what the first request needs, where something is set up; sends nothing. */
  prepare(): Promise<void>;
  /** True while no key, token or base URL is there and the demo is off. */
  needsSetup(): Promise<boolean>;
  /** The demo answers, in place of any model. */
  demo: boolean;
  setKey(key: string): Promise<void>;
  clearKey(): Promise<void>;
  /** Values that no log and no tool result may hold: the key as it was last read, and what the environment holds. */
  secrets(): string[];
  readonly onDidChange: vscode.Event<void>;
}

/** The environment that settings files add to. */
export interface SettingsEnvironment {
  /** Resolves once the files were read. */
  read(): Promise<void>;
  variables(): Readonly<Record<string, string | undefined>>;
}

export function createModelSource(secrets: vscode.SecretStorage, clock: Clock, settings: SettingsEnvironment): ModelSource & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let demo = false;
  const stored = new Set<string>();
  let made: { key: string; client: ModelClient } | undefined;

  const storedKey = async (): Promise<string | undefined> => {
    const key = await secrets.get(keyName);
    if (key !== undefined) stored.add(key);
    return key;
  };
  const credentials = async () => {
    await settings.read();
    const variables = settings.variables();
    const environment = credentialsFromEnvironment(variables);
    const apiKey = (await storedKey()) ?? environment.apiKey;
    const baseUrl = readConfiguration().baseUrl || environment.baseUrl;
    return { ...environment, apiKey, baseUrl, features: readConfiguration().apiFeatures, ...clientVariables(requestVariables(variables).variables) };
  };
  const hasWay = ({ apiKey, authToken, baseUrl }: Awaited<ReturnType<typeof credentials>>): boolean =>
    apiKey !== undefined || authToken !== undefined || baseUrl !== undefined;

  const resolve = async (): Promise<ModelClient> => {
    if (demo) return (await import('../../core/model/demo/demo-model')).createDemoModel(clock);
    const options = await credentials();
    if (!hasWay(options)) {
      throw new DeftError('model-authentication', 'No API key is set.', { audience: 'person' });
    }
    const key = JSON.stringify(options);
    const { createProviderClient } = await import('../../providers/provider-client');
    if (made?.key !== key) made = { key, client: await createProviderClient({ ...options, provider: 'anthropic', variables: settings.variables() }) };
    return made.client;
  };

  /** Before the first client is made, and where none can be: the table alone. */
  const standIns = new Map<string, KnownModels>();
  const current = (): Pick<ModelClient, 'provider' | 'capabilities'> => {
    if (demo) return { provider: 'demo', capabilities: () => demoCapabilities };
    const variables = settings.variables();
    const chosen = chooseProvider('auto', variables);
    const provider = chosen === 'anthropic' && !isVendorAddress(readConfiguration().baseUrl || variables['ANTHROPIC_BASE_URL']) ? 'gateway' : chosen;
    if (made?.client.provider === provider) return made.client;
    const features = readConfiguration().apiFeatures;
    const known = standIns.get(`${provider} ${features}`) ?? createKnownModels(provider, { features });
    standIns.set(`${provider} ${features}`, known);
    return { provider, capabilities: (model) => known.capabilities(model) };
  };

  // Known from the start, also where the demo answers; a store that refuses says so when the key is needed.
  storedKey().catch(() => undefined);

  return {
    client: {
      get provider() {
        return current().provider;
      },
      capabilities: (model) => current().capabilities(model),
      async *stream(request, signal) {
        yield* (await resolve()).stream(request, signal);
      },
      countTokens: async (request, signal) => (await resolve()).countTokens(request, signal),
      listModels: async (signal) => (await resolve()).listModels(signal),
    },
    prepare: async () => {
      if (demo || hasWay(await credentials())) await (await resolve()).prepare?.();
    },
    needsSetup: async () => !demo && !hasWay(await credentials()),
    get demo() {
      return demo;
    },
    set demo(on) {
      demo = on;
      changed.fire();
    },
    async setKey(key) {
      stored.add(key);
      await secrets.store(keyName, key);
      demo = false;
      changed.fire();
    },
    async clearKey() {
      await secrets.delete(keyName);
      changed.fire();
    },
    secrets: () => [...stored, ...credentialValues(settings.variables())],
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
