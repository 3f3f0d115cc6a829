// The requests that a scripted server saw: bodies, times, and how each answer ended.
import type { IncomingHttpHeaders } from 'node:http';
import { soundDeep } from '../../../src/shared/sound-text';
import type { SendOutcome } from './send-reply';
import { isObject, type JsonObject } from './violation';

export interface RecordedRequest {
  /** Position among the recorded requests of its kind, from 0. */
  readonly index: number;
  /** The request-id header of the answer. */
  readonly id: string;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body; empty once dropped (`keepBodies: false`). */
  readonly text: string;
  /** The parsed body; an empty object where it is not JSON. */
  readonly body: JsonObject;
  /** Milliseconds of performance.now(): request line and headers in. */
  readonly receivedAt: number;
  /** Milliseconds: first byte of the answer out; undefined before. */
  readonly firstByteAt: number | undefined;
  /** Milliseconds: last byte of the answer out; undefined before, and where the client left early. */
  readonly answeredAt: number | undefined;
  /** Resolves when the answer's connection is done: sent whole, cut by a scripted fault, or left by the client. */
  readonly ended: Promise<SendOutcome>;
}

/** A recorded request as its handler sees it. */
export interface OpenRequest extends RecordedRequest {
  /** What the body parsed to; undefined where it is not JSON. */
  readonly parsed: unknown;
  markFirstByte(): void;
  markAnswered(outcome: SendOutcome): void;
  markClosed(keepBody: boolean): void;
}

export interface RequestRecord {
  readonly messages: readonly RecordedRequest[];
  readonly others: readonly RecordedRequest[];
  open(
    isMessages: boolean,
    seen: Pick<RecordedRequest, 'id' | 'method' | 'path' | 'headers' | 'text' | 'receivedAt'>,
  ): OpenRequest;
  waitFor(n: number): Promise<RecordedRequest>;
  close(): void;
}

export function recordRequests(): RequestRecord {
  const messages: RecordedRequest[] = [];
  const others: RecordedRequest[] = [];
  const waiting = new Set<{
    readonly n: number;
    resolve(request: RecordedRequest): void;
    reject(error: Error): void;
  }>();
  let closed = false;
  return {
    messages,
    others,
    open(isMessages, seen) {
      const list = isMessages ? messages : others;
      const request = openRequest(list.length, seen);
      list.push(request);
      if (isMessages) {
        for (const waiter of waiting) {
          if (waiter.n !== messages.length) continue;
          waiting.delete(waiter);
          waiter.resolve(request);
        }
      }
      return request;
    },
    waitFor(n) {
      const known = messages[n - 1];
      if (known) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        if (closed) reject(new Error(`The server is closed; request ${n} never came.`));
        else waiting.add({ n, resolve, reject });
      });
    },
    close() {
      closed = true;
      for (const waiter of waiting) {
        waiter.reject(
          new Error(`The server closed after ${messages.length} requests; request ${waiter.n} never came.`),
        );
      }
      waiting.clear();
    },
  };
}

function openRequest(
  index: number,
  seen: Pick<RecordedRequest, 'id' | 'method' | 'path' | 'headers' | 'text' | 'receivedAt'>,
): OpenRequest {
  let outcome: SendOutcome | undefined;
  let end: (outcome: SendOutcome) => void = () => undefined;
  const ended = new Promise<SendOutcome>((resolve) => (end = resolve));
  const parsed = parse(seen.text);
  const request = {
    ...seen,
    index,
    parsed,
    body: isObject(parsed) ? parsed : {},
    firstByteAt: undefined as number | undefined,
    answeredAt: undefined as number | undefined,
    ended,
    markFirstByte() {
      request.firstByteAt ??= performance.now();
    },
    markAnswered(how: SendOutcome) {
      if (how === 'complete') request.answeredAt = performance.now();
      outcome = how;
    },
    markClosed(keepBody: boolean) {
      end(outcome ?? 'client-closed');
      if (keepBody) return;
      request.text = '';
      request.body = {};
      request.parsed = undefined;
    },
  };
  return request;
}

/** Undefined where it is no JSON, or holds half of a surrogate pair, which the API does not take for JSON either. */
function parse(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return /\\ud[89a-f]/i.test(text) && JSON.stringify(parsed) !== JSON.stringify(soundDeep(parsed))
      ? undefined
      : parsed;
  } catch {
    return undefined;
  }
}
