// Gives the events of a stream their names where a gateway sends `data:` alone: the SDKs pass over events without one.
import { isObject } from '../shared/plain-object';

export interface EventNames {
  /** What to pass on of these bytes; empty where more have to come first. */
  take(chunk: Uint8Array): Uint8Array;
  /** What was held back. */
  rest(): Uint8Array;
}

/** Comments and unrelated fields may precede what decides; after this many bytes it is not a stream of events. */
const maxUndecided = 4096;
const nothing = new Uint8Array();

/** The first field decides: a stream that begins with `event:` goes through as it is, and is not looked at any more. */
export function createEventNames(): EventNames {
  let held: Uint8Array = nothing;
  let named: Pick<EventNames, 'take' | 'rest'> | undefined;
  let plain = false;
  return {
    take(chunk) {
      if (plain) return chunk;
      if (named !== undefined) return named.take(chunk);
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const first = firstField(held);
      if (first === undefined && held.length < maxUndecided) return nothing;
      const all = held;
      held = nothing;
      if (first === 'data') return (named = nameFromData()).take(all);
      plain = true;
      return all;
    },
    rest: () => named?.rest() ?? held,
  };
}

/** Undefined: more bytes decide. */
function firstField(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxUndecided))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  let line = 0;
  for (const end of text.matchAll(/[:\r\n]/g)) {
    if (end.index < line) continue;
    const field = text.slice(line, end.index);
    if (field !== '' && field !== 'id' && field !== 'retry') return field;
    if (end[0] !== ':') line = end.index + 1;
    else {
      const rest = text.slice(end.index).search(/[\r\n]/);
      if (rest === -1) return undefined;
      line = end.index + rest + 1;
    }
  }
  return undefined;
}

function nameFromData(): EventNames {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** Pieces of an event that has not ended: joined only where a line ends, so that a long one is not copied with each chunk. */
  let pieces: string[] = [];
  const whole = (last: boolean): Uint8Array => {
    const text = pieces.join('');
    // The other half of this line's end may be in the next chunk.
    const cut = !last && text.endsWith('\r') ? text.length - 1 : text.length;
    const events = text.slice(0, cut).replace(/\r\n?/g, '\n').split('\n\n');
    const open = `${events.pop() ?? ''}${text.slice(cut)}`;
    pieces = last || open === '' ? [] : [open];
    return encoder.encode(`${events.map((event) => `${withName(event)}\n\n`).join('')}${last ? withName(open) : ''}`);
  };
  return {
    take(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      pieces.push(text);
      return /[\r\n]/.test(text) ? whole(false) : nothing;
    },
    rest() {
      pieces.push(decoder.decode());
      return whole(true);
    },
  };
}

function withName(event: string): string {
  if (/^event(:|$)/m.test(event)) return event;
  const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
  const name = typeOf(data);
  return name === undefined ? event : `event: ${name}\n${event.replace(/^\n+/, '')}`;
}

function typeOf(data: string): string | undefined {
  const first = /^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(data)?.[1];
  if (first !== undefined) return first;
  try {
    const value: unknown = JSON.parse(data);
    if (!isObject(value)) return undefined;
    const { type, error } = value;
    return typeof type === 'string' && /^\w+$/.test(type) ? type : isObject(error) ? 'error' : undefined;
  } catch {
    return undefined;
  }
}
