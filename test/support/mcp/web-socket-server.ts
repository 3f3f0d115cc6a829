// An MCP server over WebSocket on this machine, which notes what it is asked and how.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface WebSocketMcpServer {
  readonly url: string;
  /** Of each handshake. */
  readonly handshakes: { headers: IncomingHttpHeaders; protocol: string }[];
  /** Every connection ends at once, without a goodbye. */
  breakAll(): void;
  close(): Promise<void>;
}

/** `refuses` answers each handshake with this status instead. */
export async function startWebSocketServer({ refuses }: { refuses?: number } = {}): Promise<WebSocketMcpServer> {
  const handshakes: WebSocketMcpServer['handshakes'] = [];
  const http = createServer();
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
  });
  http.on('upgrade', (request, socket, head) => {
    if (refuses !== undefined) return void socket.end(`HTTP/1.1 ${refuses} Refused\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      handshakes.push({ headers: request.headers, protocol: opened.protocol });
      opened.on('message', (data: Buffer) => answer(opened, JSON.parse(data.toString()) as Message));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    handshakes,
    breakAll: () => sockets.clients.forEach((client) => client.terminate()),
    async close() {
      sockets.clients.forEach((client) => client.terminate());
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}

interface Message {
  id?: number;
  method: string;
  params?: { protocolVersion?: string; name?: string; arguments?: { text?: string } };
}

function answer(socket: WebSocket, { id, method, params }: Message): void {
  if (id === undefined) return;
  const send = (message: unknown): void => socket.send(JSON.stringify(message));
  switch (method) {
    case 'initialize':
      return send({
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'sockets', version: '1' },
        },
      });
    case 'tools/list':
      return send({
        jsonrpc: '2.0',
        id,
        result: {
          tools: ['echo', 'flood', 'nonsense'].map((name) => ({
            name,
            description: `Does ${name}.`,
            inputSchema: { type: 'object' },
          })),
        },
      });
    case 'tools/call':
      if (params?.name === 'flood') return socket.send('x'.repeat(20 * 1024 * 1024));
      if (params?.name === 'nonsense') {
        socket.send('{"jsonrpc":');
        socket.send(Buffer.from([1, 2, 3]));
      }
      return send({
        jsonrpc: '2.0',
        id,
        result: { content: [{ type: 'text', text: `Echo: ${params?.arguments?.text ?? ''}` }] },
      });
    default:
      return send({ jsonrpc: '2.0', id, result: {} });
  }
}
