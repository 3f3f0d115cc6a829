// Code that is run in a process which lives on between calls: what core asks of its host.
export type ReplLanguage = 'javascript' | 'python';

export interface ReplRequest {
  /** Each session has a process of its own a language. */
  session: string;
  language: ReplLanguage;
  code: string;
  /** Where a new process starts; one that lives stays where it is. */
  cwd: string;
  timeoutMs: number;
}

export interface ReplResult {
  /** `timeout`, `stopped` and `died`: the process is gone, and what it held is lost. */
  state: 'finished' | 'failed' | 'timeout' | 'stopped' | 'died' | 'not-started';
  /** What it printed, both streams; the middle is left out where it is long. */
  output: string;
  /** The value of the last expression, or the error. Empty where there is neither. */
  value: string;
  /** What earlier calls printed since the one before, and where they failed after they were over. Empty in most cases. */
  late: string;
  /** The process is new: nothing of an earlier call is in it. */
  fresh: boolean;
  durationMs: number;
}

export interface Repl {
  /** Calls of one session and language run one after another. Abort ends the process. Never rejects. */
  evaluate(request: ReplRequest, signal: AbortSignal): Promise<ReplResult>;
  /** Ends the session's processes. */
  end(session: string): Promise<void>;
  dispose(): Promise<void>;
}
