// What one model at one provider takes: limits, thinking, and the parts of the API that not everybody offers.
// Sources, read 2026-11-22: platform.claude.com/docs/en/build-with-claude/overview (availability by platform), …/structured-outputs, …/compaction,
// …/context-editing, …/fast-mode, …/agents-and-tools/tool-use/{tool-search-tool,web-search-tool,fine-grained-tool-streaming}, the pages of the
// clouds, and the platform table of the vendor's public skill for its API. ADR 0042 has the rows. What a provider's own list reports goes first.
import { type ModelFacts, modelFacts } from './models';
import { modelVersion } from './model-version';
import { type Effort } from '../wire/wire';

/** Where a model runs. `gateway`: another address that speaks the Messages API; `vscode`: a model that VS Code offers. */
export type ProviderId = 'anthropic' | 'gateway' | 'bedrock' | 'vertex' | 'foundry' | 'vscode' | 'demo';

/** How much of the API a provider is asked for: what it is known to take, everything, or the plain Messages API alone. */
export type ApiFeatures = 'auto' | 'all' | 'plain';

export interface ModelCapabilities {
  contextWindow: number;
  maxOutputTokens: number;
  thinking: ModelFacts['thinking'];
  /** What switches thinking off, and up to which effort; absent: nothing, or at any. */
  thinkingOff?: ModelFacts['thinkingOff'];
  thinkingOffUpTo?: Effort;
  /** Nothing has to: it thinks only where the request says so. */
  thinkingOnRequest: boolean;
  /** Between calls too with a budget, and its header is taken. */
  interleavedThinking: boolean;
  /** Its thinking counts only behind exactly what stood before it. */
  thinkingBound: boolean;
  /** `block_binding` of thinking, with its header. */
  blockBinding: boolean;
  /** `display` of thinking. */
  thinkingDisplay: boolean;
  /** Levels of `output_config.effort`; none where it is not taken. */
  efforts: readonly Effort[];
  /** Without one in the request, where it is known. */
  defaultEffort?: Effort;
  /** `speed: "fast"`. */
  fast: boolean;
  /** `tool_choice` of `any` or of one tool. */
  forcedTools: boolean;
  /** `strict` of tools. */
  strictTools: boolean;
  /** `output_config.format`. */
  structuredOutput: boolean;
  /** `input_examples` of tools, without a beta header. */
  toolExamples: boolean;
  /** `defer_loading` of tools and `tool_reference` in results. */
  toolReferences: boolean;
  /** The API's own search over deferred tools. */
  toolSearch: boolean;
  /** `eager_input_streaming` of tools. */
  eagerToolStreaming: boolean;
  /** `cache_control`. */
  caching: boolean;
  /** `cache_control` with a `ttl` of an hour. */
  longCaching: boolean;
  /** A shorter prompt is not cached. */
  minimumCacheTokens: number;
  /** `context_management` edits that clear the results of tools. */
  contextEditing: boolean;
  /** Those that clear thinking. */
  thinkingClearing: boolean;
  /** `context_management` with `compact_20260112`. */
  apiCompaction: boolean;
  /** The API's own web search. */
  webSearch: boolean;
  images: boolean;
  pdf: boolean;
  /** Images and PDF files by an address, which the API fetches. */
  fileAddresses: boolean;
  citations: boolean;
  tokenCounting: boolean;
  /** `anthropic-beta` headers or their like. */
  betas: boolean;
  /** `metadata`. */
  metadata: boolean;
}

