// What the protocol's client may do on its way to a sign-in: everything while the user is at it, and nothing that opens a browser or registers a client in the background.
import { defined } from '../../shared/defined';
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { messageOf } from '../../core/text/errors';
import { type Fetch } from './capped-fetch';
import { type SignInChallenge } from './link';
import { isObject } from '../../shared/plain-object';

/** What the library does on its way to the browser; the client's registration is sent before it is saved. */
const onlySigningIn: readonly (string | symbol)[] = [
  'state',
  'saveCodeVerifier',
  'saveClientInformation',
  'redirectToAuthorization',
];

export interface Browsing {
  /** From here on the user has as long as they need: the editor itself may ask them first. */
  begins(): void;
  failed(why: string): void;
}

/** The user is at it. `more`: they have signed in already, and what that gave is not enough. */
export function signingInProvider(
  provider: OAuthClientProvider,
  browser: Browsing,
  more: boolean,
): OAuthClientProvider {
  return overlaid(provider, (key) => {
    if (key === 'redirectToAuthorization') return (url: URL) => openBrowser(provider, url, browser);
    return more && key === 'tokens' ? () => undefined : undefined;
  });
}

/** Outside of a sign-in no browser opens: without tokens the server's refusal shows that one is needed. */
export async function backgroundProvider(provider: OAuthClientProvider): Promise<OAuthClientProvider | undefined> {
  if ((await provider.tokens()) === undefined) return undefined;
  return overlaid(provider, (key) => {
    if (onlySigningIn.includes(key)) return refuse;
    // Without any, the library would register one.
    return key === 'clientInformation' ? async () => (await provider.clientInformation()) ?? refuse() : undefined;
  });
}

/** The library also registers a client where the known one belongs to another place by now. In the background none of that is sent. */
export function withoutRegistration(base: Fetch): Fetch {
  return (url, init) => (isRegistration(init) ? Promise.reject(runOut()) : base(url, init));
}

/** Keeps what the server's refusals say is missing. */
export function notingChallenges(base: Fetch, server: URL, note: (challenge: SignInChallenge) => void): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    if ((response.status === 401 || response.status === 403) && new URL(url).href === server.href) {
      const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
      if (response.status === 401 || error === 'insufficient_scope')
        note({
          more: response.status === 403,
          ...defined({ scope }),
          ...defined({ resourceMetadataUrl: resourceMetadataUrl?.href }),
        });
    }
    return response;
  };
}

/** A sign-in that a refused call asked for: `connect` alone would not be refused. Rejects where it does not end well. */
export async function answerChallenge(
  provider: OAuthClientProvider,
  code: () => Promise<string>,
  serverUrl: URL,
  { scope, resourceMetadataUrl }: SignInChallenge,
  fetchFn: Fetch,
): Promise<void> {
  const request = {
    serverUrl,
    fetchFn,
    ...defined({ scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
  };
  if ((await auth(provider, request)) === 'REDIRECT')
    await auth(provider, { ...request, authorizationCode: await code() });
}

function isRegistration(init: RequestInit | undefined): boolean {
  if (typeof init?.body !== 'string' || !init.body.includes('"redirect_uris"')) return false;
  const sent: unknown = JSON.parse(init.body);
  return isObject(sent) && sent['jsonrpc'] === undefined;
}

function runOut(): UnauthorizedError {
  return new UnauthorizedError('The sign-in has expired.');
}

function refuse(): never {
  throw runOut();
}

async function openBrowser(provider: OAuthClientProvider, url: URL, browser: Browsing): Promise<void> {
  browser.begins();
  try {
    await provider.redirectToAuthorization(url);
  } catch (error) {
    browser.failed(messageOf(error));
    throw error;
  }
}

function overlaid(provider: OAuthClientProvider, over: (key: string | symbol) => unknown): OAuthClientProvider {
  return new Proxy(provider, {
    get(target, key) {
      const value: unknown = over(key) ?? Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
