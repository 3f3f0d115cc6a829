// A prompt cache by the documented rules: what of each request it would read, and what it would write.
import { type ModelRequest } from '../../src/core/wire/wire';

export interface CacheUse {
  /** Tokens, four characters each. */
  total: number;
  read: number;
  written: number;
}

export interface CacheSimulator {
  /** The request is sent, and its answer has begun. */
  send(request: ModelRequest): CacheUse;
  /** Time passes. */
  wait(ms: number): void;
}

/** Each mark is looked up at its own place and at 19 blocks before it. */
const lookback = 20;
const lifetimes = { '5m': 300_000, '1h': 3_600_000 };

interface Place {
  /** All of the request up to and with this block. */
  prefix: string;
  tokens: number;
  ttl: '5m' | '1h' | undefined;
}

/** A cache is read where one was written; what was read lives on. Tools come first, then the system prompt, then messages. */
export function createCacheSimulator({ leastTokens = 0 } = {}): CacheSimulator {
  const entries = new Map<string, number>();
  let now = 0;
  return {
    wait: (ms) => void (now += ms),
    send(request) {
      const places = placesOf(request);
      const marks = places.flatMap((place, at) => (place.ttl === undefined ? [] : [{ ...place, at }]));
      const alive = (place: Place | undefined): boolean =>
        place !== undefined && (entries.get(place.prefix) ?? -1) > now;
      let hit: Place | undefined;
      for (const { at } of [...marks].reverse()) {
        for (let back = 0; back < lookback && hit === undefined; back++)
          if (alive(places[at - back])) hit = places[at - back];
        if (hit !== undefined) break;
      }
      const read = hit?.tokens ?? 0;
      const lifetime = lifetimes[marks.at(-1)?.ttl ?? '5m'];
      if (hit !== undefined) entries.set(hit.prefix, Math.max(entries.get(hit.prefix) ?? 0, now + lifetime));
      let written = 0;
      for (const { prefix, tokens, ttl } of marks) {
        if (ttl === undefined || tokens < leastTokens) continue;
        entries.set(prefix, Math.max(entries.get(prefix) ?? 0, now + lifetimes[ttl]));
        written = Math.max(written, tokens - read);
      }
      return { total: places.at(-1)?.tokens ?? 0, read, written };
    },
  };
}

function placesOf({
  model,
  tools,
  system,
  messages,
  thinking,
  output_config: output,
  tool_choice: choice,
  speed,
}: ModelRequest): Place[] {
  const places: Place[] = [];
  let prefix = model;
  let characters = 0;
  const add = (block: object): void => {
    const text = JSON.stringify(block, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
    prefix = hash(`${prefix}\n${text}`);
    characters += text.length;
    const mark = 'cache_control' in block ? (block.cache_control as { ttl?: '5m' | '1h' } | undefined) : undefined;
    places.push({
      prefix,
      tokens: Math.ceil(characters / 4),
      ttl: mark === undefined ? undefined : (mark.ttl ?? '5m'),
    });
  };
  for (const tool of tools) if (!('defer_loading' in tool && tool.defer_loading === true)) add(tool);
  prefix += String(speed);
  for (const block of system) add(block);
  // Tools and system prompt stay in the cache where these change.
  prefix += JSON.stringify([thinking, output?.effort, output?.format, choice]);
  for (const { role, content } of messages) {
    prefix += role;
    for (const block of content) add(block);
  }
  return places;
}

function hash(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  return `${one >>> 0}.${other >>> 0}.${text.length}`;
}
