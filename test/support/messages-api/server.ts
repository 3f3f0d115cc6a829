// A Messages API on 127.0.0.1 that answers from a script, refuses what the real one refuses, and records every request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listedModel, modelPage, type ListedModel } from './model-list';
import { recordRequests, type OpenRequest, type RecordedRequest } from './recorded-requests';
import type { HttpError, Reply, ScriptedReply } from './script';
import { sendError, sendJson, type ApiError } from './send-json';
import { closing, sendStream, settled } from './send-reply';
import type { SentReply } from './sent-replies';
import { originOfReply } from './thinking-binding';
import { finishedBlocks, streamSteps, wholeMessage, type StreamDefaults } from './stream-events';
import { tooLong, type Window } from './too-long';
import { refuseBody, refuseHeaders, type ValidationOptions } from './validate-request';
import type { JsonObject, Violation } from './violation';

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
  /** Replaces what is left of the script; a function's index continues to count. */
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
  const api = new ScriptedMessagesApi(script, options);
  await api.listen();
  return api;
}

type Answer = (request: OpenRequest, response: ServerResponse) => void | Promise<void>;

class ScriptedMessagesApi implements MessagesApi {
  readonly violations: RecordedViolation[] = [];
  readonly #options: MessagesApiOptions;
  readonly #record = recordRequests();
  readonly #sent: SentReply[] = [];
  readonly #server: Server;
  #url = '';
  #script: Script;
  /** How many replies of a list are used up. */
  #taken = 0;
  #accepted = 0;
  #arrived = 0;

