// What the host answers to requests of the webview: suggestions, found items, pages of sessions, outputs, traces, usage and servers.
import { type SessionState } from './session-glance';
import { type DecisionTrace } from './decision-trace';
import { type McpServerRow } from './mcp-view';
import { type ComposerImage } from './written-message';
import { type ContextReport, type UsageReport } from './usage-view';

export interface KeptImage {
  id: string;
  image: ComposerImage;
}

/** What the user dropped or picked in VS Code: mentions, pictures to attach, and sentences about what does not go along. */
export interface InsertedFiles {
  text: string;
  pictures?: ComposerImage[];
  problems?: string[];
}

/** A picture of an answer, or a sentence why it is not shown. */
export type AnswerPicture =
  { data: string; mediaType: string; width: number; height: number; problem?: undefined } | { problem: string };

/** What a command wrote; `truncated` where that is only its end. */
export interface ToolOutput {
  text: string;
  truncated: boolean;
}

/** Why a call was allowed. */
export interface ToolTrace {
  /** Null where the call can no longer be explained. */
  trace: DecisionTrace | null;
  /** By the current rules. */
  present: boolean;
}

export interface UsageAnswer {
  usage: UsageReport;
  context: ContextReport;
}

/** All servers; `problems` says what of the files that name servers could not be read. */
export interface McpServerList {
  servers: McpServerRow[];
  problems: string[];
}

/** Some of `total` sessions. */
export interface SessionPage {
  total: number;
  sessions: SessionRow[];
  /** How long sessions are kept, 0 for ever. */
  keptDays: number;
}

/** An item that holds the words, and how often. */
export interface FoundItem {
  id: string;
  hits: number;
}

export interface MentionSuggestion {
  /** What is inserted behind "@". */
  path: string;
  kind: 'file' | 'folder' | 'resource' | 'agent' | 'problems' | 'changes' | 'terminal' | 'symbol' | 'test';
  /** What is beside its name, where that is not its folder. */
  detail?: string;
}

export interface SlashCommand {
  /** Without the slash. */
  name: string;
  /** The name without that of its folder: what is typed may fit that. */
  shortName?: string;
  description: string;
  /** What may follow the name; undefined where nothing does. */
  argumentHint?: string;
  /** The heading that it is under. */
  group: string;
}

export interface SessionRow {
  id: string;
  title: string;
  /** Milliseconds since the epoch. */
  updatedAt: number;
  current: boolean;
  sizeBytes: number;
  /** Of another program: can be looked at and copied; such rows have a group of their own. */
  source?: 'claude-code' | 'codex';
  /** What was found in it. */
  line?: string;
  /** What it does, where that is known. */
  state?: SessionState;
  /** What it waits for, else its last sentence. */
  said?: string;
  /** Its branch, changes and cost. */
  facts?: string;
}
