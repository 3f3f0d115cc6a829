// The way to one server: a process, or an address with its headers and its sign-in.
import { defined } from '../../shared/defined';
import { type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type McpServerConfig } from '../../core/ports/mcp';
import { longestMs } from '../../core/mcp/limits';
import { endingBrokenStreams } from './broken-streams';
import { cappedFetch, type Fetch } from './capped-fetch';
import { helperHeaders } from './header-command';
import { type LinkOptions, type McpSignIn, type SignInChallenge } from './link';
import { serverEnvironment, withheldFromServer, withheldNote } from './server-environment';
import {
  answerChallenge,
  backgroundProvider,
  notingChallenges,
  signingInProvider,
  withoutRegistration,
} from './sign-in-provider';
import { createProgramTransport } from './program-transport';
import { createStdioTransport } from './stdio-transport';

export interface MadeTransport {
  transport: Transport;
  finishAuth?: (code: string) => Promise<void>;
  /** Why the browser was not opened. */
  readonly notOpened?: string | undefined;
  /** What the server's last refusal said is missing. */
  readonly challenge?: SignInChallenge | undefined;
}

/** A sentence where there is no way. `liftLimit` is called when the user is asked. */
export async function makeTransport(
  options: LinkOptions,
  provider: OAuthClientProvider | undefined,
  signal: AbortSignal,
  liftLimit: () => void,
): Promise<MadeTransport | string> {
  const { entry, log } = options;
  const { config } = entry;
  if (entry.program === true)
    return options.program === undefined
      ? 'Nothing here runs a server of its own.'
      : { transport: createProgramTransport(entry.name, options.program) };
  if (config.type === 'stdio') {
    const inherited = await options.environment();
    const withheld = withheldFromServer(inherited, entry, options.passed?.() ?? []);
    if (withheld.length > 0) log.add(withheldNote(withheld));
    const environment = serverEnvironment(inherited, config.env, options.projectFolder, withheld);
    return {
      transport: createStdioTransport({
        command: config.command,
        args: config.args,
        cwd: options.projectFolder,
        environment,
        log,
      }),
    };
  }
  const headers = await headersOf(config, options, signal);
  if (typeof headers === 'string') return headers;
  const url = new URL(config.url);
  if (config.type === 'ws') {
    const { createWebSocketTransport } = await import('./web-socket-transport');
    return { transport: createWebSocketTransport({ url, headers, log }) };
  }
  const noted: { notOpened?: string; challenge?: SignInChallenge } = {};
  const signingIn = options.signingIn === true;
  const authProvider = await providerFor(provider, signingIn, {
    begins: liftLimit,
    failed: (why) => (noted.notOpened = why),
  });
  const capped = endingBrokenStreams(cappedFetch());
  const fetch = signingIn ? capped : withoutRegistration(capped);
  const noting = notingChallenges(fetch, url, (challenge) => (noted.challenge = challenge));
  const init = { requestInit: { headers }, fetch: noting, ...defined({ authProvider }) };
  const transport =
    config.type === 'sse' ? new SSEClientTransport(url, init) : new StreamableHTTPClientTransport(url, init);
  return {
    transport: transport as Transport,
    finishAuth: (code) => transport.finishAuth(code),
    get notOpened() {
      return noted.notOpened;
    },
    get challenge() {
      return noted.challenge;
    },
  };
}

/** What a refused call asked for. Rejects where the sign-in does not end well. */
export async function signInForMore(
  provider: McpSignIn,
  challenge: SignInChallenge,
  { entry: { config }, times }: LinkOptions,
  signal: AbortSignal,
): Promise<void> {
  if (config.type === 'stdio') return;
  let why: string | undefined;
  const own = signingInProvider(
    provider,
    { begins: () => undefined, failed: (problem) => (why = problem) },
    challenge.more,
  );
  try {
    const fetch = cappedFetch();
    // The user has as long as they need, a server has not.
    const limited: Fetch = (url, init) =>
      fetch(url, {
        ...init,
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(times.connectMs, longestMs))]),
      });
    await answerChallenge(own, () => provider.authorizationCode(signal), new URL(config.url), challenge, limited);
  } catch (error) {
    throw why === undefined ? error : new Error(why);
  }
}

function providerFor(
  provider: OAuthClientProvider | undefined,
  signingIn: boolean,
  browser: Parameters<typeof signingInProvider>[1],
): Promise<OAuthClientProvider | undefined> {
  if (provider === undefined) return Promise.resolve(undefined);
  return signingIn ? Promise.resolve(signingInProvider(provider, browser, false)) : backgroundProvider(provider);
}

async function headersOf(
  config: Exclude<McpServerConfig, { type: 'stdio' }>,
  options: LinkOptions,
  signal: AbortSignal,
): Promise<Record<string, string> | string> {
  if (config.headersHelper === undefined) return config.headers;
  const helper = {
    server: options.entry.name,
    url: config.url,
    cwd: options.projectFolder,
    environment: await options.environment(),
  };
  const made = await helperHeaders(config.headersHelper, helper, signal);
  return typeof made === 'string' ? made : { ...config.headers, ...made };
}
