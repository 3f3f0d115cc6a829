// Models at Google's Vertex AI: Google's OAuth, the Messages API's own events.
import { isRegionalEndpoint, offeredModels, providerModel } from '../core/model/provider-models';
import { isOn } from '../core/text/switch-words';
import { type ModelClient } from '../core/ports/model';
import { explainVertex } from './cloud-errors';
import { checkAddress, type CloudOptions, hostOf } from './cloud-options';
import { createGoogleCredentials } from './google-credentials';
import { createMessagesClient, type MessagesSdk, sdkOptions } from './messages-client';
import { missingVariable } from './missing-variable';
import { secretHeaderValues } from './redact';
import { withRenewal } from './renewed-client';
import { startRealTimer } from './stall-watch';

export function createVertexClient({ variables, commands, modelOverrides, ...options }: CloudOptions): ModelClient {
  const value = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const region = value('CLOUD_ML_REGION');
  const baseUrl = (value('ANTHROPIC_VERTEX_BASE_URL') ?? addressOf(region ?? '')).replace(/\/+$/, '');
  const skipAuth = isOn(variables['CLAUDE_CODE_SKIP_VERTEX_AUTH']);
  const google = createGoogleCredentials(variables, commands, options.fetch, options.startTimer ?? startRealTimer);
  const project = value('ANTHROPIC_VERTEX_PROJECT_ID') ?? value('GCLOUD_PROJECT') ?? value('GOOGLE_CLOUD_PROJECT');

  const client = createMessagesClient(
    {
      provider: 'vertex',
      host: hostOf(baseUrl),
      addressFrom: value('ANTHROPIC_VERTEX_BASE_URL') === undefined ? 'CLOUD_ML_REGION' : 'ANTHROPIC_VERTEX_BASE_URL',
      get secrets() {
        return [...google.secrets, ...secretHeaderValues(options.headers ?? {})];
      },
      async load(fail) {
        const missing = await missingVariable('vertex', variables);
        if (missing !== undefined || region === undefined) throw fail('authentication', missing ?? '');
        checkAddress(baseUrl);
        const { providerSdks } = await import('./provider-sdks');
        const Client = await providerSdks.vertex();
        const sdk = new Client({
          baseURL: baseUrl,
          region,
          projectId: project ?? null,
          // The SDK's own would read the process's environment, and would remember a failure for good.
          authClient: (skipAuth ? { getRequestHeaders: async () => new Headers() } : google) as never,
          defaultHeaders: { ...options.headers },
          ...sdkOptions(options),
        });
        return sdk as unknown as MessagesSdk;
      },
      readsBody: true,
      modelId: (model) => providerModel('vertex', model, region, modelOverrides),
      regional: (model) => isRegionalEndpoint('vertex', model, region, modelOverrides),
      models: offeredModels(),
      explain: explainVertex({ region: region ?? '', project: () => project ?? google.projectId }),
    },
    options,
  );
  return skipAuth ? client : withRenewal(client, google.renew);
}

function addressOf(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com/v1';
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com/v1`;
  return `https://${region}-aiplatform.googleapis.com/v1`;
}
