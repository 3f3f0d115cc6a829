// Agents that a session starts: what tools may ask of them. The session's side is in core/agent.
import { type PermissionRule } from '../../shared/permission';
import { type AgentColor } from '../../shared/agent-color';
import { type Path } from '../ports/path';
import { type Words } from '../text/words';

export interface SubagentRequest {
  /** A few words, for the chat. */
  description: string;
  prompt: string;
  /** "Explore", "general-purpose", or the name of one of the user's own. */
  agentType: string;
  /** As a call gave it: an alias or an id. */
  model?: string;
  background: boolean;
  /** For messages to it. */
  name?: string;
  isolation?: 'worktree';
  /** Rules that deny: they bind it, and whatever it starts, in addition to those of its session. */
  rules?: readonly PermissionRule[];
}

export interface SubagentCall {
  toolUseId: string;
  signal: AbortSignal;
  onProgress: (text: string) => void;
  /** What it has done so far, in words. */
  onSteps?: (steps: SubagentSteps) => void;
}

export interface SubagentSteps {
  /** The last ones, oldest first. */
  steps: readonly string[];
  /** "Reading a.ts · 3 tool uses · 12k tokens". */
  summary: string;
  /** The colour of its name in the chat. */
  color?: AgentColor;
}

export interface SubagentUsage {
  totalTokens: number;
  toolUses: number;
  durationMs: number;
}

export type SubagentOutcome =
  | {
      kind: 'completed';
      agentId: string;
      text: string;
      usage: SubagentUsage;
      steps?: readonly string[];
      color?: AgentColor;
    }
  /** `team`: it is a teammate there, and stays. */
  | { kind: 'launched'; agentId: string; transcript: Path; team?: string; color?: AgentColor }
  | {
      kind: 'stopped';
      agentId: string;
      text: string;
      usage: SubagentUsage;
      steps?: readonly string[];
      color?: AgentColor;
    }
  /** `message` says what the model should do next. */
  | { kind: 'failed'; code: string; message: Words };

/** An agent of this session, running or ended. */
export interface SubagentTask {
  id: string;
  /** For messages to it, as an alternative to the id. */
  name?: string;
  agentType: string;
  description: string;
  transcript: Path;
  state: 'running' | 'completed' | 'stopped' | 'failed';
  /** A teammate that waits for messages. */
  idle?: boolean;
  /** What it has done, and its report once there is one. */
  text: string;
}

export type SendOutcome =
  /** It reads the message with its next results. */
  | { kind: 'delivered'; agentId: string }
  /** It had ended, and continues with the message in the background. */
  | { kind: 'resumed'; agentId: string; transcript: Path }
  | { kind: 'failed'; code: string; message: Words };

export interface Subagents {
  /** Rejects only on abort before it began. */
  run(request: SubagentRequest, call: SubagentCall): Promise<SubagentOutcome>;
  /** By id or name. */
  send(to: string, message: string, toolUseId: string): Promise<SendOutcome>;
  tasks(): readonly SubagentTask[];
  /** The call's result is in the log, or will never be: an end in the background can be reported from now on. */
  resultWritten?(toolUseId: string): void;
  /** Resolves when it has ended; false where it had ended before, or is none of this session. */
  stop(id: string, by: 'user' | 'agent'): Promise<boolean>;
  /** Calls once, when it has ended; returns the function that takes the listener away. */
  onEnd(id: string, listener: () => void): () => void;
}
