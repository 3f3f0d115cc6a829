// What the requests of a played task consist of, in bytes, and what its calls gave.
import { blocksOf, isObject, messagesOf, type JsonObject } from '../support/messages-api/violation';
import { type PlayedTask } from './play-task';

export interface ToolFigures {
  calls: number;
  failed: number;
  /** Of its results, each counted once. */
  bytes: number;
}

export interface TaskFigures {
  requests: number;
  /** Of all requests. */
  bytes: number;
  /** Of the largest request. */
  largest: number;
  calls: number;
  failed: number;
  /** Of its results, each counted once. */
  read: number;
}

export interface Figures {
  /** System prompt and tools of the first request, without those that are deferred: the API sends them to no model. */
  prefix: number;
  requests: number;
  bytes: number;
  /** What the bytes of all requests are: a result counts as often as it is sent. */
  sent: Record<string, number>;
  tools: Record<string, ToolFigures>;
  /** Failed calls by what the results say, without names and numbers. */
  failures: Record<string, number>;
  tasks: Record<string, TaskFigures>;
}

export function figuresOf(played: readonly PlayedTask[]): Figures {
  const figures: Figures = { prefix: 0, requests: 0, bytes: 0, sent: {}, tools: {}, failures: {}, tasks: {} };
  for (const { task, requests } of played) {
    const first = requests[0] ?? {};
    figures.prefix = Math.max(
      figures.prefix,
      size(first['system']) + size(toolsOf(first).filter((tool) => !isDeferred(tool))),
    );
    for (const body of requests)
      for (const [part, bytes] of partsOf(body)) figures.sent[part] = (figures.sent[part] ?? 0) + bytes;
    const results = resultsOf(requests.at(-1) ?? {});
    for (const { tool, failed, text } of results) {
      const of = (figures.tools[tool] ??= { calls: 0, failed: 0, bytes: 0 });
      of.calls += 1;
      of.bytes += bytesIn(text);
      if (!failed) continue;
      of.failed += 1;
      const cause = `${tool}: ${causeOf(text)}`;
      figures.failures[cause] = (figures.failures[cause] ?? 0) + 1;
    }
    const sizes = requests.map(size);
    const bytes = sizes.reduce((sum, one) => sum + one, 0);
    figures.tasks[task.name] = {
      requests: requests.length,
      bytes,
      largest: Math.max(...sizes),
      calls: results.length,
      failed: results.filter(({ failed }) => failed).length,
      read: results.reduce((sum, { text }) => sum + bytesIn(text), 0),
    };
    figures.requests += requests.length;
    figures.bytes += bytes;
  }
  return { ...figures, sent: sorted(figures.sent), tools: sorted(figures.tools), failures: sorted(figures.failures) };
}

/** The parts of one request; their bytes add up to its size. */
export function partsOf(body: JsonObject): Map<string, number> {
  const parts = new Map<string, number>();
  let rest = size(body);
  const add = (part: string, bytes: number): void => {
    parts.set(part, (parts.get(part) ?? 0) + bytes);
    rest -= bytes;
  };
  add('system prompt', size(body['system']));
  for (const tool of toolsOf(body))
    add(`${isDeferred(tool) ? 'deferred ' : ''}definition of ${String(tool['name'])}`, size(tool));
  const names = callNames(body);
  for (const message of messagesOf(body)) {
    for (const block of blocksOf(message)) {
      const id = String(block['tool_use_id'] ?? block['id']);
      if (block['type'] === 'tool_use') add(`calls of ${names.get(id) ?? ''}`, size(block));
      else if (block['type'] === 'tool_result') add(`results of ${names.get(id) ?? ''}`, size(block));
      else add(isReminder(block) ? 'reminders' : 'texts', size(block));
    }
  }
  parts.set('the rest', rest);
  return parts;
}

function toolsOf(body: JsonObject): JsonObject[] {
  return Array.isArray(body['tools']) ? body['tools'].filter(isObject) : [];
}

const isDeferred = (tool: JsonObject): boolean => tool['defer_loading'] === true;

interface Result {
  readonly tool: string;
  readonly failed: boolean;
  readonly text: string;
}

function resultsOf(body: JsonObject): Result[] {
  const names = callNames(body);
  return messagesOf(body)
    .flatMap((message) => blocksOf(message))
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => ({
      tool: names.get(String(block['tool_use_id'])) ?? '',
      failed: block['is_error'] === true,
      text: textIn(block['content']),
    }));
}

function callNames(body: JsonObject): Map<string, string> {
  return new Map(
    messagesOf(body)
      .flatMap((message) => blocksOf(message))
      .flatMap((block) =>
        block['type'] === 'tool_use' ? [[String(block['id']), String(block['name'])] as const] : [],
      ),
  );
}

function isReminder(block: JsonObject): boolean {
  return typeof block['text'] === 'string' && block['text'].startsWith('<system-reminder>');
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : '')).join('\n')
    : '';
}

/** The first sentence, without what it quotes, names and counts. */
export function causeOf(text: string): string {
  const plain = text.replace(/<\/?tool_use_error>/g, '').trim();
  const first = /^[^\n]*?[.:!?](?=\s|$)/.exec(plain)?.[0] ?? plain.split('\n')[0] ?? '';
  return first
    .replace(/`[^`]*`|"[^"]*"|\S*\/\S*/g, '…')
    .replace(/\d+/g, 'N')
    .replace(/[.:]$/, '')
    .slice(0, 100);
}

function size(value: unknown): number {
  return value === undefined ? 0 : bytesIn(JSON.stringify(value));
}

function bytesIn(text: string): number {
  return Buffer.byteLength(text);
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
