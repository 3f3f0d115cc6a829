// Files as core reads and writes them: stat, list, decoded text, and a compare-and-write.
import { type Path } from './path';

export interface FileStat {
  /** `other` is a FIFO, socket or device: never opened. Symlinks are followed. */
  type: 'file' | 'directory' | 'other';
  size: number;
  mtimeMs: number;
}

/** A text file as the user has it: the unsaved text where an editor holds one, else the decoded bytes. */
export interface TextFile {
  path: Path;
  /** Line endings exactly as they are, no byte order mark. */
  text: string;
  /** The name VS Code uses: `utf8`, `utf8bom`, `utf16le`, `windows1252` … */
  encoding: string;
  /** The hash of `text` and `encoding`; equal hashes mean nothing changed. */
  hash: string;
  /** An editor holds changes that are not on disk. */
  unsaved: boolean;
  /** What the disk said of the file just before these bytes were read; absent where an editor gave the text. */
  disk?: FileStat;
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
  /** The user saw and accepted exactly this text; otherwise the host marks the change for review. */
  approved: boolean;
  /** The session that writes, agents' changes included: its user reviews them. */
  session?: string;
}

/** Who wrote what is there now, where the host knows: the same session (an agent, another call), or a chat by its title. */
export type ChangedBy = 'this session' | { chat: string };

export type WriteOutcome =
  | {
      outcome: 'written';
      /** The file afterwards; differs from the change where a formatter ran on save. */
      file: TextFile;
      /** Things that the model should know: formatted on save, left unsaved … */
      notes: string[];
    }
  /** Somebody else changed the file since `base`; nothing was written. */
  | { outcome: 'changed'; current: TextFile | undefined; by?: ChangedBy }
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

/** A file that goes to another place as it is. Nothing follows it there: language servers are not told. */
export interface FileMove {
  from: Path;
  to: Path;
  /** Where both led when the move was allowed: the host moves there or not at all. */
  realPaths?: { from: Path; to: Path };
  /** As for a change. */
  approved: boolean;
  session?: string;
}

export type MoveOutcome = { outcome: 'moved' } | Extract<WriteOutcome, { outcome: 'refused' }>;

export interface FileSystem {
  /** Undefined where there is nothing. */
  stat(path: Path): Promise<FileStat | undefined>;
  /** An editor holds changes of it that are not on disk; absent where there are no editors. */
  isUnsaved?(path: Path): boolean;
  /** Symlinks resolved, also of the parents of a path that does not exist yet. */
  realPath(path: Path): Promise<Path>;
  list(path: Path): Promise<{ name: string; type: FileStat['type'] }[]>;
  readBytes(path: Path, maxBytes: number): Promise<{ outcome: 'read'; bytes: Uint8Array } | ReadFailure>;
  readText(path: Path, maxBytes: number): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure>;
  /** Compare and write: parents are made, links followed, encoding, mode and mark kept, the disk compared afterwards. */
  writeText(change: TextChange): Promise<WriteOutcome>;
  /** Never over another file, and none with unsaved text. Folders are made on the way, and go where they end empty. Absent where there are no editors. */
  move?(move: FileMove): Promise<MoveOutcome>;
  /** For Deft's own files (tool results), outside the workspace: parents made, no review. */
  writeOwnFile(path: Path, content: string | Uint8Array): Promise<void>;
}
