// A request that got no answer: which part of the way failed, whether waiting helps, and what the user can do.
import { type ModelErrorDetails } from '../core/text/errors';

export interface ConnectionFailure {
  message: string;
  details: ModelErrorDetails;
  retryable: boolean;
  /** The end of the message: what to do next. */
  next: string;
}

export interface ConnectionFacts {
  host: string;
  /** The response's headers had arrived. */
  connected: boolean;
  /** This host has answered before. */
  answered: boolean;
  /** What names the address, where the user may have mistyped it. */
  addressFrom?: string | undefined;
}

/** Tries at a server that has never answered: somebody has to start it, or to correct its address. */
const triesAtNewServer = 5;

/** `chain` holds the error, its cause, the cause of that, and so on. */
export function connectionFailure(
  chain: readonly Record<string, unknown>[],
  { host, connected, answered, addressFrom }: ConnectionFacts,
): ConnectionFailure {
  const code = codeOf(chain);
  if (chain.some((link) => link['name'] === 'APIConnectionTimeoutError') || code === 'UND_ERR_HEADERS_TIMEOUT') {
    return fail('timeout', `${host} did not answer in time. Try again.`);
  }
  // Half an event at a clean end is a lost connection too: its JSON does not parse.
  if (connected) return fail('dropped', `${lostSentence(host)}${code === undefined ? '' : ` (${code})`}.`);
  if (code === 'ERR_INVALID_URL')
    return fail('network', `"${host}" is not an address of a model API. Check the base URL.`, false);
  return wayFailure(chain, code, host) ?? noAnswer(chain, code, { host, answered, addressFrom });
}

function fail(
  kind: ModelErrorDetails['kind'],
  message: string,
  retryable = true,
  more: Partial<ModelErrorDetails> = {},
): ConnectionFailure {
  return { message, details: { kind, ...more }, retryable, next: / (Try again\.)$/.exec(message)?.[1] ?? '' };
}

/** What failed on the way: a proxy, a certificate, a port; undefined where it is none of these. */
function wayFailure(
  chain: readonly Record<string, unknown>[],
  code: string | undefined,
  host: string,
): ConnectionFailure | undefined {
  const text = lastText(chain);
  // Node's fetch gives no reason where the answer is a 407, and only there.
  if (
    chain.some(({ message }) => /\b407\b/.test(String(message))) ||
    (code === undefined && text === '') ||
    code === 'ERR_PROXY_AUTH_REQUESTED'
  ) {
    return fail('network', proxyLoginSentence(host), false, { status: 407 });
  }
  if (
    chain.some(({ message }) => /proxy response|tunnel|^the proxy .* answered/i.test(String(message))) ||
    code === 'ERR_TUNNEL_CONNECTION_FAILED'
  ) {
    return fail(
      'network',
      `The proxy did not connect to ${host} (${shortReason(chain)}). Check the proxy, or add ${nameOf(host)} to NO_PROXY.`,
    );
  }
  if (code !== undefined && noTls.test(code))
    return fail(
      'network',
      `${host} answered without TLS (${code}). If the server there speaks plain HTTP, begin the base URL with http:// instead of https://.`,
      false,
    );
  if (code !== undefined && headersTooLong.has(code))
    return fail(
      'network',
      `The headers of the answer from ${host} are too large (${code}). A gateway or proxy on the way may add them: check the base URL.`,
      false,
    );
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS|ERR_SSL/.test(code)) {
    return fail(
      'network',
      `The certificate of ${host} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the certificate file of the authority that signed it, and start again.`,
      false,
    );
  }
  if (/^bad port$/i.test(text))
    return fail('network', `The port of ${host} is blocked for web requests. Check the base URL.`, false);
  return undefined;
}

function noAnswer(
  chain: readonly Record<string, unknown>[],
  code: string | undefined,
  { host, answered, addressFrom }: Pick<ConnectionFacts, 'host' | 'answered' | 'addressFrom'>,
): ConnectionFailure {
  if (code === undefined) {
    const text = lastText(chain);
    // Unsendable headers and the like fail the same way each time.
    return fail(
      'network',
      `The request to ${host} could not be sent: ${text.replace(/\.$/, '')}.`,
      /^(fetch failed|terminated|other side closed)$/i.test(text),
    );
  }
  const proxy = code === 'ERR_PROXY_CONNECTION_FAILED' ? 'The proxy' : proxyOf(chain, host);
  if (proxy !== undefined)
    return fail(
      'network',
      `${proxy} on the way to ${host} does not answer (${code}). Check that it runs, or remove it from the settings.`,
    );
  const reason = `${reasons[code] ?? 'it failed'} (${code})`;
  const away = `No connection to ${host}: ${reason}.`;
  if (code === 'ECONNREFUSED' && isLocal(host) && !answered)
    return fail('network', `${away} Start the server there, then try again.`, true, { maxTries: triesAtNewServer });
  if (unknownHost.has(code) && !answered && addressFrom !== undefined) {
    return fail(
      'network',
      `No connection to ${host}: ${reason}. This machine is offline, or the address is mistyped: check ${addressFrom}.`,
      true,
      { maxTries: triesAtNewServer },
    );
  }
  return noWay.has(code) ? fail('offline', away) : fail('network', `${away} Try again.`);
}

