// Models in Microsoft Foundry: the resource's key, or a token of Entra ID.
import { keyLifetimeMs } from '../core/model/credential-commands';
import { messageOf, ModelError } from '../core/text/errors';
import { offeredModels, providerModel } from '../core/model/provider-models';
import { isOn } from '../core/text/switch-words';
import { type ModelClient } from '../core/ports/model';
import { explainFoundry } from './cloud-errors';
import { checkAddress, type CloudOptions, hostOf } from './cloud-options';
import { createFetchedKey, credentialError, inTime } from './fetched-key';
import { createMessagesClient, type MessagesSdk, sdkOptions } from './messages-client';
import { missingVariable } from './missing-variable';
import { secretHeaderValues } from './redact';
import { startRealTimer } from './stall-watch';
import { withRenewal } from './renewed-client';

/** What tokens of Entra ID must be for. */
const foundryScope = 'https://ai.azure.com/.default';

/** Azure's own tool, where somebody signed in with it. */
const azureCli = `az account get-access-token --scope ${foundryScope} --query accessToken --output tsv`;

export function createFoundryClient({
  variables,
  commands,
  modelOverrides,
  azureADTokenProvider,
  ...options
}: CloudOptions): ModelClient {
  const value = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const resource = value('ANTHROPIC_FOUNDRY_RESOURCE');
  const baseUrl = (
    value('ANTHROPIC_FOUNDRY_BASE_URL') ?? `https://${resource ?? ''}.services.ai.azure.com/anthropic`
  ).replace(/\/+$/, '');
  const apiKey = value('ANTHROPIC_FOUNDRY_API_KEY');
  const skipAuth = isOn(variables['CLAUDE_CODE_SKIP_FOUNDRY_AUTH']);
  const cli =
    apiKey === undefined && azureADTokenProvider === undefined && commands !== undefined
      ? createFetchedKey({
          command: azureCli,
          run: commands.run,
          lifetimeMs: keyLifetimeMs({}),
          now: options.now ?? Date.now,
          name: 'The Azure CLI (az)',
        })
      : undefined;
  const tokens: string[] = [];

  const token = async (): Promise<string> => {
    try {
      const found =
        azureADTokenProvider === undefined
          ? await cli?.value(new AbortController().signal)
          : await inTime(
              azureADTokenProvider(foundryScope),
              'The Microsoft account',
              options.startTimer ?? startRealTimer,
            );
      if (found === undefined || found === '')
        throw credentialError('Foundry needs a key or a sign-in. Set ANTHROPIC_FOUNDRY_API_KEY, or run "az login".');
      if (!tokens.includes(found)) tokens.push(found);
      return found;
    } catch (error) {
      if (error instanceof ModelError && cli === undefined) throw error;
      const problem = messageOf(error).replace(/\.?$/, '.');
      throw credentialError(
        cli === undefined
          ? `The Microsoft account gave no token: ${problem}`
          : `Foundry needs a key or a sign-in. Set ANTHROPIC_FOUNDRY_API_KEY, or run "az login". ${problem}`,
      );
    }
  };

  const client = createMessagesClient(
    {
      provider: 'foundry',
      host: hostOf(baseUrl),
      addressFrom:
        value('ANTHROPIC_FOUNDRY_BASE_URL') === undefined ? 'ANTHROPIC_FOUNDRY_RESOURCE' : 'ANTHROPIC_FOUNDRY_BASE_URL',
      get secrets() {
        return [apiKey, ...tokens, ...(cli?.secrets ?? []), ...secretHeaderValues(options.headers ?? {})];
      },
      async load(fail) {
        const missing = await missingVariable('foundry', variables);
        if (missing !== undefined) throw fail('authentication', missing);
        checkAddress(baseUrl);
        const { providerSdks } = await import('./provider-sdks');
        const Client = await providerSdks.foundry();
        const sdk = new Client({
          baseURL: baseUrl,
          // Null: the SDK would look into the process's environment, which lacks what settings say.
          resource: null as unknown as undefined,
          ...(skipAuth
            ? { apiKey: 'sent-by-nobody' }
            : apiKey === undefined
              ? { apiKey: null as unknown as undefined, azureADTokenProvider: token }
              : { apiKey }),
          defaultHeaders: { ...(skipAuth ? { 'x-api-key': null } : {}), ...options.headers },
          ...sdkOptions(options),
        });
        return sdk as unknown as MessagesSdk;
      },
      // The bytes go out as they are: neither the body nor the model's name has another place here.
      readsBody: false,
      modelId: (model) => providerModel('foundry', model, undefined, modelOverrides),
      models: offeredModels(),
      explain: explainFoundry(
        apiKey === undefined
          ? 'Sign in to the Microsoft account again, or run "az login"'
          : 'Check ANTHROPIC_FOUNDRY_API_KEY and ANTHROPIC_FOUNDRY_RESOURCE',
      ),
    },
    options,
  );
  if (cli === undefined) return client;
  return withRenewal(client, async (_, refused) => {
    cli.forget();
    return refused;
  });
}
