// The vendor's own Messages API, and every other address that speaks it.
import { defined } from '../shared/defined';
import { isVendorAddress } from '../core/model/provider-choice';
import { type ModelOverrides } from '../core/model/provider-models';
import { type ModelClient } from '../core/ports/model';
import { explainOwn } from './cloud-errors';
import { checkAddress, hostOf } from './cloud-options';
import { type FetchedKey } from './fetched-key';
import { type ClientOptions, createMessagesClient, type Fail, type MessagesSdk, sdkOptions } from './messages-client';
import { secretHeaderValues } from './redact';
import { withRenewal } from './renewed-client';

export interface AnthropicClientOptions extends ClientOptions {
  /** Sent as `x-api-key`. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer`, for gateways and OAuth. */
  readonly authToken?: string | undefined;
  /** A command's key, sent as both, where neither of them is set. */
  readonly fetchedKey?: FetchedKey | undefined;
  /** `modelOverrides` of settings: what is at the address may have other names. */
  readonly modelOverrides?: ModelOverrides | undefined;
}

const defaultBaseUrl = 'https://api.anthropic.com';

/** The environment is not read for keys or addresses; no message or cause of an error holds a key. */
export function createAnthropicClient(options: AnthropicClientOptions): ModelClient {
  const apiKey = emptyToUndefined(options.apiKey?.trim());
  const authToken = emptyToUndefined(options.authToken?.trim());
  const headers = options.headers ?? {};
  const helper = apiKey === undefined && authToken === undefined ? options.fetchedKey : undefined;
  const send = helper === undefined ? options.fetch : withKey(options.fetch ?? fetch, helper);
  const baseUrl = (emptyToUndefined(options.baseUrl?.trim()) ?? defaultBaseUrl).replace(/\/+$/, '');
  const hasCredential =
    apiKey !== undefined ||
    authToken !== undefined ||
    helper !== undefined ||
    Object.keys(headers).some((name) => /^(x-api-key|authorization)$/i.test(name));

  const load = async (fail: Fail): Promise<MessagesSdk> => {
    checkAddress(baseUrl);
    // A server of one's own often wants none; the vendor's always does.
    if (!hasCredential && baseUrl === defaultBaseUrl) throw fail('authentication', 'No API key is set.');
    if ([apiKey, authToken].some((secret) => secret !== undefined && /[^\x21-\x7e]/.test(secret))) {
      throw fail(
        'authentication',
        'The API key contains characters that no key has (a space, a line break, a letter outside ASCII).',
      );
    }
    const { providerSdks } = await import('./provider-sdks');
    const Client = await providerSdks.anthropic();
    return new Client({
      // The SDK looks for keys in the environment and in files unless it is given one: credentials go by header.
      apiKey: 'sent-by-header',
      baseURL: baseUrl,
      defaultHeaders: {
        Authorization: authToken === undefined ? null : `Bearer ${authToken}`,
        ...defined({ 'X-Api-Key': apiKey }),
        ...headers,
      },
      ...sdkOptions({ ...options, fetch: send }),
    });
  };
  const client = createMessagesClient(
    {
      provider: isVendorAddress(baseUrl) ? 'anthropic' : 'gateway',
      host: hostOf(baseUrl),
      addressFrom: baseUrl === defaultBaseUrl ? undefined : 'the base URL',
      get secrets() {
        return [apiKey, authToken, ...(helper?.secrets ?? []), ...secretHeaderValues(headers)];
      },
      load,
      readsBody: false,
      modelId: (model) => options.modelOverrides?.[model] ?? model,
      explain: explainOwn,
    },
    { ...options, fetch: send },
  );
  if (helper === undefined) return client;
  return withRenewal(client, async (_, refused) => {
    helper.forget();
    return refused;
  });
}

function withKey(inner: typeof fetch, key: FetchedKey): typeof fetch {
  return async (input, init) => {
    const value = await key.value(init?.signal ?? new AbortController().signal);
    const headers = new Headers(init?.headers);
    headers.set('x-api-key', value);
    headers.set('authorization', `Bearer ${value}`);
    return inner(input, { ...init, headers });
  };
}

function emptyToUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
