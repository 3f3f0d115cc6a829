// Builds the replies of a scripted Messages API: content blocks, gates between them, and faults.

/** Free JSON, as the wire carries it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Waits in the middle of a stream: until a promise settles, or for a time in milliseconds. */
export interface Gate {
  readonly kind: 'gate';
  readonly until: Promise<unknown> | number;
}

/** One content block of a reply, before it is cut into stream events. */
export type ReplyBlock =
  | { readonly kind: 'text'; readonly parts: readonly (string | Gate)[]; readonly citations?: readonly Json[] }
  | { readonly kind: 'serverToolUse'; readonly id: string; readonly name: string; readonly json: string }
  | { readonly kind: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | {
      readonly kind: 'toolUse';
      readonly id: string | undefined;
      readonly name: string;
      readonly json: string;
      /** False where the reply breaks off inside the input: no content_block_stop follows. */
      readonly complete: boolean;
      /** Where the input is held up: how many characters of it are sent before. */
      readonly held?: { readonly at: number; readonly gate: Gate };
    }
  | { readonly kind: 'compaction'; readonly summary: string | null; readonly encrypted: string }
  | { readonly kind: 'raw'; readonly block: { readonly type: string; readonly [key: string]: Json } };

/** What goes wrong, counted in stream events from message_start = 1 (pings count too). */
export type Fault =
  | { readonly kind: 'drop'; readonly afterEvents: number }
  | { readonly kind: 'dropBytes'; readonly afterBytes: number }
  | { readonly kind: 'error'; readonly afterEvents: number; readonly type: string; readonly message: string }
  | { readonly kind: 'wait'; readonly afterEvents: number; readonly until: Promise<unknown> | number | 'forever' };

export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly [key: string]: Json | undefined;
}

/** A reply that streams (or, where the request does not ask for a stream, one JSON message). */
export interface Reply {
  readonly kind: 'reply';
  /** Blocks and gates in order, or a recorded stream that is sent as it is. */
  readonly content: readonly (ReplyBlock | Gate)[] | { readonly recorded: string };
  readonly stopReason: string | undefined;
  readonly stopSequence: string | null;
  readonly stopDetails: Json | undefined;
  readonly usage: Usage;
  /** What the API says it has cleared: see applyEdits. */
  readonly contextManagement: Json | undefined;
  /** Model id of the reply; the request's where undefined. */
  readonly model: string | undefined;
  readonly id: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds, or a promise, before the first byte. */
  readonly delay: number | Promise<unknown>;
  readonly faults: readonly Fault[];
}

/** An answer with an error status and the API's error body. */
export interface HttpError {
  readonly kind: 'httpError';
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent instead of the API's error body, as a proxy in between would. */
  readonly rawBody: string | undefined;
}

/** The socket is closed without an answer. */
export interface Hangup {
  readonly kind: 'hangup';
}

export type ScriptedReply = Reply | HttpError | Hangup;

/** A reply of the given blocks; stop_reason is tool_use where a complete tool use is among them, else end_turn. */
export function reply(...content: (ReplyBlock | Gate | string)[]): Reply {
  return {
    kind: 'reply',
    content: content.map((element) => (typeof element === 'string' ? text(element) : element)),
    stopReason: undefined,
    stopSequence: null,
    stopDetails: undefined,
    usage: {},
    contextManagement: undefined,
    model: undefined,
    id: undefined,
    headers: {},
    delay: 0,
    faults: [],
  };
}

/** A recorded SSE stream, sent byte for byte (line endings and all). */
export function recordedReply(stream: string): Reply {
  return { ...reply(), content: { recorded: stream } };
}

/** A text block; gates among its parts hold the stream in the middle of the block. */
export function text(...parts: (string | Gate)[]): ReplyBlock {
  return { kind: 'text', parts };
}

export function thinking(thought: string, signature: string): ReplyBlock {
  return { kind: 'thinking', thinking: thought, signature };
}

export function redactedThinking(data: string): ReplyBlock {
  return { kind: 'redacted', data };
}

/** A tool use; without an id the server gives one that is unique on it. */
export function toolUse(name: string, input: unknown, id?: string): ReplyBlock {
  return { kind: 'toolUse', id, name, json: JSON.stringify(input), complete: true };
}

/** A tool use whose input breaks off, as at max_tokens: `json` is sent, content_block_stop is not. */
export function brokenToolUse(name: string, json: string, id?: string): ReplyBlock {
  return { kind: 'toolUse', id, name, json, complete: false };
}

