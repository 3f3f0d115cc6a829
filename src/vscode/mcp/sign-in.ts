// Signing in to MCP servers: OAuth with the browser, tokens in the secret storage alone, and the way back into this window.
import { defined } from '../../shared/defined';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type McpServerEntry } from '../../core/ports/mcp';
import { type McpSignIn } from '../../node/mcp/link';
import { createSignInStore, type SignInStore } from './sign-in-store';

type Discovery = NonNullable<Awaited<ReturnType<NonNullable<McpSignIn['discoveryState']>>>>;

export interface SignIns {
  /** Makes ready what is stored. Never rejects. */
  load(): Promise<void>;
  /** Undefined where the server takes no sign-in. */
  of(entry: McpServerEntry): McpSignIn | undefined;
  /** Makes the way back, runs `work`, and closes it again. */
  during(
    entry: McpServerEntry,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<string | undefined>,
  ): Promise<string | undefined>;
  /** The query of the address that the browser came back to. */
  cameBack(query: string): void;
  isSignedIn(entry: McpServerEntry): boolean;
  /** Tokens, which nothing may show. */
  secrets(): readonly string[];
  dispose(): void;
}

export interface WayBack {
  redirect: string;
  /** Fires also when the user gives up. */
  signal: AbortSignal;
  dispose(): void;
}

export interface SignInWindow {
  /** The address that VS Code leads to this extension. */
  readonly plainRedirect: string;
  /** The project's folder. */
  folder(): string | undefined;
  open(url: string): Promise<void>;
  wayBack(
    server: string,
    port: number | undefined,
    cameBack: (query: string) => void,
    signal: AbortSignal,
  ): Promise<WayBack>;
  /** Where the entry itself says where the sign-in is. */
  discovery(server: string, metadataUrl: string | undefined): Promise<Discovery | undefined>;
}

interface Waiting {
  state: string;
  came: (query: string) => void;
  code: Promise<string>;
}

interface RunningSignIn {
  key: string;
  redirect: string;
  failure?: string;
}

/** What the sign-ins of a window have in common. */
interface Shared {
  readonly store: SignInStore;
  readonly window: SignInWindow;
  /** The sign-in that runs: its way back, and why it has failed. */
  current: RunningSignIn | undefined;
  readonly waiting: Set<Waiting>;
}

const longestWaitMs = 10 * 60_000;

export function createSignIns({
  secrets,
  window,
}: {
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  window: SignInWindow;
}): SignIns {
  const store = createSignInStore(secrets);
  const shared: Shared = { store, window, current: undefined, waiting: new Set() };
  let queue: Promise<unknown> = Promise.resolve();
  const cameBack = (query: string): void => {
    const state = new URLSearchParams(query).get('state') ?? '';
    [...shared.waiting].find((one) => sameText(one.state, state))?.came(query);
  };

  return {
    load: store.clean,
    of: (entry) => signInOf(entry, shared),
    during(entry, signal, work) {
      if (signInOf(entry, shared) === undefined)
        return Promise.resolve(`${entry.name} does not support sign-in: only HTTP servers do.`);
      const port = entry.config.type === 'stdio' ? undefined : entry.config.oauth?.callbackPort;
      // One after the other: there is one browser, and one way back.
      const signedIn = queue.then(async () => {
        let way;
        try {
          way = await window.wayBack(entry.name, port, cameBack, signal);
        } catch (error) {
          return `The sign-in could not begin: ${messageOf(error)}`;
        }
        const running: RunningSignIn = { key: keyOf(entry, window.folder()), redirect: way.redirect };
        shared.current = running;
        try {
          const problem = await work(way.signal);
          return problem === undefined ? undefined : (running.failure ?? problem);
        } finally {
          shared.current = undefined;
          way.dispose();
        }
      });
      queue = signedIn.catch(() => undefined);
      return signedIn;
    },
    cameBack,
    isSignedIn: (entry) =>
      entry.config.type !== 'stdio' && store.known(keyOf(entry, window.folder())).tokens !== undefined,
    secrets: store.tokens,
    dispose: () => shared.waiting.clear(),
  };
}

