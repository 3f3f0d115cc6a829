// What one model at one provider takes: limits, thinking, and the parts of the API that not everybody offers.
// Sources, read 2026-11-22: platform.claude.com/docs/en/build-with-claude/overview (availability by platform), …/structured-outputs, …/compaction,
// …/context-editing, …/fast-mode, …/agents-and-tools/tool-use/{tool-search-tool,web-search-tool,fine-grained-tool-streaming}, the pages of the
// clouds, and the platform table of the vendor's public skill for its API. ADR 0041 has the rows. What a provider's own list reports goes first.
import { defined } from '../../shared/defined';
import {
  type ApiFeatures,
  type ModelCapabilities,
  type ModelFacts,
  type ProviderId,
  type ReportedCapabilities,
  type ThinkingCapabilities,
} from '../wire/model-capabilities';
import { modelVersion } from './model-version';
import { modelFacts, withoutSuffix } from './models';

type Offers = Omit<
  ModelCapabilities,
  | 'contextWindow'
  | 'maxOutputTokens'
  | 'thinking'
  | 'thinkingOff'
  | 'thinkingOffUpTo'
  | 'thinkingOnRequest'
  | 'interleavedThinking'
  | 'thinkingBound'
  | 'efforts'
  | 'defaultEffort'
  | 'minimumCacheTokens'
  | 'forcedTools'
>;

const everything: Offers = {
  thinkingDisplay: true,
  blockBinding: true,
  fast: true,
  strictTools: true,
  structuredOutput: true,
  toolExamples: true,
  toolReferences: true,
  toolSearch: true,
  eagerToolStreaming: true,
  caching: true,
  longCaching: true,
  contextEditing: true,
  thinkingClearing: true,
  apiCompaction: true,
  webSearch: true,
  images: true,
  pdf: true,
  fileAddresses: true,
  citations: true,
  tokenCounting: true,
  betas: true,
  metadata: true,
};

/** The Messages API as it was when others began to speak it. */
const plain: Offers = {
  ...everything,
  blockBinding: false,
  fast: false,
  strictTools: false,
  structuredOutput: false,
  toolExamples: false,
  toolReferences: false,
  toolSearch: false,
  eagerToolStreaming: false,
  longCaching: false,
  contextEditing: false,
  thinkingClearing: false,
  apiCompaction: false,
  webSearch: false,
  citations: false,
  betas: false,
};

const nothing: Offers = {
  ...plain,
  thinkingDisplay: false,
  caching: false,
  images: false,
  pdf: false,
  fileAddresses: false,
  tokenCounting: false,
  metadata: false,
};

/** Where a cloud runs the model itself: fast mode is the vendor's own, examples of tools are documented for its API alone, and the header of `block_binding` is tried there alone. */
const cloud: Offers = { ...everything, blockBinding: false, fast: false, toolExamples: false };

const offers: Record<ProviderId, Offers> = {
  anthropic: everything,
  gateway: { ...plain, webSearch: true },
  // No server-side tools but the search over tools; its SDK counts no tokens, and InvokeModel refuses `metadata`.
  bedrock: { ...cloud, webSearch: false, fileAddresses: false, metadata: false, tokenCounting: false },
  vertex: { ...cloud, fileAddresses: false },
  // Fast mode depends on who hosts the deployment, which a request cannot show.
  foundry: cloud,
  vscode: { ...nothing, images: true, tokenCounting: true },
  demo: nothing,
};

export interface CapabilityFacts {
  features?: ApiFeatures | undefined;
  /** No betas at all: what needs one is not offered. */
  withoutBetas?: boolean | undefined;
  /** By the provider's own list of models. */
  reported?: ReportedCapabilities | undefined;
  /** By the user, who knows better what is at an address. */
  forced?: Partial<ModelCapabilities> | undefined;
}

