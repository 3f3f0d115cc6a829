// A fetch for one streamed request that sees every chunk of its body and gives up when nothing comes any more.
import { createEventNames } from './named-events';
import { type Patience, watchStall, type StallWatch } from './stall-watch';

export interface WatchedFetch {
  readonly fetch: typeof fetch;
  /** Aborts the request: by `abort`, or because the stream stalled. */
  readonly signal: AbortSignal;
  /** The response, once its headers are in. */
  response(): Response | undefined;
  /** What came in place of a stream, where that is JSON: a stream is not kept. */
  json(): string | undefined;
  /** After how many milliseconds it was given up; undefined where it was not. */
  stalled(): number | undefined;
  /** The reader is busy with an event: silence does not count meanwhile. */
  pause(): void;
  resume(): void;
  abort(): void;
  stop(): void;
}

/** Of an answer that is not a stream: what names an error is shorter. */
const maxJson = 65_536;

/** Watches below the SDK, which hides pings: they are the only sign of life while a model thinks without showing it. `heard` is called with each chunk, and with the headers. */
export function watchedFetch(
  inner: typeof fetch,
  { stallMs, quietMs, startTimer }: Patience,
  heard: () => void = () => undefined,
): WatchedFetch {
  const controller = new AbortController();
  let response: Response | undefined;
  let stalled: number | undefined;
  let watch: StallWatch | undefined;
  let json: Uint8Array[] | undefined;
  let jsonBytes = 0;
  return {
    async fetch(input, init) {
      const answer = await inner(input, init);
      response = answer;
      heard();
      if (!answer.ok || !answer.body) return answer;
      const running = watchStall({ stallMs, quietMs, startTimer }, (after) => {
        stalled = after;
        controller.abort();
      });
      watch = running;
      const reader = answer.body.getReader();
      const type = answer.headers.get('content-type') ?? '';
      const names = type.includes('event-stream') ? createEventNames() : undefined;
      if (type.includes('json')) json = [];
      const body = new ReadableStream<Uint8Array>(
        {
          // Not every fetch lets go of a body that is aborted at its end: its read then never settles.
          start(stream) {
            controller.signal.addEventListener(
              'abort',
              () => {
                stream.error(controller.signal.reason);
                reader.cancel(controller.signal.reason).catch(() => undefined);
              },
              { once: true },
            );
          },
          async pull(stream) {
            // A pull that gives nothing is not followed by another one.
            for (let given = false; !given;) {
              const { done, value } = await reader.read();
              running.touch();
              heard();
              if (!done && json !== undefined && jsonBytes < maxJson) {
                json.push(value);
                jsonBytes += value.length;
              }
              const passed = done ? names?.rest() : (names?.take(value) ?? value);
              given = passed !== undefined && passed.length > 0;
              if (given && passed !== undefined) stream.enqueue(passed);
              if (!done) continue;
              stream.close();
              return;
            }
          },
          cancel: (reason) => reader.cancel(reason),
        },
        // Nothing is read ahead: the reader's own pace counts.
        { highWaterMark: 0 },
      );
      return new Response(body, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    },
    signal: controller.signal,
    response: () => response,
    json: () => (json === undefined ? undefined : Buffer.concat(json).toString('utf8')),
    stalled: () => stalled,
    pause: () => watch?.pause(),
    resume: () => watch?.resume(),
    abort: () => controller.abort(),
    stop: () => watch?.stop(),
  };
}

const ownFetch = Symbol('ownFetch');

/** Options of one request, which then goes through this fetch. */
export function goingThrough<Options extends object>(own: typeof fetch, options: Options): Options {
  return { ...options, [ownFetch]: own };
}

/** For a client that many requests share: making one for each costs more than the rest of sending it. */
export function fetchOfRequest(others: typeof fetch): typeof fetch {
  return (input, init) => ((init as { [ownFetch]?: typeof fetch } | undefined)?.[ownFetch] ?? others)(input, init);
}
