// Reads a response's body: decoded from its content encoding, and never more of it than asked for.
import { type IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export interface Body {
  bytes: Uint8Array;
  truncated: boolean;
}

export const acceptEncoding = 'gzip, br, deflate';

/** Stops at `maxBytes` of decoded text, whatever the encoded size. Rejects where the encoding is unknown or damaged. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body = await decoded(response);
  if (body === undefined) return { bytes: new Uint8Array(), truncated: false };
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

/** Undefined where there is no body at all. */
async function decoded(response: IncomingMessage): Promise<Readable | undefined> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return response;
  const decoder = decoderOf(encoding);
  if (decoder === undefined) throw new Error(`the content encoding ${JSON.stringify(encoding)} is unknown`);
  // A decoder waits for ever for an end that came before it.
  const first = await firstChunk(response);
  if (first === undefined) return undefined;
  // A failure of either ends both; whoever reads from the decoder gets it.
  return pipeline(response, decoder(first), () => undefined);
}

function decoderOf(encoding: string): ((first: Buffer) => Transform) | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return () => createGunzip();
  if (encoding === 'br') return () => createBrotliDecompress();
  // Some servers send `deflate` without its header.
  if (encoding === 'deflate') return (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw());
  return undefined;
}

/** Looked at, and still to be read. */
function firstChunk(response: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    response.once('error', reject).once('end', () => resolve(undefined));
    response.once('readable', () => {
      const chunk = response.read() as Buffer | null;
      // Nothing to read: the end follows.
      if (chunk === null) return;
      // At once: a stream that has been emptied ends before anybody reads from the decoder.
      response.unshift(chunk);
      resolve(chunk);
    });
  });
}
