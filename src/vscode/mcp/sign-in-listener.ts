// The address on this machine that the browser comes back to, where an entry names a port (`callbackPort`).
import { createServer, type Server } from 'node:http';

const base = 'http://localhost';

/** Rejects with a sentence where the port is taken. */
export function listenForSignIn(port: number, cameBack: (query: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const asked = request.url ?? '/';
    // Any program of this machine can ask for `//`, which is not an address.
    if (!URL.canParse(asked, base)) return void response.writeHead(400).end();
    const url = new URL(asked, base);
    if (url.pathname !== '/callback') return void response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
      .end('Back to the editor: you can close this page.');
    cameBack(url.search.slice(1));
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`the port ${port} (\`callbackPort\`) is in use. Close what uses it, or name another one.`)
          : error,
      ),
    );
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
