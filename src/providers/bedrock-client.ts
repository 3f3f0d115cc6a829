// Models at Amazon Bedrock (InvokeModel): AWS's signature or a bearer token, events in AWS's framing.
import { isRegionalEndpoint, offeredModels, providerModel } from '../core/model/provider-models';
import { isOn } from '../core/text/switch-words';
import { type ModelClient } from '../core/ports/model';
import { awsRegion, createAwsCredentials } from './aws-credentials';
import { explainBedrock } from './cloud-errors';
import { checkAddress, type CloudOptions, hostOf } from './cloud-options';
import { createMessagesClient, type MessagesSdk, sdkOptions } from './messages-client';
import { missingVariable } from './missing-variable';
import { secretHeaderValues } from './redact';
import { withRenewal } from './renewed-client';
import { startRealTimer } from './stall-watch';

/** Bedrock's own name of the Messages API's version: the one that all of its models know. */
const apiVersion = 'bedrock-2023-05-31';

export async function createBedrockClient({
  variables,
  commands,
  modelOverrides,
  ...options
}: CloudOptions): Promise<ModelClient> {
  const value = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const region = await awsRegion(variables);
  const baseUrl = (
    value('ANTHROPIC_BEDROCK_BASE_URL') ?? `https://bedrock-runtime.${region ?? ''}.amazonaws.com`
  ).replace(/\/+$/, '');
  const bearer = value('AWS_BEARER_TOKEN_BEDROCK');
  const skipAuth = isOn(variables['CLAUDE_CODE_SKIP_BEDROCK_AUTH']);
  const credentials = createAwsCredentials(
    variables,
    region ?? 'us-east-1',
    commands,
    options.now ?? Date.now,
    options.startTimer ?? startRealTimer,
  );
  const signs = !skipAuth && bearer === undefined;

  const client = createMessagesClient(
    {
      provider: 'bedrock',
      host: hostOf(baseUrl),
      addressFrom: value('ANTHROPIC_BEDROCK_BASE_URL') === undefined ? 'AWS_REGION' : 'ANTHROPIC_BEDROCK_BASE_URL',
      get secrets() {
        return [
          bearer,
          value('AWS_SECRET_ACCESS_KEY'),
          value('AWS_SESSION_TOKEN'),
          ...credentials.secrets,
          ...secretHeaderValues(options.headers ?? {}),
        ];
      },
      async load(fail) {
        const missing = await missingVariable('bedrock', variables);
        if (missing !== undefined || region === undefined) throw fail('authentication', missing ?? '');
        checkAddress(baseUrl);
        const { providerSdks } = await import('./provider-sdks');
        const Client = await providerSdks.bedrock();
        const sdk = new Client({
          baseURL: baseUrl,
          awsRegion: region,
          // Null: the SDK would look into the process's environment, which lacks what settings say.
          apiKey: skipAuth ? null : (bearer ?? null),
          skipAuth,
          providerChainResolver: async () => credentials.get,
          defaultHeaders: { ...options.headers },
          ...sdkOptions(options),
        });
        return sdk as unknown as MessagesSdk;
      },
      readsBody: true,
      modelId: (model) => providerModel('bedrock', model, region, modelOverrides),
      regional: (model) => isRegionalEndpoint('bedrock', model, region, modelOverrides),
      models: offeredModels(),
      explain: explainBedrock({ region: region ?? '', profile: value('AWS_PROFILE') }),
    },
    { ...options, extraBody: { anthropic_version: apiVersion, ...options.extraBody } },
  );
  return signs ? withRenewal(client, credentials.renew) : client;
}
