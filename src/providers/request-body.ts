// The bytes of a request, put together from those of its messages: a long history is not written out anew each turn.
import { type ModelRequest } from '../core/model/wire';

/** What one message or list of tools comes to. Core never changes one that it has sent: a mark makes a new object. */
const written = new WeakMap<object, Buffer>();

/** The body as the wire wants it: betas travel as a header, empty lists stay away. */
export function messageBody(request: ModelRequest): Omit<ModelRequest, 'betas' | 'system' | 'tools'> {
  const { betas: _betas, system, tools, ...rest } = request;
  return { ...rest, ...(system.length > 0 ? { system } : {}), ...(tools.length > 0 ? { tools } : {}) };
}

export interface BodyWriter {
  /** JSON of messageBody() with `stream`, in UTF-8. */
  write(request: ModelRequest): WrittenBody;
}

export interface WrittenBody {
  bytes: Uint8Array;
  /** The request is over: the next body may take the place of this one. */
  release(): void;
}

/** `extra` adds to every body. Bodies that follow each other share one buffer: one of its own for each would pile up until the next collection. */
export function createBodyWriter(extra: Readonly<Record<string, unknown>> = {}): BodyWriter {
  let spare: Buffer | undefined;
  return {
    write(request) {
      const pieces = piecesOf(request, extra);
      const size = pieces.reduce((sum, { length }) => sum + length, 0);
      const buffer = spare !== undefined && spare.length >= size ? spare : Buffer.allocUnsafeSlow(Math.ceil(size * 1.25));
      spare = undefined;
      let at = 0;
      for (const piece of pieces) at += piece.copy(buffer, at);
      return { bytes: buffer.subarray(0, size), release: () => void (spare = buffer) };
    },
  };
}

function piecesOf(request: ModelRequest, extra: Readonly<Record<string, unknown>>): Buffer[] {
  const { messages, tools } = request;
  const { tools: _tools, ...more } = extra;
  const head = JSON.stringify({ ...messageBody({ ...request, tools: [] }), ...more, messages: undefined, stream: true });
  const pieces: Buffer[] = [Buffer.from(head.slice(0, -1))];
  if (tools.length > 0) pieces.push(toolsStart, bytesOf(tools));
  messages.forEach((message, index) => pieces.push(index === 0 ? messagesStart : comma, bytesOf(message)));
  pieces.push(messages.length === 0 ? noMessages : end);
  return pieces;
}

const toolsStart = Buffer.from(',"tools":');
const messagesStart = Buffer.from(',"messages":[');
const comma = Buffer.from(',');
const end = Buffer.from(']}');
const noMessages = Buffer.from(',"messages":[]}');

function bytesOf(value: object): Buffer {
  let bytes = written.get(value);
  if (bytes === undefined) written.set(value, (bytes = Buffer.from(JSON.stringify(value))));
  return bytes;
}
