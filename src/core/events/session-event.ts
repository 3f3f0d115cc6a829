// What a session reports to its host through one callback: records that were appended to the log, and live facts that are never stored.
import { type HookEvent } from '../ports/hook-events';
import { type HookResult } from '../ports/hook-handlers';
import { type ApprovalRequest } from '../ports/approver';
import { type HookStatus } from '../hooks/run-hooks';
import { type AssistantBlock, type Effort } from '../wire/wire';
import { type SessionRecord } from '../ports/record';
import { type ToolView } from '../../shared/tool-view';
import { type ToolProgress } from '../tool/tool';
import { type Prompt } from './steering-queue';

/** Block ids are `<message id>:<index>`. */
export type SessionEvent =
  | { type: 'record'; record: SessionRecord }
  | { type: 'block_started'; id: string; block: AssistantBlock }
  /** Text or thinking. */
  | { type: 'block_delta'; id: string; text: string }
  /** A piece of a call's input, to be shown and nothing else: the call is judged and run once its record is there. */
  | { type: 'input_delta'; id: string; json: string }
  | { type: 'block_ended'; id: string; durationMs: number }
  /** Unfinished when its stream broke: it will be asked for again. */
  | { type: 'block_dropped'; id: string }
  | { type: 'tool_state'; toolUseId: string; state: 'waiting' | 'running'; startedAt: number }
  | { type: 'tool_progress'; toolUseId: string; progress: ToolProgress }
  | { type: 'approval_asked'; request: ApprovalRequest }
  /** The user has made something else of the proposal, or put it back: what Accept would do now. */
  | { type: 'approval_changed'; requestId: string; view: ToolView; byUser: boolean }
  | { type: 'approval_settled'; requestId: string }
  /** An agent that this call started has written a record into its own log. */
  | { type: 'subagent_record'; toolUseId: string; agentId: string; record: SessionRecord }
  /** A teammate waits for messages, or works again. */
  | { type: 'teammate'; agentId: string; idle: boolean }
  /** The team has something for the lead, which may be between two turns. */
  | { type: 'team_calls' }
  | { type: 'retry_waiting'; attempt: number; maxAttempts: number; delayMs: number; message: string; until: number }
  /** There is no connection; the next look is at `until`. */
  | { type: 'offline_waiting'; message: string; until: number }
  /** A wait has ended: the request goes out again. */
  | { type: 'trying_again' }
  /** The request was answered, or the turn ends. */
  | { type: 'retry_over' }
  /** Nothing of the reply has come for so long; `reply_heard` follows when something does, or it is over. */
  | { type: 'reply_silent'; ms: number }
  | { type: 'reply_heard' }
  /** The turn begins when these MCP servers are there; `servers_settled` follows. */
  | { type: 'servers_awaited'; names: readonly string[] }
  | { type: 'servers_settled' }
  | { type: 'log_failed'; message: string }
  /** The settings ask for a sandbox and there is none; the reason is a sentence. */
  | { type: 'sandbox_missing'; reason: string }
  /** Nobody can say what this model costs: a sentence. */
  | { type: 'budget_unknown'; message: string }
  /** The API did not give fast mode, with its reason: it is off from now on. */
  | { type: 'fast_refused'; message: string }
  /** The model has no such level: the nearest one is asked for. */
  | { type: 'effort_lowered'; model: string; wanted: Effort; used: Effort }
  /** A hook begins or has ended. */
  | {
      type: 'hook_step';
      id: string;
      event: HookEvent;
      name: string;
      status: HookStatus;
      statusMessage?: string;
      result?: HookResult;
    }
  /** A permission update could not be written into its settings file. */
  | { type: 'not_saved'; message: string }
  /** The turn was stopped before hooks had judged its prompt: the model never gets it. */
  | { type: 'prompt_unsent'; prompt: Prompt }
  /** What the user typed names a command that cannot be carried out: a sentence. */
  | { type: 'command_refused'; message: string }
  /** The conversation is being compacted; then `over` follows, with a sentence where that failed. */
  | { type: 'compaction'; state: 'running' | 'over'; message?: string }
  /** The turn has ended and on disk; the next one may start. */
  | { type: 'turn_idle' };

export type Emit = (event: SessionEvent) => void;
