// Reads a response's body: decoded from its content encoding, and never more of it than asked for.
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
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
  for await (const chunk of (await decoded(response)) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

async function decoded(response: IncomingMessage): Promise<Readable> {
  const decoder = await decoderOf(response);
  // A failure of either ends both; who reads from the decoder hears of it.
  return decoder === undefined ? response : pipeline(response, decoder, () => undefined);
}

async function decoderOf(response: IncomingMessage) {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'deflate') return (await hasZlibHeader(response)) ? createInflate() : createInflateRaw();
  throw new Error(`the content encoding ${JSON.stringify(encoding)} is unknown`);
}

/** Some servers send `deflate` without it. */
async function hasZlibHeader(response: IncomingMessage): Promise<boolean> {
  await once(response, 'readable');
  const chunk = response.read() as Buffer | null;
  if (chunk === null) return true;
  response.unshift(chunk);
  return ((chunk[0] ?? 0) & 0x0f) === 8;
}
