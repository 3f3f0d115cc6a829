// What core needs from its host: files, search, commands, approvals, models, time. No host type appears here.
import { type DiffHunk, type ToolView } from '../shared/tool-view';
import { type PermissionSuggestion, type PermissionUpdate } from '../shared/permission';
import { type ShellNames } from './permissions/bash/shell-names';
import { type CommandEnd } from './ports/command-end';
import { type CommandSandbox } from './ports/command-sandbox';
import { type Configuration } from './ports/configuration';
import { type Documents } from './ports/documents';
import { type HookHandlers } from './ports/hook-handlers';
import { type Languages } from './ports/languages';
import { type McpServers } from './ports/mcp';
import { type ModelClient } from './ports/model';
import { type Path } from './ports/path';
import { type PermissionStore } from './ports/permission-store';
import { type Questioner } from './ports/questions';
import { type Repl } from './ports/repl';
import { type Search } from './ports/search';
import { type WebClient } from './ports/web';
import { type Worktrees } from './ports/worktrees';
import { type SessionRecord } from './ports/record';

export interface FileStat {
  /** `other` is a FIFO, socket or device: never opened. Symlinks are followed. */
  type: 'file' | 'directory' | 'other';
  size: number;
  mtimeMs: number;
}

/** A text file as the person has it: the unsaved text where an editor holds one, else the decoded bytes. */
export interface TextFile {
  path: Path;
  /** Line endings exactly as they are, no byte order mark. */
  text: string;
  /** The name VS Code uses: `utf8`, `utf8bom`, `utf16le`, `windows1252` … */
  encoding: string;
  /** Of `text` and `encoding`; equal hashes mean nothing changed. */
  hash: string;
  /** An editor holds changes that are not on disk. */
  unsaved: boolean;
}

export type ReadFailure = {
  outcome: 'refused';
  code: 'not_found' | 'directory' | 'not_a_file' | 'binary' | 'too_large' | 'encoding' | 'permission' | 'failed';
  /** A sentence that names the path and what is wrong. */
  message: string;
};

export interface TextChange {
  path: Path;
  /** Where the path led when the change was allowed: the host writes there or not at all. */
  realPath?: Path;
  /** What the change was computed from; undefined creates the file and fails where one exists. */
  base: TextFile | undefined;
  text: string;
  /** The person saw and accepted exactly this text; otherwise the host marks the change for review. */
  approved: boolean;
}

export type WriteOutcome =
  | {
      outcome: 'written';
      /** The file afterwards; differs from the change where a formatter ran on save. */
      file: TextFile;
      /** Things that the model should know: formatted on save, left unsaved … */
      notes: string[];
    }
  /** Somebody else changed the file since `base`; nothing was written. */
  | { outcome: 'changed'; current: TextFile | undefined }
  /** Nothing was written, or what was written is undone. */
  | {
      outcome: 'refused';
      code:
        | 'readonly'
        | 'no_space'
        | 'permission'
        | 'encoding'
        | 'not_a_file'
        | 'moved'
        | 'unsaved'
        | 'untrusted'
        | 'failed';
      message: string;
    };

export interface FileSystem {
  /** Undefined where there is nothing. */
  stat(path: Path): Promise<FileStat | undefined>;
  /** Symlinks resolved, also of the parents of a path that does not exist yet. */
  realPath(path: Path): Promise<Path>;
  list(path: Path): Promise<{ name: string; type: FileStat['type'] }[]>;
  readBytes(path: Path, maxBytes: number): Promise<{ outcome: 'read'; bytes: Uint8Array } | ReadFailure>;
  readText(path: Path, maxBytes: number): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure>;
  /** Compare and write: parents are made, links followed, encoding, mode and mark kept, the disk compared afterwards. */
  writeText(change: TextChange): Promise<WriteOutcome>;
  /** For Deft's own files (tool results), outside the workspace: parents made, no review. */
  writeOwnFile(path: Path, content: string | Uint8Array): Promise<void>;
}

/** A change of one cell; `index` counts from 0. */
export type CellChange =
  | { kind: 'replace'; index: number; source: string; cellType?: 'code' | 'markdown' }
  /** In front of the cell that has this index now. `id` is used where the format has ids. */
  | { kind: 'insert'; index: number; source: string; cellType: 'code' | 'markdown'; id: string }
  | { kind: 'delete'; index: number };

