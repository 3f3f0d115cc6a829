// Where hooks join the execution of a tool: before the permission decision, at its question, and after the result.
import { type PermissionSuggestion } from '../../shared/permission';
import { type PermissionAnswer } from './hook-outcome';

export interface HookedCall {
  toolName: string;
  toolUseId: string;
  input: unknown;
  /** With a result: how long the tool took. */
  durationMs?: number;
}

export interface BeforeToolOutcome {
  decision?: 'allow' | 'ask' | 'deny';
  reason?: string;
  /** Replaces the whole input; parsed again before use. */
  updatedInput?: unknown;
  /** Goes to the model after the result. */
  additionalContext?: string;
  /** A hook has answered for the user: no hook is asked that again. */
  answered?: boolean;
  /** The decision is theirs: they were asked, and gave this input. */
  byUser?: boolean;
}

export interface AfterToolOutcome {
  /** Stands in place of what was shown, in the same shape. */
  updatedToolOutput?: unknown;
  /** The model may not have it: a sentence that says why. The user knows. */
  withheld?: string;
  additionalContext?: string;
}

/** None of them rejects. */
export interface ToolHooks {
  before(call: HookedCall, signal: AbortSignal): Promise<BeforeToolOutcome>;
  /** The user is about to be asked; undefined where no hook answers for them. */
  request(
    call: HookedCall,
    suggestions: readonly PermissionSuggestion[],
    signal: AbortSignal,
  ): Promise<PermissionAnswer | undefined>;
  /** Rules or the mode forbid the call. What it returns goes to the model after the result. */
  denied(call: HookedCall, reason: string, signal: AbortSignal): Promise<string | undefined>;
  /** The output as hooks see it, made only where a hook looks. */
  after(call: HookedCall, output: () => unknown, signal: AbortSignal): Promise<AfterToolOutcome>;
  /** What a hook put in place of the output cannot be used: the user is told. */
  unusable?(call: HookedCall, problem: string): void | Promise<void>;
  failed(call: HookedCall, error: string, signal: AbortSignal): Promise<string | undefined>;
}
