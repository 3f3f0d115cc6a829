// What a request may break, and the little that every rule needs to look into untyped JSON.

/** One broken rule: a stable name for tests, and the sentence of the 400 answer. */
export interface Violation {
  readonly rule: string;
  readonly message: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The blocks of a message's content; a string counts as one text block. */
export function blocksOf(message: unknown): readonly JsonObject[] {
  if (!isObject(message)) return [];
  if (typeof message['content'] === 'string') return [{ type: 'text', text: message['content'] }];
  return Array.isArray(message['content']) ? message['content'].filter(isObject) : [];
}

export function messagesOf(body: JsonObject): readonly unknown[] {
  return Array.isArray(body['messages']) ? (body['messages'] as readonly unknown[]) : [];
}
