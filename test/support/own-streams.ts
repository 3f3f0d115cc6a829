// The hand-made streams under test/fixtures/anthropic-sse, and where each can be cut.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve('test/fixtures/anthropic-sse');

export interface OwnStream {
  readonly name: string;
  readonly wire: string;
  readonly bytes: number;
  /** Events in it, comments too. */
  readonly events: number;
}

export const ownStreams: readonly OwnStream[] = readdirSync(folder)
  .filter((file) => file.endsWith('.sse'))
  .sort()
  .map((file) => {
    const wire = readFileSync(path.join(folder, file), 'utf8');
    return {
      name: path.parse(file).name,
      wire,
      bytes: Buffer.byteLength(wire),
      events: wire.split(/\r?\n\r?\n/).length - 1,
    };
  });

export function ownStream(name: string): OwnStream {
  const found = ownStreams.find((stream) => stream.name === name);
  if (found === undefined) throw new Error(`There is no stream ${name}.sse.`);
  return found;
}
