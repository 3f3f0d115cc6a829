// A Messages API on 127.0.0.1 that answers from a script, refuses what the real one refuses, and records every request.
import { createServer, type IncomingMessage, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listedModel, modelPage, type ListedModel } from './model-list';
import { recordRequests, type OpenRequest, type RecordedRequest } from './recorded-requests';
import type { HttpError, Reply, ScriptedReply } from './script';
import { closing, sendStream, settled } from './send-reply';
import type { SentReply } from './sent-replies';
import { originOfReply } from './thinking-binding';
import { finishedBlocks, streamSteps, wholeMessage, type StreamDefaults } from './stream-events';
import { tooLong, type Window } from './too-long';
import { refuseBody, refuseHeaders, type ValidationOptions } from './validate-request';
import { isObject, type JsonObject, type Violation } from './violation';

/** Replies in order, or a function that gives the reply for a request (index counts accepted requests from 0). */
export type Script =
  readonly ScriptedReply[] | ((request: RecordedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);

export interface MessagesApiOptions extends ValidationOptions {
  /** 'event' (default) or bytes per write: 1 and 7 also split characters. */
  readonly chunking?: 'event' | number;
  /** Characters per delta; default 20. */
  readonly deltaSize?: number;
  /** Milliseconds before each delta; default 0. */
  readonly interDeltaMs?: number;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Put into generated ids, so that ids of two servers in one session differ. */
  readonly idPrefix?: string;
  /** What GET /v1/models lists: full entries; default one entry for each of `models`. */
  readonly listedModels?: readonly ListedModel[];
  /** Answers every GET /v1/models. */
  readonly modelsError?: HttpError;
  /** Answers count_tokens; default a quarter of the body's length. */
  readonly countTokens?: (body: JsonObject) => number | HttpError;
  /** The tokens of the window, four characters each: what does not fit is refused. */
  readonly window?: Window;
  /** False drops parsed bodies once answered: for long benchmarks. Default true. */
  readonly keepBodies?: boolean;
}

/** A violation and the request that had it (index into `requests`, -1 for other paths). */
export interface RecordedViolation extends Violation {
  readonly request: number;
}

export interface MessagesApi {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Every POST /v1/messages in order of arrival, refused ones too. */
  readonly requests: readonly RecordedRequest[];
  /** Requests for other paths. */
  readonly otherRequests: readonly RecordedRequest[];
  /** What the requests broke; a test ends with `assert.deepEqual(server.violations, [])`. */
  readonly violations: readonly RecordedViolation[];
  /** Replaces what is left of the script; a function's index goes on counting. */
  setScript(script: Script): void;
  /** The n-th POST /v1/messages, counted from 1, as soon as its body is in; rejects when the server closes first. */
  waitForRequest(n: number): Promise<RecordedRequest>;
  /** Destroys all connections. */
  close(): Promise<void>;
}

const maxBodyBytes = 32 * 1024 * 1024;
const defaultModels = ['claude-fable-5', 'claude-opus-5', 'claude-sonnet-5', 'claude-haiku-4-5-20251001'];

/** Starts the server. A request that breaks a rule takes no reply from the script. */
export async function startMessagesApi(script: Script, options: MessagesApiOptions = {}): Promise<MessagesApi> {
  const record = recordRequests();
  const sent: SentReply[] = [];
  const violations: RecordedViolation[] = [];
  let current = script;
  let taken = 0;
  let accepted = 0;
  let requestNumber = 0;

  const nextReply = async (request: RecordedRequest): Promise<ScriptedReply> => {
    const index = accepted++;
    if (typeof current === 'function') return current(request, index);
    const reply = current[taken++];
    if (reply) return reply;
    const message = `The script has no reply for request ${index + 1}.`;
    violations.push({ request: request.index, rule: 'script-exhausted', message });
    return { kind: 'httpError', status: 400, type: 'invalid_request_error', message, headers: {}, rawBody: undefined };
  };

  const answerMessages = async (request: OpenRequest, response: ServerResponse): Promise<void> => {
    const refusal =
      refuseHeaders(request.headers, options) ?? refuseBody(request.parsed, request.headers, sent, options, false);
    if (refusal) {
      violations.push(...refusal.violations.map((violation) => ({ request: request.index, ...violation })));
      return sendError(response, request, refusal);
    }
    const long = options.window === undefined ? undefined : tooLong(request.parsed as JsonObject, options.window);
    if (long !== undefined)
      return sendError(response, request, { status: 400, type: 'invalid_request_error', message: long });
    let reply: ScriptedReply;
    try {
      reply = await nextReply(request);
    } catch (error) {
      violations.push({ request: request.index, rule: 'script-threw', message: String(error) });
      return sendError(response, request, {
        status: 400,
        type: 'invalid_request_error',
        message: `The script threw: ${String(error)}`,
      });
    }
    if (reply.kind === 'hangup') return void response.socket?.destroy();
    if (reply.kind === 'httpError') return sendError(response, request, reply);
    return sendReply(reply, request, response);
  };

  const sendReply = async (reply: Reply, request: OpenRequest, response: ServerResponse): Promise<void> => {
    const body = request.body as JsonObject;
    const number = String(accepted).padStart(4, '0');
    const prefix = options.idPrefix ?? '';
    const defaults: StreamDefaults = {
      model: String(body['model']),
      messageId: `msg_${prefix}${number}`,
      toolUseId: (block) => `toolu_${prefix}${number}_${block}`,
      deltaSize: options.deltaSize ?? 20,
    };
    const own: SentReply = { origin: originOfReply(request.parsed), blocks: [] };
    sent.push(own);
    const client = closing(response);
    await Promise.race([settled(reply.delay), client.promise]);
    if (client.done()) return;
    request.markFirstByte();
    if (body['stream'] !== true) {
      own.blocks.push(...finishedBlocks(reply, defaults));
      sendJson(response, request, 200, wholeMessage(reply, defaults), reply.headers);
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': request.id,
      ...reply.headers,
    });
    response.flushHeaders();
    const outcome = await sendStream(response, streamSteps(reply, defaults), reply, {
      chunking: options.chunking ?? 'event',
      interDeltaMs: options.interDeltaMs ?? 0,
      onFinished: (block) => own.blocks.push(block),
    });
    request.markAnswered(outcome);
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const receivedAt = performance.now();
    incoming.socket.setNoDelay(true);
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
    const isMessages = incoming.method === 'POST' && url.pathname === '/v1/messages';
    const text = await readBody(incoming);
    const request = record.open(isMessages, {
      id: `req_${options.idPrefix ?? ''}${String(++requestNumber).padStart(6, '0')}`,
      method: incoming.method ?? '',
      path: `${url.pathname}${url.search}`,
      headers: incoming.headers,
      text: text ?? '',
      receivedAt,
    });
    response.once('close', () => request.markClosed(options.keepBodies ?? true));
    if (text === undefined) {
      return sendError(response, request, {
        status: 413,
        type: 'request_too_large',
        message: 'Request exceeds the maximum size',
      });
    }
    if (isMessages) return answerMessages(request, response);
    const refusal = refuseHeaders(request.headers, options);
    if (refusal) return sendError(response, request, refusal);
    if (incoming.method === 'POST' && url.pathname === '/v1/messages/count_tokens') {
      const wrong = refuseBody(request.parsed, request.headers, sent, options, true);
      violations.push(...(wrong?.violations ?? []).map((violation) => ({ request: -1, ...violation })));
      if (wrong) return sendError(response, request, wrong);
      const count = options.countTokens?.(request.body as JsonObject) ?? Math.ceil(request.text.length / 4);
      if (typeof count !== 'number') return sendError(response, request, count);
      return sendJson(response, request, 200, { input_tokens: count });
    }
    if (incoming.method === 'GET' && url.pathname === '/v1/models') {
      if (options.modelsError) return sendError(response, request, options.modelsError);
      const listed = options.listedModels ?? (options.models ?? defaultModels).map((id) => listedModel(id));
      return sendJson(response, request, 200, modelPage(listed, url.searchParams));
    }
    return sendError(response, request, {
      status: 404,
      type: 'not_found_error',
      message: `Not found: ${url.pathname}`,
    });
  };

  const server = createServer((incoming, response) => {
    // A client that goes away in the middle of its body or of our answer is a thing tests do on purpose.
    response.on('error', () => undefined);
    handle(incoming, response).catch((error: unknown) => {
      if (incoming.errored || response.destroyed) return;
      violations.push({ request: -1, rule: 'server-error', message: String(error) });
      response.socket?.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: record.messages,
    otherRequests: record.others,
    violations,
    setScript(next) {
      current = next;
      taken = 0;
    },
    waitForRequest: record.waitFor,
    async close() {
      record.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The body as text; undefined where it is over the API's limit. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}

function sendError(
  response: ServerResponse,
  request: OpenRequest,
  error: Pick<HttpError, 'status' | 'type' | 'message'> & Partial<HttpError>,
): void {
  request.markFirstByte();
  if (error.rawBody !== undefined) {
    response.writeHead(error.status, { 'content-type': 'text/html', ...error.headers });
    response.end(error.rawBody);
    return request.markAnswered('complete');
  }
  const body = { type: 'error', error: { type: error.type, message: error.message }, request_id: request.id };
  return sendJson(response, request, error.status, body, error.headers ?? {});
}

function sendJson(
  response: ServerResponse,
  request: OpenRequest,
  status: number,
  body: unknown,
  headers: IncomingHttpHeaders | Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': request.id, ...headers });
  response.end(JSON.stringify(isObject(body) ? body : {}));
  request.markAnswered('complete');
}
