// The bytes of a streamed request, put together from those of its messages: a long history is not written out anew each turn.
import { type ModelRequest } from '../core/model/wire';

/** What one message or list of tools comes to. Core never changes one that it has sent: a mark makes a new object. */
const written = new WeakMap<object, Buffer>();

/** The body as the wire wants it: betas travel as a header, empty lists stay away. */
export function messageBody(request: ModelRequest): Omit<ModelRequest, 'betas' | 'system' | 'tools'> {
  const { betas: _betas, system, tools, ...rest } = request;
  return { ...rest, ...(system.length > 0 ? { system } : {}), ...(tools.length > 0 ? { tools } : {}) };
}

/** JSON of messageBody() with `stream`, in UTF-8. */
export function streamedBody(request: ModelRequest): Uint8Array {
  const { messages, tools } = request;
  const head = JSON.stringify({ ...messageBody({ ...request, tools: [] }), messages: undefined, stream: true });
  const pieces: Uint8Array[] = [Buffer.from(head.slice(0, -1))];
  if (tools.length > 0) pieces.push(toolsStart, bytesOf(tools));
  messages.forEach((message, index) => pieces.push(index === 0 ? messagesStart : comma, bytesOf(message)));
  pieces.push(messages.length === 0 ? noMessages : end);
  return Buffer.concat(pieces);
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