export interface NotebookChange {
  path: Path;
  /** Where the path led when the change was allowed. */
  realPath?: Path;
  /** The notebook that the change was computed from. */
  base: TextFile;
  change: CellChange;
  /** A person accepted exactly this change. */
  approved: boolean;
}

/** Notebooks that are open in an editor: they are changed there, not on the disk under it. */
export interface Notebooks {
  /** The JSON text of an open notebook with unsaved changes, as it would be saved now; undefined where the disk has it all. */
  unsaved(path: Path): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure | undefined>;
  /** With the notebook's own undo; saved where nothing else was unsaved. Undefined where no editor has the notebook open. */
  write(change: NotebookChange): Promise<WriteOutcome | undefined>;
}

export type Shell = 'bash' | 'powershell';

export interface CommandRequest {
  /** The tool_use id. */
  id: string;
  command: string;
  /** What the shell gets in its place: the same command, inside the sandbox. The person sees `command`. */
  runs?: string;
  /** Bash where it is left out. */
  shell?: Shell;
  cwd: Path;
  timeoutMs: number;
  background: boolean;
  /** What a timeout does. */
  onTimeout: 'background' | 'kill';
  description?: string;
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
  /** The end mark did not arrive: bytes may be missing. */
  incomplete: boolean;
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
  command: string;
  description?: string;
  /** Of what is no command: a call of a server that takes long. */
  title?: string;
  outputPath: Path;
  startedAt: number;
  /** Undefined while it runs. */
  end?: CommandEnd;
}

/** Runs commands where the person can see them; headless runs them as plain processes. */
export interface Terminal {
  /** Resolves when the command ends or moves to the background. Abort kills its process tree. */
  run(
    request: CommandRequest,
    onProgress: (progress: CommandProgress) => void,
    signal: AbortSignal,
  ): Promise<CommandResult>;
  background(): BackgroundCommand[];
  /** Resolves when what runs on from before the host was reloaded is among them; left out where nothing does. */
  foundAgain?(): Promise<void>;
  /** What a background command has printed until now: its last bytes, and how many there are; undefined where there is no such command. */
  output(taskId: string, maxBytes: number): Promise<{ tail: string; totalBytes: number } | undefined>;
  /** The person moves a running command to the background, by its tool_use id. False where none runs. */
  moveToBackground(toolUseId: string): boolean;
  /** False where no such command runs; else resolves when its processes have ended. */
  stop(taskId: string, by: 'person' | 'agent'): Promise<boolean>;
  /** Called once for each background command that ends; returns the unsubscribe function. */
  onBackgroundEnd(listener: (command: BackgroundCommand) => void): () => void;
  /** What this machine has; left out where nobody has looked. */
  shells?(): Shell[];
  /** Aliases and functions of the person that commands may use; left out where there are none. */
  shellNames?(): Promise<ShellNames>;
  /** Kills what still runs. */
  dispose(): Promise<void>;
}

/** A file change before anybody approved it. */
export interface FileProposal {
  path: Path;
  /** Undefined where the file is new. */
  base: TextFile | undefined;
  text: string;
  /** Set where both texts are only a part of the file, such as a notebook's cell: a name for it, whose end tells the language. */
  shownAs?: Path;
}

/** A plan of the agent, kept in a file that the person may change before they accept it. */
export interface PlanProposal {
  file: Path;
}

export interface ApprovalRequest {
  id: string;
  toolUseId: string;
  toolName: string;
  /** "Edit src/a.ts", "Bash npm test": follows "Approve: ". */
  title: string;
  view: ToolView;
  /** A sentence: why Deft asks. */
  reason: string;
  /** Where it runs or leads, unless that is plain: "Runs in /w/sub". */
  place?: string;
  suggestions: PermissionSuggestion[];
  /** The agent whose call it is; undefined for the conversation's own. */
  agent?: { id: string; name: string };
  proposal?: FileProposal;
  plan?: PlanProposal;
  /** What the tool would get, but for credentials; for a host that asks a program. */
  input?: unknown;
}