/** What a TLS client says of an answer in plain text: Node's codes, and Chromium's. */
const noTls = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|PROTOCOL_ERROR)$/;

const headersTooLong = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'ERR_RESPONSE_HEADERS_TOO_BIG']);

function lastText(chain: readonly Record<string, unknown>[]): string {
  return String(chain.at(-1)?.['message'] ?? 'the reason is unknown');
}

export function proxyLoginSentence(host: string): string {
  return `The proxy on the way to ${host} requires a name and a password (407). Put them into the address of the proxy (http://name:password@host:port).`;
}

export function lostSentence(host: string): string {
  return `The connection to ${host} was lost in the middle of the reply`;
}

/** The connection was closed before an answer, as happens where one that lay idle is used again. */
export function isReset(chain: readonly Record<string, unknown>[]): boolean {
  return [
    'ECONNRESET',
    'EPIPE',
    'UND_ERR_SOCKET',
    'ERR_CONNECTION_RESET',
    'ERR_CONNECTION_CLOSED',
    'ERR_EMPTY_RESPONSE',
  ].includes(codeOf(chain) ?? '');
}

export function causes(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  let link = error;
  while (typeof link === 'object' && link !== null && chain.length < 8) {
    // `name` and `message` of errors are inherited or hidden: read them by name.
    const { name, message, code, address, port, errors, cause } = link as Record<string, unknown>;
    chain.push({ name, message, code, address, port });
    link = Array.isArray(errors) && errors.length > 0 ? (errors as unknown[])[0] : cause;
  }
  return chain;
}

/** Node's code, or Chromium's, which VS Code's fetch may use: "net::ERR_INTERNET_DISCONNECTED". */
function codeOf(chain: readonly Record<string, unknown>[]): string | undefined {
  const code = chain.map((link) => link['code']).find((value) => typeof value === 'string');
  return code ?? /\bnet::(ERR_\w+)/.exec(chain.map(({ message }) => String(message)).join(' '))?.[1];
}

/** A connection to this machine was refused on the way to another one. */
function proxyOf(chain: readonly Record<string, unknown>[], host: string): string | undefined {
  const refused = chain.find(({ address, port }) => typeof address === 'string' && typeof port === 'number');
  if (refused === undefined || isLocal(host) || !isLocal(String(refused['address']))) return undefined;
  return `The proxy at ${String(refused['address'])}:${String(refused['port'])}`;
}

function isLocal(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?)(:\d+)?$/i.test(host);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function shortReason(chain: readonly Record<string, unknown>[]): string {
  return String(chain.at(-1)?.['message'] ?? '').replace(/\.$/, '');
}

/** Also what a machine without a connection says of hosts that there are. */
const unknownHost = new Set(['ENOTFOUND', 'ERR_NAME_NOT_RESOLVED']);

/** Nothing was reached at all. */
const noWay = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ERR_INTERNET_DISCONNECTED',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_NETWORK_CHANGED',
  'ERR_ADDRESS_UNREACHABLE',
  'ERR_CONNECTION_REFUSED',
  'ERR_NETWORK_IO_SUSPENDED',
]);

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'host names cannot be looked up',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'it timed out',
  EPIPE: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'it timed out',
  UND_ERR_SOCKET: 'the connection was closed',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  EHOSTUNREACH: 'the host cannot be reached',
  EHOSTDOWN: 'the host is down',
  ERR_INTERNET_DISCONNECTED: 'this machine is not connected',
  ERR_NAME_NOT_RESOLVED: 'the host name is not known',
  ERR_NETWORK_CHANGED: 'the network has changed',
  ERR_ADDRESS_UNREACHABLE: 'the host cannot be reached',
  ERR_CONNECTION_REFUSED: 'nothing answers there',
  ERR_CONNECTION_RESET: 'the connection was reset',
  ERR_NETWORK_IO_SUSPENDED: 'the machine was asleep',
};
