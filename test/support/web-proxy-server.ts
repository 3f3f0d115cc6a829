// A site over https on this machine, and a proxy that leads every name to it: how tests reach names that do not exist.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { type Certificate } from './certificate';

export interface ProxiedSite {
  /** The proxy's address. */
  readonly proxy: string;
  /** What the proxy was asked to connect to, in order. */
  readonly tunnels: readonly { target: string; authorization: string | undefined }[];
  /** What reached the site. */
  readonly requests: readonly IncomingMessage[];
  close(): void;
}

export async function startProxiedSite({ key, cert }: Certificate, listener: RequestListener): Promise<ProxiedSite> {
  const tunnels: { target: string; authorization: string | undefined }[] = [];
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const site = createSecureServer({ key, cert }, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    tunnels.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    const server = connect((site.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.write(head);
      server.pipe(client).pipe(server);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  });
  const port = async (server: typeof site | typeof proxy): Promise<number> => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return (server.address() as AddressInfo).port;
  };
  await port(site);
  return {
    proxy: `http://127.0.0.1:${await port(proxy)}`,
    tunnels,
    requests,
    close() {
      for (const socket of sockets) socket.destroy();
      site.close();
      proxy.close();
    },
  };
}
