// The proxy that the environment names, and a tunnel through it.
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';

/** From HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in capitals or not. Pages of the web are fetched by https alone; a model may answer by http. */
export function environmentProxy(
  environment: Readonly<Record<string, string | undefined>>,
  { http: alsoHttp = false } = {},
): (url: URL) => URL | undefined {
  const read = (name: string): string => (environment[name] ?? environment[name.toLowerCase()] ?? '').trim();
  const named = (name: string): URL | undefined => {
    const address = read(name);
    const proxy = URL.canParse(address) ? new URL(address) : undefined;
    return proxy !== undefined && /^https?:$/.test(proxy.protocol) ? proxy : undefined;
  };
  const proxies = new Map([
    ['https:', named('HTTPS_PROXY')],
    ...(alsoHttp ? [['http:', named('HTTP_PROXY')] as const] : []),
  ]);
  const direct = read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return (url) => {
    const proxy = proxies.get(url.protocol);
    return proxy !== undefined && !direct.some((entry) => covers(entry, url)) ? proxy : undefined;
  };
}

/** `*`, a name with all that is below it, or either with a port. */
function covers(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (port !== undefined && port !== (url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port))
    return false;
  const suffix = name.replace(/^\*?\./, '');
  return url.hostname === suffix || url.hostname.endsWith(`.${suffix}`);
}

/** A TLS connection to `url` by way of the proxy, its certificate checked. */
export async function connectThrough(proxy: URL, url: URL, signal: AbortSignal): Promise<tls.TLSSocket> {
  const tunnel = await openTunnel(proxy, `${url.hostname}:${url.port === '' ? '443' : url.port}`, signal);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A server name may not be an address; the certificate is checked against either.
  return tls.connect({ socket: tunnel, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

/** Name and password of the proxy's address, as its header wants them. */
export function proxyLogin(proxy: URL): Record<string, string> {
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}

/** Where the proxy itself listens. */
export function proxyPlace(proxy: URL): { host: string; port: number } {
  return {
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
  };
}

function openTunnel(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  const { request } = proxy.protocol === 'https:' ? https : http;
  return new Promise((done, failed) => {
    const asked = request({
      ...proxyPlace(proxy),
      method: 'CONNECT',
      path: target,
      agent: false,
      signal,
      headers: { host: target, ...proxyLogin(proxy) },
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return done(socket);
      socket.destroy();
      failed(new Error(`the proxy ${proxy.host} answered ${statusCode}`));
    });
    asked.once('error', failed).end();
  });
}
