// Programs under VS Code's debuggers, spoken to by the Debug Adapter Protocol.
import { type Path } from './path';

/** What VS Code starts: a configuration of launch.json, or one of Deft's own. */
export interface DebugConfiguration {
  name: string;
  type: string;
  request: string;
  /** The workspace folder that it belongs to. */
  folder?: Path;
  /** All that it says, as it stands there. */
  values: Readonly<Record<string, unknown>>;
}

export interface Breakpoint {
  path: Path;
  /** From 1. */
  line: number;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
}

export interface PlacedBreakpoint extends Breakpoint {
  /** Undefined where the debugger has not said anything about it. */
  verified?: boolean;
  /** Where the debugger put it. */
  actualLine?: number;
  /** The user had the same one before. */
  users?: boolean;
}

/** Which exceptions stop the program: none, those that nothing catches, all. */
export type StoppingExceptions = 'none' | 'uncaught' | 'all';

export type DebugState =
  | { state: 'running' }
  | { state: 'stopped'; reason: string; thread: number; text?: string }
  | { state: 'ended'; exitCode?: number };

/** One program under a debugger, with the processes that it starts. */
export interface Debuggee {
  name: string;
  state(): DebugState;
  /** Resolves once it no longer runs. Rejects on abort. */
  settled(signal: AbortSignal): Promise<void>;
  /** What it printed since this was asked last; of more than 20,000 characters the last ones, `omitted` before them. */
  takeOutput(): { text: string; omitted: number };
  /** To the session that stopped last. Rejects with the debugger's own words. */
  request(command: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
  breakpoints(): Promise<PlacedBreakpoint[]>;
  /** In place of all that were set for this program. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void>;
  /** False where the debugger does not tell them apart. */
  setExceptions(exceptions: StoppingExceptions): Promise<boolean>;
  /** Ends it and removes its breakpoints; resolves when VS Code says so. */
  end(): Promise<void>;
}

export interface DebugStart {
  configuration: DebugConfiguration;
  breakpoints: readonly Breakpoint[];
  exceptions: StoppingExceptions;
}

export interface Debugger {
  /** Those of launch.json, of all folders. */
  configurations(): DebugConfiguration[];
  /** The types that extensions of this window debug. */
  types(): string[];
  /** The name of a session that Deft did not start. */
  sessionOfUser(): string | undefined;
  /** Nothing of it is left where it fails or is given up. */
  start(start: DebugStart, signal: AbortSignal): Promise<Debuggee | { problem: string }>;
}
