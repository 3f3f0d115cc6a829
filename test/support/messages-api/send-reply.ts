// Writes a reply's stream to a response: chunk sizes, waits, faults, and what the other side does meanwhile.
import type { ServerResponse } from 'node:http';
import type { Fault, Reply } from './script';
import type { FinishedBlock, StreamStep } from './stream-events';

export interface SendOptions {
  /** 'event': one write per event; a number: so many bytes per write, across events and inside characters. */
  readonly chunking: 'event' | number;
  /** Milliseconds before every content_block_delta. */
  readonly interDeltaMs: number;
  readonly onFinished: (block: FinishedBlock) => void;
}

/** How sending ended: all of it, cut by a scripted fault, or cut by the client. */
export type SendOutcome = 'complete' | 'fault' | 'client-closed';

/** Sends the steps with the reply's faults. Resolves when the last byte is handed to the socket, or the socket is gone. */
export async function sendStream(
  response: ServerResponse,
  steps: readonly StreamStep[],
  reply: Reply,
  options: SendOptions,
): Promise<SendOutcome> {
  const closed = closing(response);
  const writer = chunkedWriter(response, options.chunking, dropLimit(reply.faults));
  let events = 0;
  for (const step of steps) {
    if (closed.done()) return 'client-closed';
    if (step.kind === 'gate') {
      await writer.flush();
      await Promise.race([settled(step.until), closed.promise]);
      continue;
    }
    if (step.type === 'content_block_delta' && options.interDeltaMs > 0) {
      await Promise.race([settled(options.interDeltaMs), closed.promise]);
    }
    if (!(await writer.write(step.wire))) return destroy(response);
    // Known before the client can see it: a fast client's next request must find it.
    if (step.finishes) options.onFinished(step.finishes);
    events += 1;
    for (const fault of reply.faults) {
      if (fault.kind === 'dropBytes' || fault.afterEvents !== events) continue;
      await writer.flush();
      if (fault.kind === 'drop') return destroy(response);
      if (fault.kind === 'error') {
        const data = { type: 'error', error: { type: fault.type, message: fault.message } };
        await writer.write(`event: error\ndata: ${JSON.stringify(data)}\n\n`);
        await writer.flush();
        response.end();
        return 'fault';
      }
      await Promise.race([settled(fault.until), closed.promise]);
    }
  }
  if (!(await writer.flush())) return destroy(response);
  if (closed.done()) return 'client-closed';
  response.end();
  return 'complete';
}

/** Resolves after milliseconds, when a promise settles either way, or never. */
export function settled(until: Promise<unknown> | number | 'forever'): Promise<void> {
  if (until === 'forever') return new Promise(() => undefined);
  if (typeof until === 'number') return new Promise((resolve) => setTimeout(resolve, until).unref());
  return until.then(
    () => undefined,
    () => undefined,
  );
}

/** Sees the client go, as a promise and as a question. */
export function closing(response: ServerResponse): { readonly promise: Promise<void>; readonly done: () => boolean } {
  let done = response.destroyed;
  const promise = new Promise<void>((resolve) => {
    if (done) resolve();
    response.once('close', () => {
      done = true;
      resolve();
    });
  });
  return { promise, done: () => done };
}

function dropLimit(faults: readonly Fault[]): number {
  return Math.min(...faults.map((fault) => (fault.kind === 'dropBytes' ? fault.afterBytes : Infinity)), Infinity);
}

/** Without the FIN of a proper end: what a lost connection looks like. */
function destroy(response: ServerResponse): SendOutcome {
  if (response.destroyed) return 'client-closed';
  response.socket?.destroy();
  return 'fault';
}

interface ChunkedWriter {
  /** False once the byte limit is reached (the bytes up to it are out) or the client is gone. */
  write(text: string): Promise<boolean>;
  /** Sends what a partial chunk still holds. */
  flush(): Promise<boolean>;
}

function chunkedWriter(response: ServerResponse, chunking: 'event' | number, limit: number): ChunkedWriter {
  let pending = Buffer.alloc(0);
  let left = limit;
  const send = async (bytes: Buffer): Promise<boolean> => {
    const allowed = bytes.subarray(0, Math.min(bytes.length, left));
    left -= allowed.length;
    if (response.destroyed) return false;
    const cut = allowed.length < bytes.length || left === 0;
    if (allowed.length > 0) await written(response, allowed, cut || chunking !== 'event');
    // Lets a reader in this process take the chunk before the next one joins it in the socket's buffer.
    if (chunking !== 'event') await new Promise((resolve) => setImmediate(resolve));
    return !cut;
  };
  return {
    async write(text) {
      pending = pending.length === 0 ? Buffer.from(text) : Buffer.concat([pending, Buffer.from(text)]);
      const size = chunking === 'event' ? pending.length : Math.max(1, chunking);
      while (pending.length >= size && pending.length > 0) {
        const chunk = pending.subarray(0, size);
        pending = pending.subarray(size);
        if (!(await send(chunk))) return false;
      }
      return true;
    },
    async flush() {
      const rest = pending;
      pending = Buffer.alloc(0);
      if (rest.length > 0 && !(await send(rest))) return false;
      // A wait or a cut after this point must not overtake bytes that are still queued.
      if (!response.destroyed) await written(response, Buffer.alloc(0), true);
      return !response.destroyed;
    },
  };
}

/** Writes; waits only where the socket's buffer is full, or the bytes must be out before what comes next. */
function written(response: ServerResponse, bytes: Buffer, wait: boolean): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('close', done);
      resolve();
    };
    response.once('close', done);
    if (bytes.length === 0) {
      // An empty chunk would end the body: ask the socket itself whether it has drained.
      if (!response.socket || response.socket.writableLength === 0) done();
      else response.socket.write('', done);
      return;
    }
    const room = response.write(bytes, wait ? done : undefined);
    if (!wait) {
      if (room) done();
      else response.once('drain', done);
    }
  });
}
