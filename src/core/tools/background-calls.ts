// What a tool may do with a call that takes long: leave it to the session, which goes on without its answer.
import { type ToolContext } from './tool';

export interface LongCall<Answer> {
  /** For people and the model: "issues: search". */
  title: string;
  ask(signal: AbortSignal, onProgress: (text: string) => void): Promise<Answer>;
  /** The answer as its output file has it. */
  printed(answer: Answer): Promise<{ text: string; failed: boolean }>;
}

export interface MovedCall {
  taskId: string;
  outputPath: string;
  /** How long it was waited for. */
  afterMs: number;
}

export interface BackgroundCalls {
  /** The answer, or the task that the call has become. Rejects as `ask` does while it is waited for. */
  run<Answer>(call: LongCall<Answer>, context: Pick<ToolContext, 'toolUseId' | 'signal' | 'onProgress'>): Promise<{ answer: Answer } | { moved: MovedCall }>;
}