  /** Paths other than POST /v1/messages. */
  readonly #otherPaths: Readonly<Record<string, Answer>> = {
    'POST /v1/messages/count_tokens': (request, response) => this.#countTokens(request, response),
    'GET /v1/models': (request, response) => this.#listModels(request, response),
  };

  constructor(script: Script, options: MessagesApiOptions) {
    this.#script = script;
    this.#options = options;
    this.#server = createServer((incoming, response) => {
      // A client that goes away in the middle of its body or of our answer is a thing tests do on purpose.
      response.on('error', () => undefined);
      this.#handle(incoming, response).catch((error: unknown) => {
        if (incoming.errored || response.destroyed) return;
        this.violations.push({ request: -1, rule: 'server-error', message: String(error) });
        response.socket?.destroy();
      });
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  get url(): string {
    return this.#url;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#record.messages;
  }

  get otherRequests(): readonly RecordedRequest[] {
    return this.#record.others;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port ?? 0, '127.0.0.1', resolve);
    });
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  setScript(script: Script): void {
    this.#script = script;
    this.#taken = 0;
  }

  waitForRequest(n: number): Promise<RecordedRequest> {
    return this.#record.waitFor(n);
  }

  async close(): Promise<void> {
    this.#record.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = performance.now();
    incoming.socket.setNoDelay(true);
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
    const asked = `${incoming.method ?? ''} ${url.pathname}`;
    const isMessages = asked === 'POST /v1/messages';
    const text = await readBody(incoming);
    const request = this.#record.open(isMessages, {
      id: `req_${this.#options.idPrefix ?? ''}${String(++this.#arrived).padStart(6, '0')}`,
      method: incoming.method ?? '',
      path: `${url.pathname}${url.search}`,
      headers: incoming.headers,
      text: text ?? '',
      receivedAt,
    });
    response.once('close', () => request.markClosed(this.#options.keepBodies ?? true));
    if (text === undefined) {
      return sendError(response, request, {
        status: 413,
        type: 'request_too_large',
        message: 'Request exceeds the maximum size',
      });
    }
    if (isMessages) return this.#answerMessages(request, response);
    const refusal = refuseHeaders(request.headers, this.#options);
    if (refusal) return sendError(response, request, refusal);
    const answer = this.#otherPaths[asked];
    if (answer) return answer(request, response);
    return sendError(response, request, {
      status: 404,
      type: 'not_found_error',
      message: `Not found: ${url.pathname}`,
    });
  }

  #countTokens(request: OpenRequest, response: ServerResponse): void {
    const refusal = refuseBody(request.parsed, request.headers, this.#sent, this.#options, true);
    if (refusal) {
      this.#recordViolations(-1, refusal.violations);
      return sendError(response, request, refusal);
    }
    const count = this.#options.countTokens?.(request.body as JsonObject) ?? Math.ceil(request.text.length / 4);
    if (typeof count !== 'number') return sendError(response, request, count);
    return sendJson(response, request, 200, { input_tokens: count });
  }

  #listModels(request: OpenRequest, response: ServerResponse): void {
    const { modelsError, models, listedModels } = this.#options;
    if (modelsError) return sendError(response, request, modelsError);
    const listed = listedModels ?? (models ?? defaultModels).map((id) => listedModel(id));
    const { searchParams } = new URL(request.path, 'http://127.0.0.1');
    return sendJson(response, request, 200, modelPage(listed, searchParams));
  }

  async #answerMessages(request: OpenRequest, response: ServerResponse): Promise<void> {
    const refusal = this.#refuse(request);
    if (refusal) return sendError(response, request, refusal);
    let reply: ScriptedReply;
    try {
      reply = await this.#nextReply(request);
    } catch (error) {
      this.#recordViolations(request.index, [{ rule: 'script-threw', message: String(error) }]);
      return sendError(response, request, badRequest(`The script threw: ${String(error)}`));
    }
    if (reply.kind === 'hangup') return void response.socket?.destroy();
    if (reply.kind === 'httpError') return sendError(response, request, reply);
    return this.#sendReply(reply, request, response);
  }

  /** What the real API answers instead of a reply; a request that is only too long broke no rule. */
  #refuse(request: OpenRequest): ApiError | undefined {
    const { window } = this.#options;
    const refusal =
      refuseHeaders(request.headers, this.#options) ??
      refuseBody(request.parsed, request.headers, this.#sent, this.#options, false);
    if (refusal) {
      this.#recordViolations(request.index, refusal.violations);
      return refusal;
    }
    const long = window === undefined ? undefined : tooLong(request.parsed as JsonObject, window);
    return long === undefined ? undefined : badRequest(long);
  }

  async #nextReply(request: RecordedRequest): Promise<ScriptedReply> {
    const index = this.#accepted++;
    if (typeof this.#script === 'function') return this.#script(request, index);
    const reply = this.#script[this.#taken++];
    if (reply) return reply;
    const message = `The script has no reply for request ${index + 1}.`;
    this.#recordViolations(request.index, [{ rule: 'script-exhausted', message }]);
    return { kind: 'httpError', ...badRequest(message), headers: {}, rawBody: undefined };
  }

  async #sendReply(reply: Reply, request: OpenRequest, response: ServerResponse): Promise<void> {
    const { idPrefix = '', deltaSize = 20, chunking = 'event', interDeltaMs = 0 } = this.#options;
    const body = request.body as JsonObject;
    const number = String(this.#accepted).padStart(4, '0');
    const defaults: StreamDefaults = {
      model: String(body['model']),
      messageId: `msg_${idPrefix}${number}`,
      toolUseId: (block) => `toolu_${idPrefix}${number}_${block}`,
      deltaSize,
    };
    const own: SentReply = { origin: originOfReply(request.parsed), blocks: [] };
    this.#sent.push(own);
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
      chunking,
      interDeltaMs,
      onFinished: (block) => own.blocks.push(block),
    });
    request.markAnswered(outcome);
  }

  #recordViolations(request: number, broken: readonly Violation[]): void {
    this.violations.push(...broken.map((violation) => ({ request, ...violation })));
  }
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

function badRequest(message: string): ApiError {
  return { status: 400, type: 'invalid_request_error', message };
}
