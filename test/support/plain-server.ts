// A self-hosted model server, as users run them: the plain Messages API without a key, and any unknown field is refused.
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

const fields = ['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'metadata', 'stream'];
const toolFields = ['name', 'description', 'input_schema', 'cache_control'];

export interface PlainServer {
  readonly url: string;
  /** Of every request, a body where it had one. */
  readonly requests: { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[];
  /** What each reply says. */
  answer: string;
  /** Undefined: it has no list. */
  models: object | undefined;
  close(): void;
}

export async function startPlainServer(): Promise<PlainServer> {
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & { tools?: object[] };
      server.requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (request.method === 'GET') {
        response
          .writeHead(server.models === undefined ? 404 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(server.models ?? { error: 'Not found' }));
        return;
      }
      const unknown = [
        ...Object.keys(body).filter((key) => !fields.includes(key)),
        ...(body.tools ?? []).flatMap((tool) => Object.keys(tool).filter((key) => !toolFields.includes(key))),
      ];
      if (unknown.length > 0) {
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message: `unknown field ${unknown.join(', ')}` } }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (type: string, rest: object): unknown =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
      send('message_start', {
        message: {
          id: `m${server.requests.length}`,
          type: 'message',
          role: 'assistant',
          content: [],
          model: body['model'],
          usage: { input_tokens: 1, output_tokens: 0 },
        },
      });
      send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: server.answer } });
      send('content_block_stop', { index: 0 });
      send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } });
      send('message_stop', {});
      response.end();
    });
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const server: PlainServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    answer: 'Hello.',
    models: undefined,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
  return server;
}