/** The API's own summary, as a request with a `compact_20260112` edit gets it; null where it failed. */
export function compaction(summary: string | null, encrypted = 'opaque'): ReplyBlock {
  return { kind: 'compaction', summary, encrypted };
}

/** The same with its content_block_stop, as where the API hands the input on without looking at it. */
export function cutToolUse(name: string, json: string, id?: string): ReplyBlock {
  return { kind: 'toolUse', id, name, json, complete: true };
}

/** A tool use whose input is held up behind the first occurrence of a text in its JSON. */
export function heldToolUse(
  name: string,
  input: unknown,
  behind: string,
  until: Promise<unknown>,
  id?: string,
): ReplyBlock {
  const json = JSON.stringify(input);
  return {
    kind: 'toolUse',
    id,
    name,
    json,
    complete: true,
    held: { at: json.indexOf(behind) + behind.length, gate: gate(until) },
  };
}

/** A text that rests on something: its citations come before the text, as those of a web search do. */
export function citedText(said: string, ...citations: Json[]): ReplyBlock {
  return { kind: 'text', parts: [said], citations };
}

/** A call of a tool that the API runs itself; its result follows as a block of the same reply. */
export function serverToolUse(name: string, input: unknown, id: string): ReplyBlock {
  return { kind: 'serverToolUse', id, name, json: JSON.stringify(input) };
}

/** The API's own search over deferred tools, and what it found. */
export function toolSearch(query: string, id: string, ...names: string[]): ReplyBlock[] {
  return [serverToolUse('tool_search_tool_bm25', { query }, id), toolsFound(id, ...names)];
}

export function toolsFound(id: string, ...names: string[]): ReplyBlock {
  const references = names.map((name) => ({ type: 'tool_reference', tool_name: name }));
  return rawBlock({
    type: 'tool_search_tool_result',
    tool_use_id: id,
    content: { type: 'tool_search_tool_search_result', tool_references: references },
  });
}

export function toolSearchFailed(id: string, code: string): ReplyBlock {
  return rawBlock({
    type: 'tool_search_tool_result',
    tool_use_id: id,
    content: { type: 'tool_search_tool_result_error', error_code: code, error_message: null },
  });
}

/** Any other block (server tools, fallback, unknown types): start and stop, no deltas. */
export function rawBlock(block: { readonly type: string; readonly [key: string]: Json }): ReplyBlock {
  return { kind: 'raw', block };
}

/** Holds the stream where it is until the promise settles, or for milliseconds. */
export function gate(until: Promise<unknown> | number): Gate {
  return { kind: 'gate', until };
}

/** Sets stop reason, usage, model, id, headers of a reply. */
export function withFields(
  base: Reply,
  fields: Partial<
    Pick<
      Reply,
      'stopReason' | 'stopSequence' | 'stopDetails' | 'usage' | 'contextManagement' | 'model' | 'id' | 'headers'
    >
  >,
): Reply {
  return { ...base, ...fields };
}

/** Waits before the first byte of the answer, headers included. */
export function delayed(base: Reply, delay: number | Promise<unknown>): Reply {
  return { ...base, delay };
}

export function httpError(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpError {
  return { kind: 'httpError', status, type, message, headers, rawBody: undefined };
}

/** An error answer that is not the API's JSON: a proxy's page, an empty body. */
export function proxyError(status: number, rawBody: string, headers: Readonly<Record<string, string>> = {}): HttpError {
  return { kind: 'httpError', status, type: '', message: '', headers, rawBody };
}

export function hangup(): Hangup {
  return { kind: 'hangup' };
}

/** Destroys the socket after so many events, or bytes of the body. */
export function dropAfter(base: Reply, after: { readonly events: number } | { readonly bytes: number }): Reply {
  return withFault(
    base,
    'events' in after ? { kind: 'drop', afterEvents: after.events } : { kind: 'dropBytes', afterBytes: after.bytes },
  );
}

/** Sends `event: error` after so many events and ends the stream. */
export function errorEvent(base: Reply, afterEvents: number, type: string, message: string): Reply {
  return withFault(base, { kind: 'error', afterEvents, type, message });
}

/** Sends nothing more after so many events, for milliseconds, until a promise settles, or for ever. */
export function stall(base: Reply, afterEvents: number, until: number | 'forever' | Promise<unknown>): Reply {
  return withFault(base, { kind: 'wait', afterEvents, until });
}

function withFault(base: Reply, fault: Fault): Reply {
  return { ...base, faults: [...base.faults, fault] };
}