export type ApprovalDecision =
  | {
      behavior: 'allow';
      /** The proposal's text as the person left it. */
      text?: string;
      /** What the tool is to get instead: judged anew. */
      input?: Record<string, unknown>;
      /** Passed on to the model after the result. */
      comment?: string;
      updates?: PermissionUpdate[];
      /** Nobody answered: what was granted meanwhile covers it. */
      covered?: boolean;
    }
  /** `unasked`: the host decided, since nobody could be asked. */
  | { behavior: 'deny'; message?: string; interrupt: boolean; unasked?: boolean };

/** Asks the person. Headless denies, with a message that names the rule to add. */
export interface Approver {
  /** `stillNeeded` turns false once a rule that was granted meanwhile covers this call too. */
  ask(request: ApprovalRequest, signal: AbortSignal, stillNeeded: () => boolean): Promise<ApprovalDecision>;
}

export interface Diagnostic {
  path: Path;
  /** The id of a notebook's cell: line and column count in its source. */
  cell?: string;
  /** 1-based. */
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  message: string;
  source?: string;
  code?: string;
}

export interface Diagnostics {
  /** What is reported now for these files. */
  current(paths: Path[]): Diagnostic[];
  /** Waits, bounded by the host's own delay, until the language servers have looked; returns those that are not in `before`. */
  newSince(before: Diagnostic[], paths: Path[], signal: AbortSignal): Promise<Diagnostic[]>;
}

export interface SessionSummary {
  id: string;
  title: string;
  cwd: Path;
  updatedAt: number;
  sizeBytes: number;
}

/** One session's append-only log. Appends are ordered; `sync` returns when all of them are on disk. */
export interface SessionLog {
  readonly id: string;
  /** The transcript file. */
  readonly path: Path;
  append(records: SessionRecord[]): void;
  /** Rejects with a DeftError when the disk refuses (full, read-only): the records stay queued. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionFollower {
  /** Waited for before more is read. */
  added(records: SessionRecord[]): Promise<void> | void;
  /** Whether a process has it open, where that changes; it had when this began. */
  held(isHeld: boolean): void;
}

export interface FollowedSession {
  records: SessionRecord[];
  stop(): void;
}

export interface SessionStore {
  create(id: string): Promise<SessionLog>;
  /** Undefined where there is no such session. A torn last line is dropped, unknown types are kept. */
  open(id: string): Promise<{ log: SessionLog; records: SessionRecord[] } | undefined>;
  /** How the session ends, at a glance and without a lock; undefined where it is short, gone, or of a newer format. */
  end?(id: string): Promise<{ title: string; records: SessionRecord[] } | undefined>;
  /** What is on disk of it, without a lock: another process may write it, and a newer version of Deft. Empty where there is none. */
  read?(id: string): Promise<SessionRecord[]>;
  /** The same, and what its writer does from then on, told in order. */
  follow?(id: string, told: SessionFollower): Promise<FollowedSession>;
  /** Newest first. */
  list(): Promise<SessionSummary[]>;
  remove(id: string): Promise<void>;
  /** The folder for this session's large tool results. */
  resultsDirectory(id: string): Path;
  /** Transcripts of the agents that this session started. */
  agentLogs?(id: string): {
    create(agentId: string): Promise<SessionLog>;
    open(agentId: string): Promise<{ log: SessionLog; records: SessionRecord[] } | undefined>;
  };
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Log {
  debug(message: string, detail?: unknown): void;
  info(message: string, detail?: unknown): void;
  warn(message: string, detail?: unknown): void;
  error(message: string, detail?: unknown): void;
}

export interface Ports {
  files: FileSystem;
  search: Search;
  terminal: Terminal;
  approver: Approver;
  diagnostics: Diagnostics;
  model: ModelClient;
  sessions: SessionStore;
  clock: Clock;
  /** A new UUID. */
  uuid: () => string;
  log: Log;
  /** What not every host has; the tools that need one are left out where it is missing. */
  web?: WebClient;
  languages?: Languages;
  questioner?: Questioner;
  notebooks?: Notebooks;
  configuration?: Configuration;
  documents?: Documents;
  repl?: Repl;
  sandbox?: CommandSandbox;
  hooks?: HookHandlers;
  permissionStore?: PermissionStore;
  mcp?: McpServers;
  worktrees?: Worktrees;
}

export type { CommandEnd, DiffHunk, Path };
