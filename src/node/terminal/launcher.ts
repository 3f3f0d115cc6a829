// How a prepared run gets started: a plain process, a process behind a terminal, or a line in the user's own shell.
import { type CommandEnd } from '../../core/ports/command-end';
import { type Shell } from '../../core/ports/terminal';
import { type CaptureOptions } from './capture-wrapper';
import { type RunFiles } from './run-files';

export interface LaunchRequest {
  /** Of the call that wants it. */
  id?: string;
  command: string;
  shell: Shell;
  files: RunFiles;
  /** The path of the shell, which runs `files.wrapper`. */
  bash: string;
  /** Follows the output where the wrapper does not write it. */
  endMark: string;
  /** Complete and without credentials. */
  environment: NodeJS.ProcessEnv;
  /** Writes the wrapper; rejects with the file system's error. */
  prepare(
    options: Pick<CaptureOptions, 'input' | 'display' | 'title' | 'size'> & Partial<Pick<CaptureOptions, 'variables'>>,
  ): Promise<void>;
  /** The user pressed Ctrl+C. */
  onInterrupt(): void;
  /** The user asked to end the command. */
  onKill(): void;
  /** Aborted when nobody waits for the launch any more. */
  signal: AbortSignal;
}

export type LaunchEnd =
  /** The wrapper is over, as far as the host knows: its files say the rest. */
  | { kind: 'ended' }
  /** The user closed the terminal. */
  | { kind: 'closed' }
  /** Nothing ran. */
  | { kind: 'failed'; message: string };

export interface Launch {
  over: Promise<LaunchEnd>;
  /** A user's shell holds the command: where it gets stopped, the user can continue it. */
  keepsStopped?: boolean;
  /** Ends what carries the wrapper, after its processes were ended in vain. */
  abandon(): void;
  /** The run has ended: its terminal is free again. */
  finished(end: CommandEnd, durationMs: number): void;
}

export interface ProcessLaunch extends Launch {
  pid: number | undefined;
  /** What a terminal would show; undefined without a display. */
  output: NodeJS.ReadableStream | undefined;
  /** The command has a terminal that `type` writes to. */
  takesKeys: boolean;
  type(text: string): void;
}

export type Launcher = (request: LaunchRequest) => Promise<Launch>;
