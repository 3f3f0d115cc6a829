// A cloud's own door on 127.0.0.1: it checks who asks and where, and hands the request to the scripted Messages API behind it.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type MessagesApi } from '../messages-api/server';
import { chunkFrame, exceptionFrame } from './event-stream';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

/** An answer of the cloud itself. */
export interface CloudAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface CloudFront {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Why the door refused; a test ends with an empty list. */
  readonly refused: string[];
  /** The next request gets this in place of a model's answer. */
  answerNext(answer: CloudAnswer): void;
  close(): Promise<void>;
}

export interface CloudFrontOptions {
  /** What is wrong with who asks. */
  check(request: SeenRequest): string | undefined;
  /** The model of a path, undefined where the path is wrong. */
  modelOf(request: SeenRequest): string | undefined;
  /** What the Messages API calls it. */
  vendorModel?: string;
  /** Bytes per write of an answer in AWS's framing; without it the events go through as they are. */
  awsChunk?: number;
}

export async function startCloudFront(api: Pick<MessagesApi, 'url'>, options: CloudFrontOptions): Promise<CloudFront> {
  const seen: SeenRequest[] = [];
  const refused: string[] = [];
  const answers: CloudAnswer[] = [];
  const send = (response: ServerResponse, { status, headers, body }: CloudAnswer): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const request: SeenRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      text,
      body: JSON.parse(text || '{}') as Record<string, unknown>,
    };
    seen.push(request);
    const model = options.modelOf(request);
    const wrong = options.check(request) ?? (model === undefined ? `path ${request.url}` : undefined);
    if (wrong !== undefined) {
      refused.push(wrong);
      return send(response, { status: 403, body: { message: wrong } });
    }
    const answer = answers.shift();
    if (answer !== undefined) return send(response, answer);
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    const { path, headers, body } = vendorRequest(request, options);
    const result = await fetch(`${api.url}${path}`, { method: 'POST', headers, body, signal: stop.signal });
    const type = result.headers.get('content-type') ?? '';
    if (options.awsChunk === undefined || !type.includes('event-stream')) {
      response.writeHead(result.status, { 'content-type': type });
      for await (const bytes of result.body ?? []) response.write(bytes);
      response.end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': 'aws-request-1',
    });
    await inFrames(result, response, options.awsChunk);
    response.end();
  };
  const server = createServer((incoming, response) => {
    // What breaks behind the door breaks the connection in front of it.
    handle(incoming, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    refused,
    answerNext: (answer) => answers.push(answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The request as the Messages API takes it. */
function vendorRequest(request: SeenRequest, options: CloudFrontOptions) {
  const { anthropic_version: _version, anthropic_beta: betas, ...body } = request.body;
  const path =
    request.url.includes('count-tokens') || request.url.includes('count_tokens')
      ? '/v1/messages/count_tokens'
      : '/v1/messages';
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-api-key': 'behind-the-door',
    'anthropic-version': '2023-06-01',
  };
  const beta = Array.isArray(betas) ? betas.join(',') : request.headers['anthropic-beta'];
  if (beta !== undefined) headers['anthropic-beta'] = String(beta);
  const stream = options.awsChunk !== undefined || body['stream'] === true;
  const forwarded = {
    ...body,
    model: options.vendorModel ?? 'claude-opus-5',
    ...(stream && path === '/v1/messages' ? { stream: true } : {}),
  };
  return { path, headers, body: JSON.stringify(forwarded) };
}

/** An error event becomes an exception, as Bedrock has it. */
async function inFrames(result: Response, response: ServerResponse, size: number): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of result.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    const frames = events.map((event) => {
      const data = event.slice(event.indexOf('data: ') + 6);
      const parsed = JSON.parse(data) as { type: string; error?: { type: string; message: string } };
      return parsed.type === 'error'
        ? exceptionFrame(parsed.error?.type ?? '', parsed.error?.message ?? '')
        : chunkFrame(data);
    });
    const all = Buffer.concat(frames);
    for (let at = 0; at < all.length; at += size) {
      response.write(all.subarray(at, at + size));
      // Each piece is a packet of its own, as far as that can be had.
      if (size < 1000) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
