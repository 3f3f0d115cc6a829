// Where hooks join the execution of a tool: before the permission decision and after the result.

export interface HookedCall {
  toolName: string;
  toolUseId: string;
  input: unknown;
}

export interface BeforeToolOutcome {
  decision?: 'allow' | 'ask' | 'deny';
  reason?: string;
  /** Replaces the whole input; parsed again before use. */
  updatedInput?: unknown;
  /** Goes to the model behind the result. */
  additionalContext?: string;
}

export interface AfterToolOutcome {
  /** Replaces the structured output where it fits the tool's output schema. */
  updatedToolOutput?: unknown;
  additionalContext?: string;
}

export interface ToolHooks {
  before(call: HookedCall, signal: AbortSignal): Promise<BeforeToolOutcome>;
  after(call: HookedCall, output: unknown, signal: AbortSignal): Promise<AfterToolOutcome>;
}
