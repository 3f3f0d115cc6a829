// What the next request holds, by kind: estimated at once, counted by the API on request.
import { defined } from '../../shared/defined';
import { type ContextPart, type ContextReport } from '../../shared/usage-view';
import { isAbort } from '../text/errors';
import { keySubject } from '../context/context-source';
import { blockTokens, estimateTokens } from '../model/estimate-tokens';
import { modelLabel } from '../model/models';
import { type Message, type ModelRequest, type RequestTool } from '../wire/wire';
import { type ModelClient } from '../ports/model';
import { presentRecords } from '../sessions/compacted-log';
import { type SessionRecord } from '../ports/record';
import { textHash } from '../text/text-hash';

export interface ContextServices {
  model: Pick<ModelClient, 'capabilities' | 'countTokens'>;
  /** Where the conversation is compacted; null for nowhere. */
  compactsAt: number | null;
}

/** The part of a request that the API counts in addition to a conversation of one letter. */
interface Measured extends ContextPart {
  count?: Partial<ModelRequest>;
}

const nothing: Message[] = [{ role: 'user', content: [{ type: 'text', text: '.' }] }];

export function contextReport(
  request: ModelRequest,
  records: readonly SessionRecord[],
  { model, compactsAt }: ContextServices,
): ContextReport {
  return reportOf(request, partsOf(request, records), 'estimate', { model, compactsAt });
}

/** With the numbers of the API. Where it does not count, the estimate says so. */
export async function countedContext(
  request: ModelRequest,
  records: readonly SessionRecord[],
  services: ContextServices,
  signal: AbortSignal,
): Promise<ContextReport> {
  const parts = partsOf(request, records);
  if (!services.model.capabilities(request.model).tokenCounting) return reportOf(request, parts, 'cannot', services);
  try {
    const count = (part: Measured['count']): Promise<number> =>
      counted(
        { model: request.model, max_tokens: 1, system: [], tools: [], messages: nothing, ...part },
        services.model,
        signal,
      );
    const [overhead, whole, ...each] = await Promise.all([
      count({}),
      count(wholeOf(request)),
      ...parts.map((part) => (part.count === undefined ? 0 : count(part.count))),
    ]);
    const exact = parts.map((part, index) =>
      part.count === undefined ? part : { ...part, tokens: Math.max(0, (each[index] ?? 0) - overhead) },
    );
    // The kinds of messages share what is left of the whole, since no request could hold one kind alone.
    const measured = exact.filter((part) => part.count !== undefined).reduce((sum, { tokens }) => sum + tokens, 0);
    const shared = exact.filter((part) => part.count === undefined);
    const estimated = shared.reduce((sum, { tokens }) => sum + tokens, 0);
    const left = Math.max(0, whole - measured);
    const scaled = exact.map((part) =>
      part.count === undefined
        ? { ...part, tokens: estimated === 0 ? 0 : Math.round((part.tokens / estimated) * left) }
        : part,
    );
    return { ...reportOf(request, scaled, 'counted', services), used: whole };
  } catch (error) {
    if (signal.aborted || isAbort(error)) throw error;
    return reportOf(request, parts, 'failed', services);
  }
}

/** With what its messages need to be taken: thinking and compactions go back only as they were asked for. */
function wholeOf({ system, tools, messages, thinking, betas }: ModelRequest): Partial<ModelRequest> {
  return {
    system,
    tools,
    messages,
    ...defined({ thinking, betas }),
  };
}

function reportOf(
  request: ModelRequest,
  parts: readonly Measured[],
  how: ContextReport['counted'],
  { model, compactsAt }: ContextServices,
): ContextReport {
  const shown = parts.filter(({ tokens }) => tokens > 0).map(({ name, tokens }) => ({ name, tokens }));
  return {
    model: modelLabel(request.model),
    window: model.capabilities(request.model).contextWindow,
    parts: shown,
    used: shown.reduce((sum, { tokens }) => sum + tokens, 0),
    compactsAt,
    counted: how,
  };
}

