// What one model at one provider takes: limits, thinking, and the parts of the API that not everybody offers.
// Sources: the vendor's public feature and model pages; what a provider's own list of models reports goes before the table.
import { type ModelFacts, modelFacts } from './models';
import { type Effort } from './wire';

/** Where a model runs. `gateway`: another address that speaks the Messages API; `vscode`: a model that VS Code offers. */
export type ProviderId = 'anthropic' | 'gateway' | 'bedrock' | 'vertex' | 'foundry' | 'vscode' | 'demo';

/** How much of the API a provider is asked for: what it is known to take, everything, or the plain Messages API alone. */
export type ApiFeatures = 'auto' | 'all' | 'plain';

export interface ModelCapabilities {
  contextWindow: number;
  maxOutputTokens: number;
  thinking: ModelFacts['thinking'];
  /** Levels of `output_config.effort`; none where it is not taken. */
  efforts: readonly Effort[];
  /** `speed: "fast"`. */
  fast: boolean;
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
  /** `context_management` edits that clear results and thinking. */
  contextEditing: boolean;
  /** `context_management` with `compact_20260112`. */
  apiCompaction: boolean;
  /** The API's own web search. */
  webSearch: boolean;
  images: boolean;
  pdf: boolean;
  citations: boolean;
  tokenCounting: boolean;
  /** `anthropic-beta` headers or their like. */
  betas: boolean;
  /** `metadata`. */
  metadata: boolean;
}

/** What a list of models says of one; absent: nothing is said. */
export interface ReportedCapabilities {
  contextWindow?: number;
  maxOutputTokens?: number;
  thinking?: ModelFacts['thinking'];
  efforts?: readonly Effort[];
  structuredOutput?: boolean;
  contextEditing?: boolean;
  apiCompaction?: boolean;
  webSearch?: boolean;
  images?: boolean;
  pdf?: boolean;
  citations?: boolean;
}

type Offers = Omit<ModelCapabilities, 'contextWindow' | 'maxOutputTokens' | 'thinking' | 'efforts'>;

const everything: Offers = {
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
  apiCompaction: true,
  webSearch: true,
  images: true,
  pdf: true,
  citations: true,
  tokenCounting: true,
  betas: true,
  metadata: true,
};

/** The Messages API as it was when others began to speak it. */
const plain: Offers = {
  ...everything,
  fast: false,
  strictTools: false,
  structuredOutput: false,
  toolExamples: false,
  toolReferences: false,
  toolSearch: false,
  eagerToolStreaming: false,
  longCaching: false,
  contextEditing: false,
  apiCompaction: false,
  webSearch: false,
  citations: false,
  betas: false,
};

const nothing: Offers = { ...plain, caching: false, images: false, pdf: false, tokenCounting: false, metadata: false };

const offers: Record<ProviderId, Offers> = {
  anthropic: everything,
  gateway: { ...plain, webSearch: true },
  bedrock: { ...plain, betas: true, metadata: false, tokenCounting: false },
  vertex: { ...plain, betas: true, webSearch: true },
  foundry: { ...everything, fast: false, toolExamples: false, toolReferences: false, toolSearch: false },
  vscode: { ...nothing, images: true, tokenCounting: true },
  demo: nothing,
};

export interface CapabilityFacts {
  features?: ApiFeatures | undefined;
  /** By the provider's own list of models. */
  reported?: ReportedCapabilities | undefined;
  /** By the person, who knows better what stands at an address. */
  forced?: Partial<ModelCapabilities> | undefined;
}

export function capabilitiesOf(provider: ProviderId, model: string, { features = 'auto', reported = {}, forced = {} }: CapabilityFacts = {}): ModelCapabilities {
  const facts = modelFacts(model);
  const { contextWindow, maxOutputTokens, thinking, fast } = facts;
  const own = features === 'plain' && provider !== 'vscode' && provider !== 'demo' ? plain : features === 'all' && provider === 'gateway' ? everything : offers[provider];
  const newer = isFrom45(model);
  return {
    ...own,
    contextWindow,
    maxOutputTokens,
    thinking: provider === 'vscode' || provider === 'demo' ? 'none' : thinking,
    efforts: provider === 'vscode' || provider === 'demo' ? [] : facts.efforts,
    ...reported,
    fast: own.fast && fast !== undefined,
    strictTools: own.strictTools && newer,
    toolReferences: own.toolReferences && newer,
    toolSearch: own.toolSearch && newer,
    structuredOutput: own.structuredOutput && (reported.structuredOutput ?? newer),
    contextEditing: own.contextEditing && (reported.contextEditing ?? newer),
    apiCompaction: own.apiCompaction && (reported.apiCompaction ?? newer),
    webSearch: own.webSearch && reported.webSearch !== false,
    citations: own.citations && reported.citations !== false,
    ...forced,
  };
}

export const efforts: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Of the 4.5 models or later: with them came strict and deferred tools. */
function isFrom45(model: string): boolean {
  const version = /(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (version === null) return false;
  return Number(version[1]) > 4 || (Number(version[1]) === 4 && Number(version[2] ?? 0) >= 5);
}
