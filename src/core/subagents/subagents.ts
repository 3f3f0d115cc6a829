// Agents that a session starts: what tools may ask of them. The session's side is in core/agent.
import { type Path } from '../ports/path';

export interface SubagentRequest {
  /** A few words, for the chat. */
  description: string;
  prompt: string;
  /** "Explore", "general-purpose", or the name of one of the person's own. */
  agentType: string;
  /** As a call gave it: an alias or an id. */
  model?: string;
  background: boolean;
  /** For messages to it. */
  name?: string;
  isolation?: 'worktree';
}

export interface SubagentCall {
  toolUseId: string;
  signal: AbortSignal;
  onProgress: (text: string) => void;
}

export interface SubagentUsage {
  totalTokens: number;
  toolUses: number;
  durationMs: number;
}

export type SubagentOutcome =
  | { kind: 'completed'; agentId: string; text: string; usage: SubagentUsage }
  | { kind: 'launched'; agentId: string; transcript: Path }
  | { kind: 'stopped'; agentId: string; text: string; usage: SubagentUsage }
  /** `message` tells the model what to do next. */
  | { kind: 'failed'; code: string; message: string };

export interface Subagents {
  /** Rejects only on abort before it began. */
  run(request: SubagentRequest, call: SubagentCall): Promise<SubagentOutcome>;
}