/** Undefined where the server takes no sign-in. */
function signInOf(entry: McpServerEntry, shared: Shared): McpSignIn | undefined {
  const { store, window, waiting } = shared;
  const { config } = entry;
  if (config.type === 'stdio' || config.type === 'ws') return undefined;
  const key = keyOf(entry, window.folder());
  const { clientId, clientSecret, scopes } = config.oauth ?? {};
  // Of this object alone: another server, or a connection in the background, must not change what a sign-in goes by.
  let verifier = '';
  let mine: Waiting | undefined;
  const redirect = (): string | undefined => (shared.current?.key === key ? shared.current.redirect : undefined);
  const forget = (): void => {
    if (mine !== undefined) waiting.delete(mine);
    mine = undefined;
  };
  return {
    get redirectUrl() {
      // Outside of a sign-in nothing is sent there, but the library wants one: without, it would try other kinds of grants.
      return redirect() ?? store.known(key).client?.redirect ?? window.plainRedirect;
    },
    get clientMetadata() {
      return {
        client_name: 'Deft',
        redirect_uris: [String(this.redirectUrl)],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...defined({ scope: scopes?.join(' ') }),
      };
    },
    state() {
      const state = randomBytes(24).toString('base64url');
      forget();
      waiting.add((mine = waitFor(state)));
      return state;
    },
    async clientInformation() {
      if (clientId !== undefined) return { client_id: clientId, ...defined({ client_secret: clientSecret }) };
      const { client: known } = await store.read(key);
      const now = redirect();
      // A registration counts for its own way back.
      return known === undefined || (now !== undefined && known.redirect !== now) ? undefined : known.information;
    },
    saveClientInformation: (information) =>
      store.change(key, { client: { redirect: redirect() ?? window.plainRedirect, information } }),
    tokens: async () => (await store.read(key)).tokens,
    saveTokens: (tokens) => store.change(key, { tokens }),
    async redirectToAuthorization(url) {
      // What a server names is opened in the browser, never as a command.
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw failed(shared, key, new Error(`The server wants to open ${url.protocol}//, which is not a web page.`));
      await window.open(url.href).catch((error: unknown) => Promise.reject(failed(shared, key, error)));
    },
    saveCodeVerifier: (text) => void (verifier = text),
    codeVerifier: () => verifier,
    async invalidateCredentials(scope) {
      if (scope === 'all') await store.change(key, { tokens: undefined, client: undefined });
      else if (scope === 'tokens' || scope === 'client') await store.change(key, { [scope]: undefined });
      else if (scope === 'verifier') verifier = '';
    },
    discoveryState: () => window.discovery(entry.name, config.oauth?.authServerMetadataUrl),
    async authorizationCode(signal) {
      const found = mine;
      if (found === undefined) throw new Error('No sign-in was started. Sign in again.');
      const limited = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
      try {
        return await Promise.race([found.code, aborted(limited)]);
      } catch (error) {
        throw failed(shared, key, error);
      } finally {
        forget();
      }
    },
    signOut: () => store.change(key, { tokens: undefined, client: undefined }),
  };
}

function waitFor(state: string): Waiting {
  let came: (query: string) => void = () => undefined;
  const code = new Promise<string>((resolve, reject) => {
    came = (query) => {
      const parameters = new URLSearchParams(query);
      const problem = parameters.get('error');
      const found = parameters.get('code');
      if (problem !== null)
        reject(new Error(`The sign-in was refused: ${parameters.get('error_description') ?? problem}`));
      else if (found === null || found === '')
        reject(new Error('The browser came back without a code. Sign in again.'));
      else resolve(found);
    };
  });
  // Whoever waits for it gets the error.
  code.catch(() => undefined);
  return { state, came, code };
}

/** Kept too: where the user gives up, the connection knows only that it was stopped. */
function failed({ current }: Shared, key: string, error: unknown): Error {
  const failure = messageOf(error);
  if (current?.key === key) current.failure = failure;
  return new Error(failure);
}

/** What a project names never gets what the user got for an entry of their own, nor for the same address with another sign-in. */
function keyOf({ scope, file, config }: McpServerEntry, folder: string | undefined): string {
  if (config.type === 'stdio') return '';
  const project = scope === 'project' || scope === 'local' || scope === 'editor' ? [folder, file] : [];
  return JSON.stringify([
    scope,
    project,
    config.url,
    Object.entries(config.oauth ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(new Error('The sign-in was stopped before the browser came back. Sign in again.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
