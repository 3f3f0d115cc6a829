// What the usage page shows: what a session has cost, by what, and what fills the model's window; with the text that is copied of it.

/** Tokens and dollars of one turn, model, agent or job. */
export interface UsageRow {
  name: string;
  /** Requests that were answered. */
  replies: number;
  /** Input that was neither read from the cache nor written to it. */
  plain: number;
  cacheRead: number;
  cacheWritten: number;
  output: number;
  costUsd: number;
  /** False where a price is not known: the cost is then a lower bound. */
  costKnown: boolean;
}

/** What the results of one tool took, by estimate. */
export interface ToolUsageRow {
  name: string;
  calls: number;
  tokens: number;
  costUsd: number;
  costKnown: boolean;
}

export interface UsageReport {
  total: UsageRow;
  byModel: UsageRow[];
  /** Agents, and jobs outside the conversation. */
  background: UsageRow[];
  /** The newest ones, oldest first. */
  turns: UsageRow[];
  /** Turns before those. */
  olderTurns: number;
  tools: ToolUsageRow[];
  /** Of replies whose time is in the log. */
  apiMs: number;
  searches: number;
  fastReplies: number;
}

export interface ContextPart {
  name: string;
  tokens: number;
}

export interface ContextReport {
  model: string;
  window: number;
  parts: ContextPart[];
  used: number;
  /** Where Deft compacts, or the API for it; null where nobody does. */
  compactsAt: number | null;
  /** `estimate`: nobody has counted; `counted`: by the API; `cannot`: it does not offer to; `failed`: it did not answer. */
  counted: 'estimate' | 'counted' | 'cannot' | 'failed';
}

export const toolNote =
  "Estimated: a tool's results are written to the cache once and read from it with each later request, until a compaction. The cost of calling the tool is not included.";

export function dollarText({ costUsd, costKnown }: { costUsd: number; costKnown: boolean }): string {
  if (!costKnown && costUsd === 0) return 'not known';
  const text = `$${costUsd > 0 && costUsd < 0.1 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`;
  return costKnown ? text : `at least ${text}`;
}

/** In whole percent; undefined where nothing was read. */
function cachedShare({
  plain,
  cacheRead,
  cacheWritten,
}: Pick<UsageRow, 'plain' | 'cacheRead' | 'cacheWritten'>): number | undefined {
  const read = plain + cacheRead + cacheWritten;
  return read === 0 ? undefined : Math.round((cacheRead / read) * 100);
}

export function cacheText(row: Pick<UsageRow, 'plain' | 'cacheRead' | 'cacheWritten'>): string {
  const share = cachedShare(row);
  return share === undefined ? '–' : `${share}%`;
}

export function tokenText(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  return tokens < 999_500
    ? `${(tokens / 1_000).toFixed(tokens < 9_950 ? 1 : 0)}k`
    : `${(tokens / 1_000_000).toFixed(1)}M`;
}

export function percentText(tokens: number, window: number): string {
  return window === 0 ? '–' : `${((tokens / window) * 100).toFixed(1)}%`;
}

function timeText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** One line a fact. */
export function usageFacts({ total, apiMs, searches, fastReplies }: UsageReport): [string, string][] {
  return [
    ['Cost', dollarText(total)],
    [
      'Read',
      `${total.plain + total.cacheRead + total.cacheWritten === 0 ? 'nothing' : `${tokenText(total.plain + total.cacheRead + total.cacheWritten)} tokens`}`,
    ],
    ['Read from the cache', `${tokenText(total.cacheRead)} (${cacheText(total)})`],
    ['Written to the cache', tokenText(total.cacheWritten)],
    ['Not cached', tokenText(total.plain)],
    ['Written by the model', `${tokenText(total.output)} tokens`],
    ['API time', apiMs === 0 ? 'not known' : timeText(apiMs)],
    ...(searches === 0 ? [] : [['Web searches', String(searches)] as [string, string]]),
    ...(fastReplies === 0 ? [] : [['Replies in fast mode', String(fastReplies)] as [string, string]]),
  ];
}

export function usageText(report: UsageReport): string {
  const rows = (title: string, list: readonly UsageRow[]): string[] =>
    list.length === 0
      ? []
      : [
          '',
          title,
          ...list.map(
            (row) =>
              `${row.name}\t${tokenText(row.plain + row.cacheRead + row.cacheWritten)} read (${cacheText(row)} from the cache)\t${tokenText(row.output)} written\t${dollarText(row)}`,
          ),
        ];
  return [
    ...usageFacts(report).map(([name, value]) => `${name}: ${value}`),
    ...rows('By model', report.byModel),
    ...rows('By turn', report.turns),
    ...rows('Subagents and background requests', report.background),
    ...(report.tools.length === 0
      ? []
      : [
          '',
          'Tool results',
          toolNote,
          ...report.tools.map(
            (row) => `${row.name}\t${row.calls} calls\t${tokenText(row.tokens)} tokens\t${dollarText(row)}`,
          ),
        ]),
  ].join('\n');
}

export function contextText({ model, window, parts, used, counted }: ContextReport): string {
  const line = (name: string, tokens: number): string =>
    `${name}\t${tokens.toLocaleString('en')}\t${percentText(tokens, window)}`;
  return [
    `${model}, ${counted === 'counted' ? 'counted by the API' : 'estimated'}`,
    ...parts.map(({ name, tokens }) => line(name, tokens)),
    line('Total', used),
    line('Free', Math.max(0, window - used)),
  ].join('\n');
}
