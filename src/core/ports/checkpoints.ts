// Checkpoints of a session: what files were before Deft changed them, so that a rewind can put them back. No git is involved.
import { type Path } from './path';

/** What was at a path. Equal states mean that nothing has to be done. */
export type FileState =
  | { kind: 'absent' }
  /** Only of empty ones: others are there with their files. */
  | { kind: 'folder' }
  | { kind: 'link'; target: string }
  /** `hash` names the kept bytes; of `mode` the permission bits. */
  /** `inode` where it has other names, which a change goes through to. */
  | { kind: 'file'; hash: string; mode: number; size: number; inode?: string | undefined }
  /** Seen, but its bytes were not kept; `seen` shows whether it is still the same. */
  | { kind: 'unkept'; why: UnkeptReason; seen: string };

export type UnkeptReason = 'large' | 'limit' | 'special' | 'unreadable';

/** One line of the log of checkpoints, in order of time. */
export type CheckpointEntry =
  | { type: 'point'; kind: 'prompt' | 'call' | 'rewind'; id: string; at: number; text?: string }
  /** What stands here was there right before `by` may have changed it. */
  | { type: 'before'; by: string; path: Path; state: FileState; doubt?: true }
  /** What `by` has left there. */
  | { type: 'after'; by: string; path: Path; state: FileState }
  /** A command that may change anything runs from the one to the other. */
  | { type: 'began' | 'ended'; by: string };

/** What the snapshots before commands leave out. */
export interface Uncovered {
  /** Files over the size limit, the first few of them by name. */
  large: number;
  largePaths: Path[];
  /** Files beyond the number and the bytes that are kept. */
  more: number;
  /** The folders could not be listed, or the snapshot was not ready in time for a command. */
  unlisted: boolean;
}

export interface RewindPoint {
  id: string;
  at: number;
  text: string;
}

export interface RewindStep {
  path: Path;
  action: 'restore' | 'delete' | 'create';
  from: FileState;
  to: FileState;
  /**
   * Somebody else changed it too: after Deft's last change, between two of them, or it is unknown whether. It is put back only
   * where the user says so.
   */
  others?: 'since' | 'between' | 'unknown';
}

export interface RewindPlan {
  /** Sorted by path. */
  steps: RewindStep[];
  /** Changed since, but their bytes were not kept. */
  lost: { path: Path; why: string }[];
  /** Calls were to change them since, but the disk has them as they were: what was changed may be in an editor, unsaved. */
  asThen: Path[];
}

export interface RewindPreview {
  plan: RewindPlan;
  uncovered: Uncovered;
}

export interface RewindOutcome {
  /** Rewinding to it takes the rewind back. */
  undo: string;
  done: Path[];
  failed: { path: Path; message: string }[];
}

export interface CallChange {
  path: Path;
  before: FileState;
  after: FileState;
}

export interface CallToGuard {
  /** The tool_use id. */
  id: string;
  /** Files that it names: those are kept whatever they are. */
  files: readonly Path[];
  /** It may change any file: a snapshot of the workspace comes first. */
  anything: boolean;
  /** Something else runs that may change files. */
  othersRun: boolean;
}

export interface SessionCheckpoints {
  /** A prompt is in the log under this id, or will be: what is on the disk now can be come back to. A second time it changes nothing. */
  prompt(id: string, text: string): void;
  /** Resolves when what the call may change is kept, with the function to call once it has ended. Neither rejects. */
  before(call: CallToGuard): Promise<() => Promise<void>>;
  /** Prompts that can be come back to, oldest first. */
  points(): Promise<RewindPoint[]>;
  /** Undefined if there is no such checkpoint. */
  preview(to: string): Promise<RewindPreview | undefined>;
  /** What commands changed, and is still so, since the prompt before the edits of these files, which were undone. Undefined without such a prompt. */
  leftByCommands(undone: readonly Path[]): Promise<{ to: string; preview: RewindPreview } | undefined>;
  /** The steps of a plan, after a checkpoint of what is there now. A file that is not as the preview had it (`from`) any more is left alone. */
  rewind(to: string, steps: readonly { path: Path; from?: FileState }[]): Promise<RewindOutcome>;
  /** The files that this call itself wrote, as they were before it and as it left them. Empty where that is no longer kept. */
  changedBy(id: string): Promise<CallChange[]>;
  /** The bytes of a kept file; undefined where they are not there. */
  bytes(state: FileState): Promise<Uint8Array | undefined>;
  /** The workspace has these folders from now on: what a command may change in a new one is kept from its next call on. */
  follow(folders: readonly Path[]): void;
  /** A fork can be rewound like the session that it is a copy of. */
  copyTo(session: string): Promise<void>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export interface Checkpoints {
  /** `resultsDirectory` is that of the session; the folder next to it holds its checkpoints. */
  open(session: { id: string; resultsDirectory: Path; folders: readonly Path[] }): SessionCheckpoints;
  /** For a fork of a session that is not open here. Both are named by their `resultsDirectory`. Never rejects. */
  copy(from: Path, to: Path): Promise<void>;
}
