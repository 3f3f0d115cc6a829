// Shell commands: one run in the foreground or the background, its progress, and how it ended.
import { type ShellNames } from '../permissions/bash/shell-names';
import { type CommandEnd } from './command-end';
import { type Path } from './path';

export type Shell = 'bash' | 'powershell';

export interface CommandRequest {
  /** The tool_use id. */
  id: string;
  command: string;
  /** What the shell gets in its place: the same command, inside the sandbox. The user sees `command`. */
  runs?: string;
  /** Bash where it is left out. */
  shell?: Shell;
  cwd: Path;
  timeoutMs: number;
  /** The result shows longer output in part, so the file that has all of it is kept. */
  shownCharacters?: number;
  background: boolean;
  /** The session that runs it, or whose agent does. */
  session?: string;
  /** What a timeout does. */
  onTimeout: 'background' | 'kill';
  description?: string;
  /** Set over those of the environment. */
  variables?: Readonly<Record<string, string>>;
  /** What hooks have exported for commands; read by the shell first, where it is there. */
  environmentFile?: Path;
}

export interface CommandProgress {
  tail: string;
  bytes: number;
  durationMs: number;
}

export interface CommandResult {
  end: CommandEnd;
  /** Both streams as one, decoded; only the first and last part where `omittedBytes` > 0. */
  output: string;
  omittedBytes: number;
  totalBytes: number;
  /** The middle of the output was not kept: it would have filled the disk. */
  cut?: boolean;
  /** The end mark did not arrive: bytes may be missing. */
  incomplete: boolean;
  /** Empty where no file was kept: `output` is all of it then. */
  outputPath: Path;
  /** The folder the command ended in. */
  cwd: Path;
  durationMs: number;
  /** Processes that it left behind. */
  survivors: { pid: number; command: string }[];
  /** Deft's own remarks, for the model. */
  notes: string[];
}

export interface BackgroundCommand {
  taskId: string;
  /** The call that started it. */
  toolUseId: string;
  /** Left out by older versions. */
  session?: string;
  command: string;
  description?: string;
  /** For what is not a command: a call of a server that takes long. */
  title?: string;
  outputPath: Path;
  startedAt: number;
  /** Undefined while it runs. */
  end?: CommandEnd;
  /** Processes of it that lived on when it had ended. */
  survivors?: CommandResult['survivors'];
}

/** Runs commands where the user can see them; headless runs them as plain processes. */
export interface Terminal {
  /** Resolves when the command ends or moves to the background. Abort kills its process tree. */
  run(
    request: CommandRequest,
    onProgress: (progress: CommandProgress) => void,
    signal: AbortSignal,
  ): Promise<CommandResult>;
  background(): BackgroundCommand[];
  /** Resolves when what runs on from before the host was reloaded is among them, and what a crash left behind was ended. */
  foundAgain?(): Promise<void>;
  /** What a background command has printed until now: its last bytes, and how many there are; undefined if there is no such command. */
  output(taskId: string, maxBytes: number): Promise<{ tail: string; totalBytes: number } | undefined>;
  /** The user moves a running command to the background, by its tool_use id. False where none runs. */
  moveToBackground(toolUseId: string): boolean;
  /** False where no such command runs; else resolves when its processes have ended. */
  stop(taskId: string, by: 'user' | 'agent'): Promise<boolean>;
  /** Called once for each background command that ends; returns the unsubscribe function. */
  onBackgroundEnd(listener: (command: BackgroundCommand) => void): () => void;
  /** What this machine has; left out where nobody has looked. */
  shells?(): Shell[];
  /** Aliases and functions of the user that commands may use; omitted if there are none. */
  shellNames?(): Promise<ShellNames>;
  /** The folders that files with output are in; left out where none are kept. */
  outputDirectories?(): Path[];
  /** Kills what still runs. */
  dispose(): Promise<void>;
}
