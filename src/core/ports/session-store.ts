// Where sessions are kept: append-only logs, how they are opened, listed, followed and removed.
import { type SessionRecord } from './record';
import { type Path } from './path';

export interface SessionSummary {
  id: string;
  title: string;
  cwd: Path;
  updatedAt: number;
  sizeBytes: number;
}

/** A place in the file of a log. `format`: the newest that the lines before it name. */
export interface LogPosition {
  at: number;
  format: number;
}

/** The line of one record, and how to tell that it is still the same: a checksum of its bytes. */
export interface RecordPlace extends LogPosition {
  length: number;
  check: number;
}

/** What the file of a log holds, for whoever wants to read it again. */
export interface StoredRecords {
  /** What is written from there on, in parts, in the order of the file. Rejects where the file cannot be read. */
  scan(from: LogPosition): AsyncIterable<{ found: { record: SessionRecord; place: RecordPlace }[]; end: LogPosition }>;
  /** Throws a DeftError where the file cannot be read any more, or these bytes are others now. */
  read(place: RecordPlace): SessionRecord;
}

/** One session's append-only log. Appends are ordered; `sync` returns when all of them are on disk. */
export interface SessionLog {
  readonly id: string;
  /** The transcript file. */
  readonly path: Path;
  /** Left out where nothing is in a file: what was appended is nowhere else then. */
  readonly stored?: StoredRecords | undefined;
  append(records: SessionRecord[]): void;
  /** Rejects with a DeftError when the disk refuses (full, read-only): the records stay queued. */
  sync(): Promise<void>;
  close(): Promise<void>;
  /** Another process wants the session; the answer says whether it is closed now. Until one listens, nobody is answered. */
  onWanted?(lets: (wish: SessionWish) => Promise<boolean>): void;
}

/** That the session be closed where nobody can see it there any more, or wherever it is. */
export type SessionWish = 'unless-seen' | 'taken-over';

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
  /** Undefined if there is no such session. A torn last line is dropped, unknown types are kept. */
  open(id: string): Promise<{ log: SessionLog; records: SessionRecord[] } | undefined>;
  /** How the session ends, at a glance and without a lock; undefined where it is short, gone, or of a newer format. */
  end?(id: string): Promise<{ title: string; records: SessionRecord[] } | undefined>;
  /** What is on disk of it, without a lock: another process may write it, and a newer version of Deft. Empty if there is none. */
  read?(id: string): Promise<SessionRecord[]>;
  /** The same, and what its writer does from then on, reported in order. */
  follow?(id: string, follower: SessionFollower): Promise<FollowedSession>;
  /** Asks the process that has it open; true once nobody has. */
  ask?(id: string, wish: SessionWish): Promise<boolean>;
  /** Whether a living process has it open. */
  isHeld?(id: string): Promise<boolean>;
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
