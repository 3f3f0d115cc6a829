// fetch for remote servers: a call whose stream of events ends without an answer, and cannot be taken up again, is answered with an error. The library would wait for it.
import { type Fetch } from './capped-fetch';
import { ownError } from './failure-text';
import { isObject } from '../../shared/plain-object';

/** A line of more is an answer: no notification is as large, and it need not be read twice. */
const maxNotice = 1024 * 1024;

export function endingBrokenStreams(base: Fetch): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    const { body } = response;
    const id =
      body !== null && response.ok && response.headers.get('content-type')?.includes('text/event-stream') === true
        ? requestIdOf(init)
        : undefined;
    if (body === null || id === undefined) return response;
    const guarded = new Response(withEnding(body, id, init?.signal ?? undefined), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
    Object.defineProperty(guarded, 'url', { value: response.url });
    return guarded;
  };
}

function withEnding(
  body: ReadableStream<Uint8Array>,
  id: string | number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const watch = watchEvents();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) {
          watch.read(value);
          return controller.enqueue(value);
        }
      } catch (error) {
        // What the server can resume, and what was stopped, is the library's.
        if (signal?.aborted === true || watch.settled()) return controller.error(error);
      }
      if (!watch.settled())
        controller.enqueue(
          new TextEncoder().encode(
            `\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: brokeOff, data: ownError } })}\n\n`,
          ),
        );
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const brokeOff = 'Its stream ended before the answer. It is unknown whether the request was carried out.';

/** `settled`: an answer was in it, or an event with an ID, after which the server can continue. */
function watchEvents(): { read(chunk: Uint8Array): void; settled(): boolean } {
  const decoder = new TextDecoder();
  let line: string[] = [];
  let size = 0;
  let found = false;
  const ended = (): void => {
    const text = line.join('');
    if (/^id:\s*\S/.test(text)) found = true;
    else if (text.startsWith('data:')) found = size > maxNotice || isAnswer(text.slice('data:'.length));
    line = [];
    size = 0;
  };
  return {
    read(chunk) {
      if (found) return;
      for (const [index, part] of decoder
        .decode(chunk, { stream: true })
        .split(/\r\n|\n|\r/)
        .entries()) {
        if (index > 0) ended();
        if (found) return;
        size += part.length;
        if (size <= maxNotice) line.push(part);
      }
    },
    settled: () => found,
  };
}

function isAnswer(text: string): boolean {
  const message = parsed(text);
  return isObject(message) && ('result' in message || 'error' in message);
}

function requestIdOf(init: RequestInit | undefined): string | number | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  const message = parsed(init.body);
  const id: unknown = isObject(message) && typeof message['method'] === 'string' ? message['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
