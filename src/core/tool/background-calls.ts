// What a tool may do with a call that takes long: leave it to the session, which continues without its answer.

export interface LongCall<Answer> {
  /** For users and the model: "issues: search". */
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

/** What is used of a tool's context. */
export interface CallContext {
  toolUseId: string;
  signal: AbortSignal;
  onProgress(progress: { kind: 'text'; text: string }): void;
}

export interface BackgroundCalls {
  /** The answer, or the task that the call has become. Rejects as `ask` does while it is waited for. */
  run<Answer>(call: LongCall<Answer>, context: CallContext): Promise<{ answer: Answer } | { moved: MovedCall }>;
}
