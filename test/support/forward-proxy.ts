// A proxy on this machine that leads every name to one server: plain requests are passed on, and a login may be wanted.
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';

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
    const onward = httpRequest(
      new URL(`${pathname}${search}`, base()),
      { method: incoming.method, headers: incoming.headers },
      (answer: IncomingMessage) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    incoming.pipe(onward);
  };
}

/** `login` is "name:password"; `tunnels`: it connects where it is asked to, as for https. */
export async function startForwardProxy(base: () => string, login?: string, tunnels = false): Promise<ForwardProxy> {
  const asked: string[] = [];
  const forward = passOn(base);
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createServer((incoming, response) => {
    if (wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted)
      return void response.writeHead(407).end('login');
    asked.push(incoming.url ?? '');
    forward(incoming, response);
  });
  const ends = new Set<Duplex>();
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    asked.push(incoming.url ?? '');
    if (wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (!tunnels) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const { hostname, port } = new URL(base());
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) {
      ends.add(end);
      end.on('error', () => onward.destroy());
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      for (const end of ends) end.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
