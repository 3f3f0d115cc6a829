// What a session has cost, from its log: by model, turn, agent and tool.
import { type ToolUsageRow, type UsageReport, type UsageRow } from '../../shared/usage-view';
import { resultTokens } from '../model/estimate-tokens';
import { modelLabel } from '../model/models';
import { costOfReply, type PricedReply } from '../model/prices';
import { noUsage } from '../model/usage';
import { type ToolResultBlock, type Usage } from '../wire/wire';
import { type SessionRecord, type UserRecord } from '../ports/record';

const shownTurns = 50;
const longestName = 80;

export function usageReport(records: readonly SessionRecord[]): UsageReport {
  const total = emptyRow('All');
  const byModel = new Map<string, UsageRow>();
  const background = new Map<string, UsageRow>();
  const turns: UsageRow[] = [];
  const tools = createToolShares();
  let apiMs = 0;
  let searches = 0;
  let fastReplies = 0;
  for (const record of records) {
    if (record.type === 'user') {
      const name = promptName(record);
      if (name !== undefined) turns.push(emptyRow(name));
    }
    tools.add(record);
    if (record.type !== 'system' || (record.subtype !== 'reply_end' && record.subtype !== 'side_usage')) continue;
    const { model, usage } = record;
    const more: ExtraUsage = usage;
    const dollars = costOfReply(record);
    for (const row of [total, rowOf(byModel, modelLabel(model)), turns.at(-1)])
      if (row !== undefined) add(row, usage, dollars);
    searches += more.server_tool_use?.web_search_requests ?? 0;
    if (more.speed === 'fast') fastReplies++;
    if (record.subtype === 'side_usage')
      add(rowOf(background, record.whom ?? 'Small jobs: titles, judgements, pages'), usage, dollars);
    else apiMs += record.durationMs ?? 0;
  }
  const used = turns.filter(({ replies }) => replies > 0);
  return {
    total,
    byModel: byCost([...byModel.values()]),
    background: byCost([...background.values()]),
    turns: used.slice(-shownTurns),
    olderTurns: Math.max(0, used.length - shownTurns),
    tools: byCost(tools.rows()),
    apiMs,
    searches,
    fastReplies,
  };
}

/** What replies say beyond their counts, where they do. */
type ExtraUsage = Usage & { server_tool_use?: { web_search_requests?: number }; speed?: string };

function emptyRow(name: string): UsageRow {
  return { name, replies: 0, plain: 0, cacheRead: 0, cacheWritten: 0, output: 0, costUsd: 0, costKnown: true };
}

function rowOf(rows: Map<string, UsageRow>, name: string): UsageRow {
  const row = rows.get(name) ?? emptyRow(name);
  rows.set(name, row);
  return row;
}

function add(row: UsageRow, usage: Usage, dollars: number | undefined): void {
  row.replies++;
  row.plain += usage.input_tokens;
  row.cacheRead += usage.cache_read_input_tokens;
  row.cacheWritten += usage.cache_creation_input_tokens;
  row.output += usage.output_tokens;
  row.costUsd += dollars ?? 0;
  row.costKnown &&= dollars !== undefined;
}

function byCost<Row extends { costUsd: number; name: string }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.costUsd - a.costUsd || a.name.localeCompare(b.name));
}

/** The first words of what the user wrote; undefined for anything else. */
function promptName({ isMeta, steering, display, message: { content } }: UserRecord): string | undefined {
  if (isMeta === true || steering === true) return undefined;
  if (typeof content !== 'string' && content.some(({ type }) => type === 'tool_result')) return undefined;
  const said =
    display?.text ??
    (typeof content === 'string'
      ? content
      : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' '));
  const text = said.replace(/\s+/g, ' ').trim();
  return text === '' ? 'An image or a file' : text.length <= longestName ? text : `${text.slice(0, longestName - 1)}…`;
}

/** A result is written to the cache with the request after its call, and read from there with each later one. */
function createToolShares(): { add(record: SessionRecord): void; rows(): ToolUsageRow[] } {
  const names = new Map<string, string>();
  const rows = new Map<string, ToolUsageRow>();
  /** Tokens before the model, by tool: those that it has read already, and new ones. */
  let read = new Map<string, number>();
  let fresh = new Map<string, number>();
  const charge = (
    reply: PricedReply,
    tokens: ReadonlyMap<string, number>,
    kind: 'cache_creation_input_tokens' | 'cache_read_input_tokens',
  ): void => {
    for (const [name, count] of tokens) {
      const row = rows.get(name);
      if (row === undefined) continue;
      const dollars = costOfReply({ ...reply, usage: { ...noUsage(), [kind]: count } });
      row.costUsd += dollars ?? 0;
      row.costKnown &&= dollars !== undefined;
    }
  };
  const result = ({ tool_use_id: id, content }: ToolResultBlock): void => {
    const name = names.get(id);
    if (name === undefined) return;
    const tokens = resultTokens(content);
    const row = rows.get(name) ?? { name, calls: 0, tokens: 0, costUsd: 0, costKnown: true };
    rows.set(name, { ...row, calls: row.calls + 1, tokens: row.tokens + tokens });
    fresh.set(name, (fresh.get(name) ?? 0) + tokens);
  };
  return {
    rows: () => [...rows.values()],
    add(record) {
      if (record.type === 'assistant')
        for (const block of record.message.content) if (block.type === 'tool_use') names.set(block.id, block.name);
      if (record.type === 'user' && typeof record.message.content !== 'string')
        for (const block of record.message.content) if (block.type === 'tool_result') result(block);
      if (record.type !== 'system') return;
      if (record.subtype === 'compact_boundary') [read, fresh] = [new Map(), new Map()];
      if (record.subtype !== 'reply_end') return;
      charge(record, read, 'cache_read_input_tokens');
      charge(record, fresh, 'cache_creation_input_tokens');
      for (const [name, count] of fresh) read.set(name, (read.get(name) ?? 0) + count);
      fresh = new Map();
    },
  };
}
