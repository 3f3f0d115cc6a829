// A proxy on this machine that leads every name to one server: plain requests are passed on, and a login may be wanted.
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ForwardProxy {
  readonly url: string;
  /** Whole addresses that were asked for, in order. */
  readonly asked: readonly string[];
  close(): void;
}

/** Passes a request on to the server at `base`, whatever host it names. */
export function passOn(base: () => string): RequestListener {
  return (incoming, response) => {
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://any.test');
    const onward = httpRequest(new URL(`${pathname}${search}`, base()), { method: incoming.method, headers: incoming.headers }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    incoming.pipe(onward);
  };
}

/** `login` is "name:password". */
export async function startForwardProxy(base: () => string, login?: string): Promise<ForwardProxy> {
  const asked: string[] = [];
  const forward = passOn(base);
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createServer((incoming, response) => {
    if (wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted) return void response.writeHead(407).end('login');
    asked.push(incoming.url ?? '');
    forward(incoming, response);
  });
  server.on('connect', (incoming: IncomingMessage, socket) => {
    asked.push(incoming.url ?? '');
    socket.end(wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted ? 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n' : 'HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
