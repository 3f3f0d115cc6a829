// The requests of one session: its records, its tools as the model is told them, and the limits that it was opened with.
import { type Effort, type ModelRequest, type ToolDefinition } from '../model/wire';
import { type SessionRecord } from '../sessions/record';
import { convertToolsForAPI } from '../tools/convert-tool';
import { type PromptContext } from '../tools/tool';
import { buildRequest, defaultMaxOutputTokens } from './build-request';
import { type RecordWriter } from './record-writer';
import { keepResultBudget } from './result-budget';
import { type SessionOptions } from './session-options';
import systemPrompt from './system-prompt.md';

export interface SessionRequests {
  /** Makes the tools' schemas ahead of the first request. */
  prepare(): Promise<void>;
  /** With the output limit doubled `raise` times. */
  next(raise: number): Promise<ModelRequest>;
  /** The request that these records alone would make. */
  of(records: readonly SessionRecord[]): Promise<ModelRequest>;
  modelChanged(): void;
}

export function createSessionRequests(options: SessionOptions & { sessionId: string }, model: () => string, writer: RecordWriter, effortNow?: () => Effort | undefined): SessionRequests {
  const { registry, environment, ports, records } = options;
  let definitions: Promise<ToolDefinition[]> | undefined;
  let definedFor = '';
  const convertTools = async (): Promise<ToolDefinition[]> => {
    const tools = registry.all();
    const prompt: PromptContext = { toolNames: tools.map(({ name }) => name), platform: environment.platform, shell: environment.shell };
    const { provider } = ports.model;
    return convertToolsForAPI(tools, { prompt, model: model(), provider, strictTools: false, warn: (message) => ports.log.warn(message) });
  };
  const toolDefinitions = (): Promise<ToolDefinition[]> => {
    // A skill may choose another model for its turn.
    if (definedFor !== model()) definitions = undefined;
    definedFor = model();
    // A prompt that failed is asked for again.
    return (definitions ??= convertTools().catch((error: unknown) => {
      definitions = undefined;
      throw error;
    }));
  };
  const build = async (from: readonly SessionRecord[], raise: number): Promise<ModelRequest> => {
    const effort = effortNow?.() ?? options.effort;
    const { appendSystemPrompt, maxOutputTokens, maxThinkingTokens, sessionId } = options;
    return buildRequest(from, {
      model: model(),
      ...(effort === undefined ? {} : { effort }),
      system: [systemPrompt.trim(), ...(appendSystemPrompt === undefined ? [] : [appendSystemPrompt])],
      tools: await toolDefinitions(),
      maxOutputTokens: (maxOutputTokens ?? defaultMaxOutputTokens) * 2 ** raise,
      ...(maxThinkingTokens === undefined ? {} : { maxThinkingTokens }),
      sessionId,
    });
  };
  return {
    prepare: async () => void (await toolDefinitions()),
    async next(raise) {
      await keepResultBudget(records, { writer, directory: options.resultsDirectory, files: ports.files });
      return build(records, raise);
    },
    of: (from) => build(from, 0),
    modelChanged: () => void (definitions = undefined),
  };
}