/** What a list of models says of one; absent: nothing is said. */
export interface ReportedCapabilities {
  /** In the form of the vendor's own list: who answers so speaks the vendor's API. */
  vendorForm?: boolean;
  contextWindow?: number;
  maxOutputTokens?: number;
  thinking?: ModelFacts['thinking'];
  /** Null: nothing switches it off. */
  thinkingOff?: ModelFacts['thinkingOff'] | null;
  efforts?: readonly Effort[];
  structuredOutput?: boolean;
  contextEditing?: boolean;
  thinkingClearing?: boolean;
  apiCompaction?: boolean;
  webSearch?: boolean;
  images?: boolean;
  pdf?: boolean;
  citations?: boolean;
}

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
  // Fast mode depends on who hosts the deployment, which a request cannot tell.
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
  /** By the person, who knows better what stands at an address. */
  forced?: Partial<ModelCapabilities> | undefined;
}

export function capabilitiesOf(
  provider: ProviderId,
  model: string,
  { features = 'auto', withoutBetas = false, reported = {}, forced = {} }: CapabilityFacts = {},
): ModelCapabilities {
  const facts = modelFacts(model);
  const own = offersOf(provider, features, reported);
  const betas = own.betas && !withoutBetas;
  const bare = provider === 'vscode' || provider === 'demo';
  const since = (version: number): boolean => (modelVersion(model)?.version ?? 0) >= version;
  const thinking = bare ? 'none' : (reported.thinking ?? facts.thinking);
  const thinkingOff =
    thinking === 'none' || reported.thinkingOff === null ? undefined : (reported.thinkingOff ?? facts.thinkingOff);
  return {
    ...own,
    betas,
    contextWindow: reported.contextWindow ?? facts.contextWindow,
    maxOutputTokens: reported.maxOutputTokens ?? facts.maxOutputTokens,
    thinking,
    ...(thinkingOff === undefined ? {} : { thinkingOff }),
    ...(thinkingOff === undefined || facts.thinkingOffUpTo === undefined
      ? {}
      : { thinkingOffUpTo: facts.thinkingOffUpTo }),
    thinkingOnRequest: thinking === 'adaptive' && facts.thinkingOnRequest === true,
    interleavedThinking: betas && thinking === 'budget' && facts.interleavedThinking === true,
    thinkingBound: thinking !== 'none' && facts.thinkingBound === true,
    blockBinding:
      own.blockBinding && betas && facts.thinkingBound === true && (thinking === 'adaptive' || thinking === 'always'),
    thinkingDisplay: own.thinkingDisplay && thinking !== 'none' && thinking !== 'budget',
    efforts: bare ? [] : (reported.efforts ?? facts.efforts),
    ...(bare || facts.defaultEffort === undefined ? {} : { defaultEffort: facts.defaultEffort }),
    minimumCacheTokens: facts.minimumCacheTokens,
    forcedTools: !bare && facts.forcedTools,
    fast: own.fast && (facts.fast === 'released' || (facts.fast === 'beta' && betas)),
    // Strict and deferred tools, schemas and context editing came with the 4.5 models, summaries by the API with 4.6.
    strictTools: own.strictTools && (reported.structuredOutput ?? since(405)),
    structuredOutput: own.structuredOutput && (reported.structuredOutput ?? since(405)),
    toolReferences: own.toolReferences && since(405),
    toolSearch: own.toolSearch && since(405),
    contextEditing: own.contextEditing && betas && (reported.contextEditing ?? since(405)),
    thinkingClearing: own.thinkingClearing && betas && (reported.thinkingClearing ?? since(405)),
    apiCompaction: own.apiCompaction && betas && (reported.apiCompaction ?? since(406)),
    webSearch: own.webSearch && reported.webSearch !== false,
    images: reported.images ?? own.images,
    pdf: reported.pdf ?? own.pdf,
    citations: own.citations && reported.citations !== false,
    ...forced,
  };
}

/** By the person's word, else by what the address has said of itself, else by the table. */
function offersOf(provider: ProviderId, features: ApiFeatures, { vendorForm = false }: ReportedCapabilities): Offers {
  if (provider === 'vscode' || provider === 'demo') return offers[provider];
  if (features === 'plain') return plain;
  return provider === 'gateway' && (features === 'all' || vendorForm) ? everything : offers[provider];
}
