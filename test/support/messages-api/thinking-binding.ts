// What the API knows of a reply's thinking: whose it is, and behind what it was thought.
import { createHash } from 'node:crypto';
import { isObject, messagesOf, type JsonObject } from './violation';

export interface ThinkingOrigin {
  readonly model: string;
  /** Of models that bind their thinking: a digest of all that stood before it, since a long session has thousands of these. */
  readonly prefix: string | undefined;
}

export function originOfReply(body: unknown): ThinkingOrigin {
  const request = isObject(body) ? body : {};
  const model = String(request['model']);
  return { model, prefix: bindsThinking(model) ? prefixOf(request, messagesOf(request).length) : undefined };
}

export function bindsThinking(model: string): boolean {
  return /(fable|mythos)-5-\d(?!\d)|(opus|sonnet|haiku)-5-5/.test(model);
}

/** Names with dates, as some providers have them, are those of the same model. */
export function isSameModel(one: string, other: string): boolean {
  return name(one) === name(other);
}

/** A digest of the first `count` messages with what is before them; marks do not count, nor tools that are not loaded. */
export function prefixOf(body: JsonObject, count: number): string {
  const tools = Array.isArray(body['tools'])
    ? (body['tools'] as unknown[]).filter((tool) => !isObject(tool) || tool['defer_loading'] !== true)
    : [];
  const prefix = JSON.stringify([body['system'], tools, messagesOf(body).slice(0, count)], (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  );
  return createHash('sha256').update(prefix).digest('base64');
}

function name(model: string): string {
  return /[a-z]+-\d{1,2}(?!\d)(-\d{1,2}(?!\d))?/.exec(model)?.[0] ?? model;
}