function partsOf({ system, tools, messages }: ModelRequest, records: readonly SessionRecord[]): Measured[] {
  const servers = new Map<string, RequestTool[]>();
  const own: RequestTool[] = [];
  for (const tool of tools) {
    // What is deferred is not before the model.
    if ('defer_loading' in tool && tool.defer_loading === true) continue;
    const server = /^mcp__(.+?)__/.exec(tool.name)?.[1];
    if (server === undefined) own.push(tool);
    else servers.set(server, [...(servers.get(server) ?? []), tool]);
  }
  const part = (name: string, count: NonNullable<Measured['count']>): Measured => ({
    name,
    tokens: estimateTokens(count),
    count,
  });
  const notes = noteTexts(records);
  return [
    ...(system.length === 0 ? [] : [part('Instructions', { system })]),
    ...(own.length === 0 ? [] : [part('Built-in tools', { tools: own })]),
    ...[...servers].map(([server, list]) => part(`Tools of ${server}`, { tools: list })),
    ...[...notes].map(([name, texts]) =>
      part(name, { messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }] }),
    ),
    ...messageParts(messages, [...notes.values()].flat()),
  ];
}

const noteNames: readonly [start: string, name: string][] = [
  ['skills:', 'List of skills'],
  ['mcp:', 'Notes of servers'],
];

/** A key that has a version and names its subject in plain words is shown by them. */
function noteName(key: string): string {
  const named = noteNames.find(([start]) => key.startsWith(start))?.[1];
  const subject = keySubject(key);
  if (named !== undefined) return named;
  const isPlain = subject !== key && /^[a-z ]+$/.test(subject);
  return isPlain ? `${subject.charAt(0).toUpperCase()}${subject.slice(1)}` : 'Memory files and rules';
}

/** What the model was sent about its surroundings and is still in the conversation, by kind. */
function noteTexts(records: readonly SessionRecord[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const record of presentRecords(records)) {
    if (
      record.type !== 'user' ||
      record.isMeta !== true ||
      record.isCompactSummary === true ||
      record.contextKeys === undefined ||
      typeof record.message.content === 'string'
    )
      continue;
    record.message.content.forEach((block, index) => {
      const key = record.contextKeys?.[index] ?? '';
      const name = noteName(key);
      if (block.type === 'text') texts.set(name, [...(texts.get(name) ?? []), block.text]);
    });
  }
  return texts;
}

const kinds = {
  user: 'What you wrote, with attachments and reminders',
  assistant: 'What Deft wrote',
  thinking: 'Thinking',
  tool_use: 'Calls of tools',
  tool_result: 'Tool results',
} as const;

function messageParts(messages: readonly Message[], notes: readonly string[]): Measured[] {
  const noted = new Set(notes);
  const sums = new Map<string, number>(Object.values(kinds).map((name) => [name, 0]));
  for (const { role, content } of messages) {
    for (const block of content) {
      if (block.type === 'text' && noted.has(block.text)) continue;
      const kind =
        block.type === 'tool_use' || block.type === 'tool_result'
          ? block.type
          : block.type === 'redacted_thinking'
            ? 'thinking'
            : block.type === 'thinking'
              ? block.type
              : role;
      sums.set(kinds[kind], (sums.get(kinds[kind]) ?? 0) + blockTokens(block));
    }
  }
  return [...sums].map(([name, tokens]) => ({ name, tokens }));
}

/** What was counted once: the same text at the same model is never counted again. */
const known = new Map<string, Promise<number>>();
const mostKnown = 500;

function counted(request: ModelRequest, model: ContextServices['model'], signal: AbortSignal): Promise<number> {
  const { max_tokens: _limit, ...content } = request;
  const key = textHash(JSON.stringify(content));
  const before = known.get(key);
  if (before !== undefined) return before;
  const count = model.countTokens(request, signal);
  if (known.size >= mostKnown) known.clear();
  known.set(key, count);
  count.catch(() => known.delete(key));
  return count;
}
