// What runs a hook outside of Deft: processes, addresses, and a look at files that change.
import { type HookEvent } from './hook-events';

export interface HookCommand {
  /** A line for the shell, or with `args` a program. */
  command: string;
  args?: readonly string[];
  shell?: 'bash' | 'powershell';
  cwd: string;
  /** JSON for its standard input. */
  input: string;
  /** Variables that look like credentials, which the hook's entry names. */
  passes?: readonly string[];
  /** On top of the user's environment, which comes without credentials. */
  variables: Readonly<Record<string, string>>;
  /** Its folder is made: the hook writes it. */
  environmentFile?: string;
}

export interface HookPost {
  url: string;
  /** `$NAME` and `${NAME}` stand for variables, of those that may be sent. */
  headers: Readonly<Record<string, string>>;
  /** Names of variables that headers may hold. */
  variables: readonly string[];
  body: string;
}

export interface McpToolCall {
  server: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

export interface FileChange {
  path: string;
  event: 'add' | 'change' | 'unlink';
}

/** None of them rejects. Abort ends the whole process tree. */
export interface HookHandlers {
  /** `onLine` gets the first line that it prints, as soon as it is there. */
  command(hook: HookCommand, onLine: (line: string) => void, signal: AbortSignal): Promise<HookResult>;
  /** Follows no redirect. */
  post(hook: HookPost, signal: AbortSignal): Promise<HookResult>;
  /** Missing where there are no MCP servers. */
  callMcpTool?(call: McpToolCall, signal: AbortSignal): Promise<HookResult>;
  /** Asks the program that runs Deft; missing where none does. `input` is the event as JSON. */
  callback?(hook: { event: HookEvent; id: string }, input: string, signal: AbortSignal): Promise<HookResult>;
  /** Resolves once no process is left of commands that were stopped; missing where none is started. */
  ended?(): Promise<void>;
  /** Files need not exist yet. Returns the function that ends it. */
  watch(paths: readonly string[], changed: (change: FileChange) => void): () => void;
}

export type HookResult =
  /** `signal`: what ended it; the exit code is then that of a shell. */
  | { kind: 'ended'; exitCode: number; stdout: string; stderr: string; signal?: string }
  /** An http hook's answer with a good status. */
  | { kind: 'body'; text: string }
  /** The answer of a model. */
  | { kind: 'verdict'; ok: boolean; reason: string }
  /** Why it did not run, or did not come to an end: a sentence. */
  | { kind: 'failed'; message: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'cancelled' };
