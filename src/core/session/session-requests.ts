// The requests of one session: its records, its tools as the model is told them, and the limits that it was opened with.
import { type Effort, type ModelRequest } from '../wire/wire';
import { type SessionRecord, type SystemRecord } from '../ports/record';
import { buildRequest, defaultMaxOutputTokens } from '../loop/build-request';
import { manageContext, managementFor, withApiBlock } from '../loop/context-management';
import { type RecordWriter } from '../events/record-writer';
import { keepResultBudget } from '../loop/result-budget';
import { type SessionOptions } from '../agent/session-options';
import { createSessionTools } from './session-tools';
import systemPrompt from './system-prompt.md';

export interface SessionRequests {
  /** Makes the tools' schemas ahead of the first request. */
  prepare(): Promise<void>;
  /** With the output limit doubled `raise` times; `mayCompact`: the API may answer with a compaction, where that is chosen. */
  next(raise: number, mayCompact?: boolean): Promise<ModelRequest>;
  /** The request that these records alone would make. */
  of(records: readonly SessionRecord[]): Promise<ModelRequest>;
  modelChanged(): void;
}

/** What a request asks for now: people, skills and hooks change it between two of them. */
export interface RequestChoice {
  model: () => string;
  effort: () => Effort | undefined;
  fast: () => boolean;
  /** By the person's choice; a turn keeps what it began with. */
  thinking: () => boolean;
}

export function createSessionRequests(
  options: SessionOptions & { sessionId: string },
  choice: RequestChoice,
  writer: RecordWriter,
): SessionRequests {
  const { ports, records } = options;
  const tools = createSessionTools(options, choice.model);
  let pinned: { turn: string; on: boolean } | undefined;
  let toldEffort = '';
  const turn = (): string =>
    records.findLast((record): record is SystemRecord => record.type === 'system' && record.subtype === 'turn_end')
      ?.uuid ?? '';
  /** One turn is thought through in one way: the API wants that of tool loops. */
  const thinkingNow = (): boolean => (pinned?.turn === turn() ? pinned.on : choice.thinking());
  const tellEffort = (wanted: Effort, request: ModelRequest): void => {
    const used = request.output_config?.effort;
    const key = `${request.model} ${wanted} ${used}`;
    if (used === wanted || used === undefined || key === toldEffort) return;
    toldEffort = key;
    options.emit({ type: 'effort_lowered', model: request.model, wanted, used });
  };
  const build = async (from: readonly SessionRecord[], raise: number, mayCompact: boolean): Promise<ModelRequest> => {
    const effort = choice.effort();
    const { appendSystemPrompt, maxOutputTokens, maxThinkingTokens, thinkingSummaries, cacheLifetime, sessionId } =
      options;
    const { tools: definitions, messages } = await tools.of(from);
    const managed = managementFor(options, choice.model());
    const request = buildRequest(from, {
      model: choice.model(),
      can: ports.model.capabilities(choice.model()),
      provider: ports.model.provider,
      ...(effort === undefined ? {} : { effort }),
      thinking: { on: thinkingNow(), summaries: thinkingSummaries !== false, limit: maxThinkingTokens },
      ...(cacheLifetime === undefined ? {} : { cacheLifetime: cacheLifetime() }),
      fast: choice.fast(),
      system: [
        options.systemPrompt ?? systemPrompt.trim(),
        ...(appendSystemPrompt === undefined ? [] : [appendSystemPrompt]),
      ],
      tools: definitions,
      messages: (folded) => withApiBlock(messages(folded), from, managed.mode),
      maxOutputTokens: (maxOutputTokens ?? defaultMaxOutputTokens) * 2 ** raise,
      sessionId,
    });
    return manageContext(request, { records: from, ...managed, mayCompact });
  };
  return {
    prepare: () => tools.prepare(),
    async next(raise, mayCompact = true) {
      await keepResultBudget(records, { writer, directory: options.resultsDirectory, files: ports.files });
      if (pinned?.turn !== turn()) pinned = { turn: turn(), on: choice.thinking() };
      const request = await build(records, raise, mayCompact);
      const effort = choice.effort();
      if (effort !== undefined) tellEffort(effort, request);
      return request;
    },
    of: (from) => build(from, 0, false),
    modelChanged: () => tools.modelChanged(),
  };
}
