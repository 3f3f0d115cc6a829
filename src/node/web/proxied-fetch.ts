// A fetch that goes through the proxy of the environment: Node's own knows none before version 24. Redirects are not followed, nothing is compressed.
import * as http from 'node:http';
import * as https from 'node:https';
import { type Duplex, Readable } from 'node:stream';
import { connectThrough, environmentProxy, proxyLogin, proxyPlace } from './web-proxy';

/** Undefined where the environment names no proxy. What is on this machine is reached without one. */
export function fetchThroughProxy(
  environment: Readonly<Record<string, string | undefined>>,
  direct: typeof fetch,
): typeof fetch | undefined {
  const named = environmentProxy(environment, { http: true });
  const names = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => [environment[name], environment[name.toLowerCase()]]);
  if (names.every((value) => (value ?? '').trim() === '')) return undefined;
  const agents = new Map<string, https.Agent>();
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = isLocal(url.hostname) ? undefined : named(url);
    if (proxy === undefined) return direct(input, init);
    const agent = agents.get(proxy.href) ?? tunnelling(proxy);
    agents.set(proxy.href, agent);
    return send(url, proxy, agent, init);
  };
}

function isLocal(name: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(name);
}

/** Keeps its tunnels for the next request. */
function tunnelling(proxy: URL): https.Agent {
  const agent = new https.Agent({ keepAlive: true });
  const connect = (options: https.RequestOptions, done: (error: Error | null, socket?: Duplex) => void): undefined => {
    const host = String(options.host);
    const target = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${options.port ?? 443}`);
    connectThrough(proxy, target, options.signal ?? new AbortController().signal).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return Object.assign(agent, { createConnection: connect });
}

function send(url: URL, proxy: URL, agent: https.Agent, init: RequestInit): Promise<Response> {
  const headers: Record<string, string> = {
    ...Object.fromEntries(new Headers(init.headers)),
    'accept-encoding': 'identity',
  };
  const options = { method: init.method ?? 'GET', ...(init.signal == null ? {} : { signal: init.signal }) };
  return new Promise((done, failed) => {
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, headers, agent })
        : (proxy.protocol === 'https:' ? https : http).request({
            ...options,
            ...proxyPlace(proxy),
            path: url.href,
            headers: { ...headers, host: url.host, ...proxyLogin(proxy) },
          });
    request.once('response', (incoming) => {
      const status = incoming.statusCode ?? 502;
      const isEmpty = status === 204 || status === 304;
      const answer = new Headers();
      for (const [name, values] of Object.entries(incoming.headersDistinct))
        for (const value of values ?? []) answer.append(name, value);
      if (isEmpty) incoming.resume();
      // What has arrived already is not read any more either.
      const stop = (): void => void incoming.destroy(new DOMException('The request was aborted.', 'AbortError'));
      init.signal?.addEventListener('abort', stop, { once: true });
      incoming.once('close', () => init.signal?.removeEventListener('abort', stop));
      done(
        new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>), {
          status,
          headers: answer,
        }),
      );
    });
    request.once('error', failed);
    writeBody(request, init.body).catch((error: unknown) =>
      request.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
}

async function writeBody(request: http.ClientRequest, body: RequestInit['body']): Promise<void> {
  if (body == null) return void request.end();
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? [body] : (new Response(body).body ?? []);
  for await (const piece of bytes as AsyncIterable<string | Uint8Array>) {
    if (!request.write(piece))
      await new Promise<void>((resolve) => (request.once('drain', resolve), request.once('close', resolve)));
  }
  request.end();
}
