// The bytes of a request, put together from those of its messages: a long history is neither written out nor copied anew each turn.
import { type Message, type ModelRequest } from '../core/wire/wire';
import { soundDeep } from '../shared/sound-text';

/** The body as the wire wants it: betas travel as a header, empty lists stay away. */
export function messageBody(request: ModelRequest): Omit<ModelRequest, 'betas' | 'system' | 'tools'> {
  const { betas: _betas, system, tools, ...rest } = request;
  return { ...rest, ...(system.length > 0 ? { system } : {}), ...(tools.length > 0 ? { tools } : {}) };
}

/** The same request without halves of surrogate pairs, for SDKs that write the body themselves. What is sound stays the same object. */
export function soundRequest(request: ModelRequest): ModelRequest {
  return {
    ...request,
    system: request.system.map(sound),
    tools: request.tools.map(sound),
    messages: request.messages.map(sound),
  };
}

/** By what was looked through: a long history is written out once for it. */
const looked = new WeakMap<object, object>();

function sound<Part extends object>(part: Part): Part {
  let made = looked.get(part) as Part | undefined;
  if (made === undefined)
    looked.set(part, (made = mayHoldHalf(JSON.stringify(part)) ? (soundDeep(part) as Part) : part));
  return made;
}

/** JSON writes halves of surrogate pairs so, and nothing else but a text about them. A model can write one into a call, and the API refuses each request that holds it. */
function mayHoldHalf(json: string): boolean {
  return json.includes('\\ud');
}

function jsonOf(value: object): string {
  const json = JSON.stringify(value);
  return mayHoldHalf(json) ? JSON.stringify(soundDeep(value)) : json;
}

/**
 * JSON of messageBody() with `stream`, in UTF-8: in pieces that other requests share, so nobody may change them. `extra` adds
 * to the body.
 */
export function writeBody(request: ModelRequest, extra: Readonly<Record<string, unknown>> = {}): Uint8Array[] {
  const { messages, tools } = request;
  const { tools: _tools, ...more } = extra;
  const head = jsonOf({ ...messageBody({ ...request, tools: [] }), ...more, messages: undefined, stream: true });
  const pieces: Uint8Array[] = [Buffer.from(head.slice(0, -1))];
  if (tools.length > 0) pieces.push(toolsStart, bytesOf(tools));
  if (messages.length === 0) return [...pieces, noMessages];
  const { bytes, count } = beginningOf(messages);
  if (count > 0) pieces.push(bytes);
  const rest = messages
    .slice(count)
    .flatMap((message, index) => [count + index === 0 ? messagesStart : comma, bytesOf(message)]);
  return [...pieces, Buffer.concat([...rest, end])];
}

export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

const toolsStart = Buffer.from(',"tools":');
const messagesStart = Buffer.from(',"messages":[');
const comma = Buffer.from(',');
const end = Buffer.from(']}');
const noMessages = Buffer.from(',"messages":[]}');

/** What one message or list of tools comes to. Core never changes one that it has sent: a mark makes a new object. */
const written = new WeakMap<object, Buffer>();

function bytesOf(value: object): Buffer {
  let bytes = written.get(value);
  if (bytes === undefined) written.set(value, (bytes = Buffer.from(jsonOf(value))));
  return bytes;
}

/** The messages that a conversation begins with, in one buffer that only grows: what a request has of it stays as it was. */
interface Beginning {
  messages: Message[];
  buffer: Buffer;
  length: number;
}

/** By the conversation's first message. */
const beginnings = new WeakMap<Message, Beginning>();
/** The last messages of a request are other objects in the next one: marks move along with the end. */
const movingMessages = 48;

function beginningOf(messages: readonly Message[]): { bytes: Buffer; count: number } {
  const [first] = messages;
  const count = Math.max(0, messages.length - movingMessages);
  if (first === undefined || count === 0) return { bytes: noBytes, count: 0 };
  let beginning = beginnings.get(first);
  if (
    beginning === undefined ||
    beginning.messages.length > count ||
    beginning.messages.some((message, index) => message !== messages[index])
  ) {
    beginnings.set(first, (beginning = { messages: [], buffer: noBytes, length: 0 }));
  }
  for (const message of messages.slice(beginning.messages.length, count)) append(beginning, message);
  return { bytes: beginning.buffer.subarray(0, beginning.length), count };
}

const noBytes = Buffer.alloc(0);

function append(beginning: Beginning, message: Message): void {
  const parts = [beginning.messages.length === 0 ? messagesStart : comma, bytesOf(message)];
  const size = beginning.length + sizeOf(parts);
  if (size > beginning.buffer.length) {
    const larger = Buffer.allocUnsafeSlow(Math.ceil(size * growth));
    beginning.buffer.copy(larger, 0, 0, beginning.length);
    beginning.buffer = larger;
  }
  for (const part of parts) beginning.length += part.copy(beginning.buffer, beginning.length);
  beginning.messages.push(message);
  // From here on the buffer has it.
  written.delete(message);
}

const growth = 1.5;
