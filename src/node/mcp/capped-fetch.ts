// fetch for remote servers: an answer, or one event of a stream, that grows past the limit breaks off.
import { maxMessageBytes } from '../../core/mcp/limits';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Headers are asked for at each request, so that a helper's new ones hold after a new connection. */
export function cappedFetch(limit = maxMessageBytes, base: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await base(url, init);
    if (response.body === null) return response;
    const events = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const capped = new Response(response.body.pipeThrough(capping(limit, events)), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
    // A made response has no address of its own.
    Object.defineProperty(capped, 'url', { value: response.url });
    return capped;
  };
}

function capping(limit: number, events: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let last = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of events ? chunk : []) {
        // An empty line ends an event.
        if (byte === newLine && last === newLine) size = 0;
        else size++;
        if (byte !== carriageReturn) last = byte;
      }
      if (!events) size += chunk.length;
      if (size > limit) controller.error(new Error(`The server sent more than ${limit / 1024 / 1024} MB at once.`));
      else controller.enqueue(chunk);
    },
  });
}

const newLine = 10;
const carriageReturn = 13;
