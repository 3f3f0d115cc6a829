// The Messages API on the wire, as Deft reads and writes it: blocks, messages, requests, stream events.
// Source: the vendor's public API reference. Written here so that core needs no vendor SDK.

export interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

export interface TextBlock {
  type: 'text';
  text: string;
  /** What a reply rests on, as the API sends it; echoed as it is. */
  citations?: unknown[] | null;
  cache_control?: CacheControl;
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  cache_control?: CacheControl;
}

export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** The API fetches it itself. */
export interface UrlSource {
  type: 'url';
  url: string;
}

export interface ImageBlock {
  type: 'image';
  source: { type: 'base64'; media_type: ImageMediaType; data: string } | UrlSource;
  cache_control?: CacheControl;
}

export interface DocumentBlock {
  type: 'document';
  source: { type: 'base64'; media_type: 'application/pdf'; data: string } | UrlSource;
  title?: string;
  /** What the document is, in words for the model. */
  context?: string;
  cache_control?: CacheControl;
}

export interface ToolReferenceBlock {
  type: 'tool_reference';
  tool_name: string;
}

export type ToolResultContent = TextBlock | ImageBlock | DocumentBlock | ToolReferenceBlock;

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: string | ToolResultContent[];
  is_error?: boolean;
  cache_control?: CacheControl;
}

/**
 * Blocks that only the API makes (server tools, fallback, compaction): kept and echoed as they came. A newer API or a gateway may
 * send kinds that are not listed here: a `switch` over kinds keeps what it does not know.
 */
export interface OpaqueBlock {
  type:
    | 'server_tool_use'
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'tool_search_tool_result'
    | 'fallback'
    | 'compaction'
    | 'opaque';
  [field: string]: unknown;
}

export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | OpaqueBlock;
export type UserBlock = TextBlock | ImageBlock | DocumentBlock | ToolResultBlock;

export type Message = { role: 'user'; content: UserBlock[] } | { role: 'assistant'; content: AssistantBlock[] };

export interface JsonSchema {
  type?: string;
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: boolean;
  [keyword: string]: unknown;
}

/** One entry of `tools`. `name` is at most 64 of [a-zA-Z0-9_-]. */
export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: JsonSchema;
  strict?: boolean;
  input_examples?: Record<string, unknown>[];
  eager_input_streaming?: boolean;
  /** The model sees it only once a `tool_reference` names it. */
  defer_loading?: boolean;
  cache_control?: CacheControl;
}

/** A search that the API makes itself; at most one of the two lists of domains. */
export interface WebSearchDefinition {
  type: 'web_search_20250305';
  name: 'web_search';
  /** The API describes it to the model. */
  description?: never;
  max_uses: number;
  allowed_domains?: string[];
  blocked_domains?: string[];
}

/** The API's own search over tools with `defer_loading`. */
export interface ToolSearchDefinition {
  type: 'tool_search_tool_bm25_20251119';
  name: 'tool_search_tool_bm25';
  description?: never;
}

export type RequestTool = ToolDefinition | WebSearchDefinition | ToolSearchDefinition;

/** One edit that the API makes to the conversation before the model reads it; the client's own history stays whole. */
export type ContextEdit =
  | { type: 'clear_thinking_20251015'; keep: { type: 'thinking_turns'; value: number } | 'all' }
  | {
      type: 'clear_tool_uses_20250919';
      trigger?: { type: 'input_tokens'; value: number };
      keep?: { type: 'tool_uses'; value: number };
      clear_at_least?: { type: 'input_tokens'; value: number };
      exclude_tools?: string[];
      clear_tool_inputs?: boolean;
    }
  | {
      type: 'compact_20260112';
      trigger?: { type: 'input_tokens'; value: number };
      pause_after_compaction?: boolean;
      instructions?: string;
    };

export type ToolChoice = { type: 'auto' } | { type: 'any' } | { type: 'none' } | { type: 'tool'; name: string };

export type Thinking =
  | {
      type: 'adaptive';
      display?: 'summarized' | 'omitted';
      /** What becomes of thinking that does not fit what is before it now; needs its beta. */
      block_binding?: { prefix_mismatch_behavior: 'drop_block' };
    }
  | { type: 'enabled'; budget_tokens: number; display?: 'summarized' | 'omitted' }
  | { type: 'disabled' }
  /** Off, where a model knows no `disabled`: what it writes between calls still comes as thinking. */
  | { type: 'between_tools' };

/** From the least to the most. */
export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];

/** The body of POST /v1/messages; `betas` travels as the anthropic-beta header. `stream` is the client's business. */
export interface ModelRequest {
  model: string;
  max_tokens: number;
  system: TextBlock[];
  tools: RequestTool[];
  messages: Message[];
  thinking?: Thinking;
  output_config?: { effort?: Effort; format?: { type: 'json_schema'; schema: JsonSchema } };
  tool_choice?: ToolChoice;
  metadata?: { user_id: string };
  /** Needs the beta of fast mode. */
  speed?: 'fast';
  betas?: string[];
  /** Needs the betas of its edits. */
  context_management?: { edits: ContextEdit[] };
}

/** Token counts as the API sends them: whole input = input + cache read + cache creation. */
export interface UsageCounts {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
}

/** With what the costs hang on; absent where the API does not say. */
export interface Usage extends UsageCounts {
  /** The written tokens by how long they are kept. */
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  server_tool_use?: { web_search_requests: number };
  /** At which the reply was really made. */
  speed?: 'fast';
}

/** As an event contains it: any part may be missing or null. */
export type WireUsage = { [Count in keyof UsageCounts]?: number | null } & {
  cache_creation?: { ephemeral_5m_input_tokens?: number | null; ephemeral_1h_input_tokens?: number | null } | null;
  server_tool_use?: { web_search_requests?: number | null } | null;
  speed?: string | null;
};

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction';

export type ContentDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: unknown }
  | { type: 'compaction_delta'; content: string | null; encrypted_content?: string | null };

/** A delta of a newer API: its fields continue those of its block. */
export interface UnknownDelta {
  type: string;
  [field: string]: unknown;
}

/** Raw server-sent events. Clients drop `ping` and every event type that is not listed here. */
export type StreamEvent =
  | { type: 'message_start'; message: { id: string; model: string; usage: WireUsage } }
  | { type: 'content_block_start'; index: number; content_block: AssistantBlock }
  | { type: 'content_block_delta'; index: number; delta: ContentDelta }
  | { type: 'content_block_stop'; index: number }
  | {
      type: 'message_delta';
      delta: { stop_reason: StopReason | null; stop_sequence?: string | null; stop_details?: unknown };
      usage: WireUsage;
      /** What `context_management` has cleared. */
      context_management?: unknown;
    }
  | { type: 'message_stop' };
