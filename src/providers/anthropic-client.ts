// The vendor's own Messages API, and every other address that speaks it.
import { isVendorAddress } from '../core/model/provider-choice';
import { type ModelClient } from '../core/ports/model';
import { type ClientOptions, createMessagesClient, defaultTimeoutMs, type Fail, type MessagesSdk } from './messages-client';
import { secretHeaderValues } from './redact';
import { fetchOfRequest } from './watched-fetch';

export interface AnthropicClientOptions extends ClientOptions {
  /** Sent as `x-api-key`. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer`, for gateways and OAuth. */
  readonly authToken?: string | undefined;
}

const defaultBaseUrl = 'https://api.anthropic.com';

/** The environment is not read for keys or addresses; no message or cause of an error holds a key. */
export function createAnthropicClient(options: AnthropicClientOptions): ModelClient {
  const apiKey = emptyToUndefined(options.apiKey?.trim());
  const authToken = emptyToUndefined(options.authToken?.trim());
  const headers = options.headers ?? {};
  const baseUrl = (emptyToUndefined(options.baseUrl?.trim()) ?? defaultBaseUrl).replace(/\/+$/, '');
  const hasCredential =
    apiKey !== undefined ||
    authToken !== undefined ||
    Object.keys(headers).some((name) => /^(x-api-key|authorization)$/i.test(name));

  const load = async (fail: Fail): Promise<MessagesSdk> => {
    // A server of one's own often wants none; the vendor's always does.
    if (!hasCredential && baseUrl === defaultBaseUrl) throw fail('authentication', 'No API key is set.');
    if ([apiKey, authToken].some((secret) => secret !== undefined && /[^\x21-\x7e]/.test(secret))) {
      throw fail('authentication', 'The API key has characters that no key has (a space, a line break, a letter outside ASCII).');
    }
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    return new Client({
      // The SDK looks for keys in the environment and in files unless it is given one: credentials go by header.
      apiKey: 'sent-by-header',
      baseURL: baseUrl,
      defaultHeaders: {
        Authorization: authToken === undefined ? null : `Bearer ${authToken}`,
        ...(apiKey === undefined ? {} : { 'X-Api-Key': apiKey }),
        ...headers,
      },
      maxRetries: 0,
      timeout: options.timeoutMs ?? defaultTimeoutMs,
      logLevel: 'off',
      openTelemetry: false,
      fetch: fetchOfRequest(options.fetch ?? fetch),
    });
  };
  return createMessagesClient(
    {
      provider: isVendorAddress(baseUrl) ? 'anthropic' : 'gateway',
      host: hostOf(baseUrl),
      secrets: [apiKey, authToken, ...secretHeaderValues(headers)],
      load,
      readsBody: false,
    },
    options,
  );
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return baseUrl;
  }
}

function emptyToUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
