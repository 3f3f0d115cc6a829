// Fetches one page over HTTP, and connects to no address of this machine or of the local network.
import { type LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { abortable } from '../../core/text/abortable';
import { type WebClient, type WebOutcome, type WebRequest } from '../../core/ports/web';
import { isLocalName, isPrivateAddress } from './web-address';
import { acceptEncoding, readBody } from './web-body';
import { connectThrough } from './web-proxy';

export interface WebClientOptions {
  version: string;
  toMarkdown: WebClient['toMarkdown'];
  /**
   * The proxy for an address, if any. A proxy resolves names itself: then only literal addresses and local names can be
   * judged here. VS Code's own proxy settings work underneath `node:http` and need nothing of this.
   */
  proxyFor?: ((url: URL) => URL | undefined) | undefined;
  /** For tests, whose servers are on this machine. */
  isPrivate?: (address: string) => boolean;
  /** For tests: all addresses of a name. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

type Refused = Extract<WebOutcome, { outcome: 'refused' }>;

export function createWebClient(options: WebClientOptions): WebClient {
  const isPrivate = options.isPrivate ?? isPrivateAddress;
  return {
    refusal: (url) => (URL.canParse(url) ? judgeUrl(new URL(url), isPrivate)?.message : undefined),
    fetch: (request, signal) => fetchOnce(request, signal, options, isPrivate),
    toMarkdown: options.toMarkdown,
  };
}

async function fetchOnce(
  request: WebRequest,
  signal: AbortSignal,
  options: WebClientOptions,
  isPrivate: (address: string) => boolean,
): Promise<WebOutcome> {
  signal.throwIfAborted();
  if (!URL.canParse(request.url)) return refused('failed', `${request.url} is not an address.`);
  const url = new URL(request.url);
  const refusal = judgeUrl(url, isPrivate);
  if (refusal !== undefined) return refusal;

  const deadline = AbortSignal.timeout(request.timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  try {
    const response = await abortable(send(url, request, either, isPrivate, options), either);
    const headers = headersOf(response);
    const { statusCode: status = 0 } = response;
    const isPage = status >= 200 && status < 300;
    // What a redirect or an error page says is of no use to anybody.
    if (!isPage) response.destroy();
    const body = isPage
      ? await withAbort(readBody(response, request.maxBytes), response, either)
      : { bytes: new Uint8Array(), truncated: false };
    return { outcome: 'response', status, headers, ...body };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted)
      return refused('timeout', `${url.host} did not send the page within ${request.timeoutMs / 1000} s.`);
    return failureOf(error, url);
  }
}

/** What can be decided without asking anybody. */
function judgeUrl(url: URL, isPrivate: (address: string) => boolean): Refused | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('failed', `Only https and http are fetched, not ${url.protocol.slice(0, -1)}.`);
  if (url.username !== '' || url.password !== '')
    return refused('failed', 'An address with a name or password in it is not fetched.');
  const host = hostOf(url);
  const local = isIP(host) === 0 ? isLocalName(host) : isPrivate(host);
  return local ? privateRefusal(host) : undefined;
}

/** Resolves with the response's head; its body is still to be read. */
async function send(
  url: URL,
  request: WebRequest,
  signal: AbortSignal,
  isPrivate: (address: string) => boolean,
  { version, proxyFor, resolve = (host) => systemLookup(host, { all: true }) }: WebClientOptions,
): Promise<http.IncomingMessage> {
  const proxy = proxyFor?.(url);
  const socket = proxy === undefined ? undefined : await connectThrough(proxy, url, signal);
  const { request: open } = url.protocol === 'https:' ? https : http;
  return new Promise((done, failed) => {
    const sent = open(url, {
      // No connection of anybody else's is used, and none is left behind.
      ...(socket === undefined
        ? { agent: false, lookup: judgedLookup(resolve, isPrivate) }
        : { createConnection: () => socket, defaultPort: 443 }),
      signal,
      headers: {
        ...withoutCredentials(request.headers),
        'user-agent': `Deft/${version}`,
        'accept-encoding': acceptEncoding,
        connection: 'close',
      },
    });
    sent.once('socket', (used) => {
      // VS Code may put an agent of its own underneath, which keeps connections that were never judged.
      if (sent.reusedSocket && isPrivate(used.remoteAddress ?? '')) sent.destroy(new PrivateAddress());
    });
    sent.once('response', done).once('error', failed);
    // A server that changes the protocol, or hangs up without a word, sends no page.
    sent.once('upgrade', (_response, used) => {
      used.destroy();
      failed(new Error('the server wants another protocol'));
    });
    sent.once('close', () => failed(new Error('the connection was closed')));
    sent.end();
  });
}

class PrivateAddress extends Error {}

/** Every address of the name is judged, and only these are connected to: what the name leads to later does not matter. */
function judgedLookup(
  resolve: NonNullable<WebClientOptions['resolve']>,
  isPrivate: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined)
          return callback(Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND' }), '');
        if (addresses.some(({ address }) => isPrivate(address))) return callback(new PrivateAddress(), '');
        return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/** Reading ends with the signal even where the connection says nothing. */
async function withAbort<Value>(
  work: Promise<Value>,
  response: http.IncomingMessage,
  signal: AbortSignal,
): Promise<Value> {
  const stop = (): void => void response.destroy(new Error('aborted'));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await abortable(work, signal);
  } finally {
    signal.removeEventListener('abort', stop);
    response.destroy();
  }
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:cookie|authorization|proxy-authorization|x-api-key)$/i.test(name)),
  );
}

function headersOf({ headers }: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function failureOf(error: unknown, url: URL): Refused {
  if (error instanceof PrivateAddress) return privateRefusal(url.hostname);
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return refused('not_found', `The name ${url.hostname} was not found. Check the address.`);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) {
    return refused(
      'tls',
      `No safe connection to ${url.host} could be made (${code}). Only https with a valid certificate is fetched.`,
    );
  }
  return refused(
    'failed',
    `${url.host} could not be read: ${code === '' || message.includes(code) ? message : `${message} (${code})`}.`,
  );
}

function privateRefusal(host: string): Refused {
  return refused('private', `${host} is an address of this machine or of the local network, which is not fetched.`);
}

function refused(code: Refused['code'], message: string): Refused {
  return { outcome: 'refused', code, message };
}

/** Without the brackets of IPv6 and a dot at the end. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
