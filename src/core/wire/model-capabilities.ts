// What a model at its provider takes, as data: the types that the table of models, ports and logs share.
import { type Effort } from './wire';

export interface ModelFacts {
  contextWindow: number;
  maxOutputTokens: number;
  /** `always`: cannot be switched off; `adaptive`: on request or by default; `budget`: the older form with a token budget. */
  thinking: 'always' | 'adaptive' | 'budget' | 'none';
  /** What switches it off; absent: nothing does, or there is none. */
  thinkingOff?: 'disabled' | 'between_tools';
  /** The highest effort at which it can be off; absent: at any. */
  thinkingOffUpTo?: Effort;
  /** Adaptive, but only where the request says so: nothing has to switch it off. */
  thinkingOnRequest?: true;
  /** With a budget it thinks between calls too, behind a header; elsewhere that header gets requests refused. */
  interleavedThinking?: true;
  /** Its thinking counts only after exactly what was before it: what has changed there makes it invalid. */
  thinkingBound?: true;
  /** Levels of `output_config.effort`, from the least on; none where it is not taken. */
  efforts: readonly Effort[];
  /** Without an effort in the request. */
  defaultEffort?: Effort;
  /** The vendor's own API offers it at a higher speed and price; `beta`: behind a header. */
  fast?: 'released' | 'beta';
  /** A shorter prompt is not cached, whatever it is marked with. */
  minimumCacheTokens: number;
  /** `tool_choice` of `any` or of one tool. */
  forcedTools: boolean;
  /** Tokens of the window that only a beta and a suffix `[1m]` open. */
  longWindow?: number;
}

/** Where a model runs. `gateway`: another address that speaks the Messages API; `vscode`: a model that VS Code offers. */
export type ProviderId = 'anthropic' | 'gateway' | 'bedrock' | 'vertex' | 'foundry' | 'vscode' | 'demo';

/** How much of the API a provider is asked for: what it is known to take, everything, or the plain Messages API alone. */
export type ApiFeatures = 'auto' | 'all' | 'plain';

/** How a model thinks, and what of that a request may say. */
export interface ThinkingCapabilities {
  thinking: ModelFacts['thinking'];
  /** What switches thinking off, and up to which effort; absent: nothing, or at any. */
  thinkingOff?: ModelFacts['thinkingOff'];
  thinkingOffUpTo?: Effort;
  /** Nothing has to: it thinks only where the request says so. */
  thinkingOnRequest: boolean;
  /** Between calls too with a budget, and its header is taken. */
  interleavedThinking: boolean;
  /** Its thinking counts only after exactly what was before it. */
  thinkingBound: boolean;
  /** `block_binding` of thinking, with its header. */
  blockBinding: boolean;
  /** `display` of thinking. */
  thinkingDisplay: boolean;
  /** Levels of `output_config.effort`; none where it is not taken. */
  efforts: readonly Effort[];
  /** Without one in the request, where it is known. */
  defaultEffort?: Effort;
}

/** What requests may say about tools, and which of its own the API has. */
export interface ToolCapabilities {
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
  /** The API's own web search. */
  webSearch: boolean;
}

/** How long a conversation may be, and what keeps it short and cheap. */
export interface ContextCapabilities {
  contextWindow: number;
  maxOutputTokens: number;
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
  tokenCounting: boolean;
}

/** What messages may hold. */
export interface ContentCapabilities {
  images: boolean;
  pdf: boolean;
  /** Images and PDF files by an address, which the API fetches. */
  fileAddresses: boolean;
  citations: boolean;
}

export interface ModelCapabilities
  extends ThinkingCapabilities, ToolCapabilities, ContextCapabilities, ContentCapabilities {
  /** `speed: "fast"`. */
  fast: boolean;
  /** `anthropic-beta` headers or their like. */
  betas: boolean;
  /** `metadata`. */
  metadata: boolean;
}

/** What a list of models says about one; absent: nothing is said. */
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