export function capabilitiesOf(
  provider: ProviderId,
  model: string,
  { features = 'auto', withoutBetas = false, reported = {}, forced = {} }: CapabilityFacts = {},
): ModelCapabilities {
  const own = offersOf(provider, features, reported);
  const offered = { ...own, betas: own.betas && !withoutBetas };
  const facts = factsAt(model, { ...offered, ...forced });
  const bare = provider === 'vscode' || provider === 'demo';
  return {
    ...offered,
    contextWindow: reported.contextWindow ?? facts.contextWindow,
    maxOutputTokens: reported.maxOutputTokens ?? facts.maxOutputTokens,
    ...thinkingOf(facts, offered, reported, bare),
    minimumCacheTokens: facts.minimumCacheTokens,
    forcedTools: !bare && facts.forcedTools,
    fast: own.fast && (facts.fast === 'released' || (facts.fast === 'beta' && offered.betas)),
    ...laterFeatures(modelVersion(model)?.version ?? 0, offered, reported),
    webSearch: own.webSearch && reported.webSearch !== false,
    images: reported.images ?? own.images,
    pdf: reported.pdf ?? own.pdf,
    citations: own.citations && reported.citations !== false,
    ...forced,
  };
}

/** The long window of older models is there only with its header. */
function factsAt(model: string, { betas }: Pick<ModelCapabilities, 'betas'>): ModelFacts {
  return modelFacts(betas ? model : withoutSuffix(model));
}

/** `bare`: where requests have no word for thinking. */
function thinkingOf(
  facts: ModelFacts,
  own: Offers,
  reported: ReportedCapabilities,
  bare: boolean,
): ThinkingCapabilities {
  const thinking = bare ? 'none' : (reported.thinking ?? facts.thinking);
  const bound = facts.thinkingBound === true;
  const thinkingOff =
    thinking === 'none' || reported.thinkingOff === null ? undefined : (reported.thinkingOff ?? facts.thinkingOff);
  return {
    thinking,
    ...defined({ thinkingOff, thinkingOffUpTo: thinkingOff && facts.thinkingOffUpTo }),
    thinkingOnRequest: thinking === 'adaptive' && facts.thinkingOnRequest === true,
    interleavedThinking: own.betas && thinking === 'budget' && facts.interleavedThinking === true,
    thinkingBound: thinking !== 'none' && bound,
    blockBinding: own.blockBinding && own.betas && bound && (thinking === 'adaptive' || thinking === 'always'),
    thinkingDisplay: own.thinkingDisplay && thinking !== 'none' && thinking !== 'budget',
    efforts: bare ? [] : (reported.efforts ?? facts.efforts),
    ...(bare ? {} : defined({ defaultEffort: facts.defaultEffort })),
  };
}

/** Strict and deferred tools, schemas and context editing came with the 4.5 models, summaries by the API with 4.6. */
function laterFeatures(
  version: number,
  own: Offers,
  reported: ReportedCapabilities,
): Pick<
  ModelCapabilities,
  | 'strictTools'
  | 'structuredOutput'
  | 'toolReferences'
  | 'toolSearch'
  | 'contextEditing'
  | 'thinkingClearing'
  | 'apiCompaction'
> {
  const structured = reported.structuredOutput ?? version >= 405;
  return {
    strictTools: own.strictTools && structured,
    structuredOutput: own.structuredOutput && structured,
    toolReferences: own.toolReferences && version >= 405,
    toolSearch: own.toolSearch && version >= 405,
    contextEditing: own.contextEditing && own.betas && (reported.contextEditing ?? version >= 405),
    thinkingClearing: own.thinkingClearing && own.betas && (reported.thinkingClearing ?? version >= 405),
    apiCompaction: own.apiCompaction && own.betas && (reported.apiCompaction ?? version >= 406),
  };
}

/** By the user's word, else by what the address has said about itself, else by the table. */
function offersOf(provider: ProviderId, features: ApiFeatures, { vendorForm = false }: ReportedCapabilities): Offers {
  if (provider === 'vscode' || provider === 'demo') return offers[provider];
  if (features === 'plain') return plain;
  return provider === 'gateway' && (features === 'all' || vendorForm) ? everything : offers[provider];
}
