// The requests of one session: its records, its tools as the model is shown them, and the limits that it was opened with.
import { defined } from '../../shared/defined';
import { type Effort, type ModelRequest } from '../wire/wire';
import { type SessionRecord, type SystemRecord } from '../ports/record';
import { buildRequest, defaultMaxOutputTokens } from '../loop/build-request';
import { manageContext, managementFor, withApiBlock } from '../loop/context-management';
import { type RecordWriter } from '../events/record-writer';
import { keepResultBudget } from '../loop/result-budget';
import { type SessionRequests } from '../feature/session-parts';
import { type SessionSettings } from '../feature/session-settings';
import { type Ports } from '../ports/ports';
import { type PromptContext } from '../tool/tool';
import { type ToolRegistry } from '../tools/registry';
import { type ToolOffer } from '../tools/tool-offer';
import { SessionTools } from './session-tools';
import systemPrompt from './system-prompt.md';
import { offeredText, said } from '../text/words';

export interface RequestBuilder extends SessionRequests {
  /** With the output limit doubled `raise` times; `mayCompact`: the API may answer with a compaction, where that is chosen. */
  next(raise: number, mayCompact?: boolean): Promise<ModelRequest>;
}

/** What a request asks for now: the user, skills and hooks change it between two of them. */
export interface RequestChoice {
  model: () => string;
  effort: () => Effort | undefined;
  fast: () => boolean;
  /** By the user's choice; a turn keeps what it began with. */
  thinking: () => boolean;
}

export interface RequestServices {
  settings: SessionSettings;
  ports: Ports;
  registry: ToolRegistry;
  offer: ToolOffer;
  writer: RecordWriter;
  agents: () => Promise<Pick<PromptContext, 'agents'>>;
}

export function createSessionRequests(services: RequestServices, choice: RequestChoice): RequestBuilder {
  const { settings, ports, registry, offer, writer } = services;
  const { records, place, requests: wanted = {} } = settings;
  const tools = new SessionTools(
    {
      registry,
      offer,
      environment: place.environment,
      ports,
      strictTools: wanted.strictTools === true,
      agents: services.agents,
    },
    choice.model,
  );
  let pinned: { turn: string; on: boolean } | undefined;
  let reportedEffort = '';
  const turn = (): string =>
    records.findLast((record): record is SystemRecord => record.type === 'system' && record.subtype === 'turn_end')
      ?.uuid ?? '';
  /** One turn is thought through in one way: the API wants that of tool loops. */
  const thinkingNow = (): boolean => (pinned?.turn === turn() ? pinned.on : choice.thinking());
  const reportEffort = (chosen: Effort, request: ModelRequest): void => {
    const used = request.output_config?.effort;
    const key = `${request.model} ${chosen} ${used}`;
    if (used === chosen || used === undefined || key === reportedEffort) return;
    reportedEffort = key;
    settings.emit({ type: 'effort_lowered', model: request.model, wanted: chosen, used });
  };
  const build = async (from: readonly SessionRecord[], raise: number, mayCompact: boolean): Promise<ModelRequest> => {
    const effort = choice.effort();
    const { appendSystemPrompt, maxOutputTokens, maxThinkingTokens, thinkingSummaries, cacheLifetime } = wanted;
    const { tools: definitions, messages } = await tools.of(from);
    const managed = managementFor({ ports, ...wanted }, choice.model());
    const request = buildRequest(from, {
      model: choice.model(),
      can: ports.model.capabilities(choice.model()),
      provider: ports.model.provider,
      ...defined({ effort }),
      thinking: { on: thinkingNow(), summaries: thinkingSummaries !== false, limit: maxThinkingTokens },
      ...defined({ cacheLifetime: cacheLifetime?.() }),
      fast: choice.fast(),
      system: [
        wanted.systemPrompt === undefined
          ? offeredText(systemPrompt.trim(), offer.offers)
          : said(wanted.systemPrompt, offer.offers),
        ...(appendSystemPrompt === undefined ? [] : [appendSystemPrompt]),
      ],
      tools: definitions,
      messages: (folded) => withApiBlock(messages(folded), from, managed.mode),
      maxOutputTokens: (maxOutputTokens ?? defaultMaxOutputTokens) * 2 ** raise,
      sessionId: settings.log.id,
    });
    return manageContext(request, { records: from, ...managed, mayCompact });
  };
  return {
    get toolNames() {
      return offer.tools().map(({ name }) => name);
    },
    async toLoad() {
      await offer.settle();
      return offer.tools().filter((tool) => !tool.isMcp && offer.isDeferred(tool));
    },
    prepare: () => tools.prepare(),
    async next(raise, mayCompact = true) {
      await keepResultBudget(records, { writer, directory: place.resultsDirectory, files: ports.files });
      if (pinned?.turn !== turn()) pinned = { turn: turn(), on: choice.thinking() };
      const request = await build(records, raise, mayCompact);
      const effort = choice.effort();
      if (effort !== undefined) reportEffort(effort, request);
      return request;
    },
    of: (from) => build(from, 0, false),
    async upcoming() {
      const off = wanted.autoCompact?.().enabled === false;
      const request = await build(records, 0, false);
      return { request, compactsAt: off ? null : managementFor({ ports, ...wanted }, request.model).limit };
    },
    modelChanged: () => tools.modelChanged(),
  };
}
