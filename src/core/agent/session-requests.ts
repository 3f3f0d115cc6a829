// The requests of one session: its records, its tools as the model is told them, and the limits that it was opened with.
import { type Effort, type ModelRequest } from '../model/wire';
import { type SessionRecord } from '../sessions/record';
import { buildRequest, defaultMaxOutputTokens } from './build-request';
import { manageContext, managementFor, withApiBlock } from './context-management';
import { type RecordWriter } from './record-writer';
import { keepResultBudget } from './result-budget';
import { type SessionOptions } from './session-options';
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
}

export function createSessionRequests(options: SessionOptions & { sessionId: string }, choice: RequestChoice, writer: RecordWriter): SessionRequests {
  const { ports, records } = options;
  const tools = createSessionTools(options, choice.model);
  const build = async (from: readonly SessionRecord[], raise: number, mayCompact: boolean): Promise<ModelRequest> => {
    const effort = choice.effort();
    const { appendSystemPrompt, maxOutputTokens, maxThinkingTokens, sessionId } = options;
    const { tools: definitions, messages } = await tools.of(from);
    const managed = managementFor(options, choice.model());
    const request = buildRequest(from, {
      model: choice.model(),
      can: ports.model.capabilities(choice.model()),
      ...(effort === undefined ? {} : { effort }),
      fast: choice.fast(),
      system: [options.systemPrompt ?? systemPrompt.trim(), ...(appendSystemPrompt === undefined ? [] : [appendSystemPrompt])],
      tools: definitions,
      messages: (folded) => withApiBlock(messages(folded), from, managed.mode),
      maxOutputTokens: (maxOutputTokens ?? defaultMaxOutputTokens) * 2 ** raise,
      ...(maxThinkingTokens === undefined ? {} : { maxThinkingTokens }),
      sessionId,
    });
    return manageContext(request, { records: from, ...managed, mayCompact });
  };
  return {
    prepare: () => tools.prepare(),
    async next(raise, mayCompact = true) {
      await keepResultBudget(records, { writer, directory: options.resultsDirectory, files: ports.files });
      return build(records, raise, mayCompact);
    },
    of: (from) => build(from, 0, false),
    modelChanged: () => tools.modelChanged(),
  };
}
