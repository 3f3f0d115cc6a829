// One line of a session's log, in the documented transcript shape; Deft's own facts are `system` records.
import { type ClearedContext } from '../wire/context-edits';
import { type ProviderId } from '../wire/model-capabilities';
import { type AssistantBlock, type StopReason, type ToolResultBlock, type Usage, type UserBlock } from '../wire/wire';
import { type CommandEnd } from './command-end';
import { type TaskList } from '../tasks/task';
import { type Worktree } from './worktrees';
import { type CallDecision } from '../../shared/decision-trace';
import { type ReviewComment } from '../../shared/review-comment';

/** On every record. Lines that lack fields are tolerated on reading. */
export interface RecordEnvelope {
  uuid: string;
  parentUuid: string | null;
  /** ISO 8601. */
  timestamp: string;
  sessionId: string;
  cwd: string;
  version: string;
  gitBranch?: string;
  isSidechain?: boolean;
}

/** What the user typed and attached. */
export interface PromptDisplay {
  text: string;
  attachments: string[];
  images: number;
  /** Those that it was made of. */
  comments?: readonly ReviewComment[];
  /** The ids of what was asked for at the cursor of an editor, where such threads follow what becomes of it. */
  inline?: readonly string[];
}

/** A prompt, a steering message, a reminder (`isMeta`), or one tool result. */
export interface UserRecord extends RecordEnvelope {
  type: 'user';
  message: { role: 'user'; content: string | UserBlock[] };
  /** Deft's own text to the model, not the user's. */
  isMeta?: boolean;
  /** Stands in place of what came before the boundary right before it. */
  isCompactSummary?: boolean;
  /** With a summary: files whose whole text is in it. */
  attachedFiles?: { filePath: string; hash: string }[];
  /** With a reminder: files of which it says that they have changed, by what stands there now ('' for nothing). `known`: as if read; `act`: what the user did to them with Deft. */
  changedFiles?: { filePath: string; hash: string; known?: boolean; act?: 'undone' | 'rewound' }[];
  /** With a reminder: the notes about the session's surroundings that it holds. */
  contextKeys?: string[];
  /** Typed while the agent worked, delivered with tool results. */
  steering?: boolean;
  /** What the user typed and attached, where the message holds more than that. */
  display?: PromptDisplay;
  /** With a tool result: the tool's structured output, or "Error: …". */
  toolUseResult?: unknown;
  sourceToolAssistantUUID?: string;
  /** With a tool result: what the chat shows. */
  toolState?: 'done' | 'failed' | 'denied' | 'stopped';
  durationMs?: number;
}

/** One finished block of a reply; records with the same message.id are one message. */
export interface AssistantRecord extends RecordEnvelope {
  type: 'assistant';
  message: {
    id: string;
    role: 'assistant';
    model: string;
    content: AssistantBlock[];
    stop_reason: StopReason | null;
    usage?: Usage;
  };
  /** Where the API named another one in its reply. */
  requestedModel?: string;
  durationMs?: number;
}

/** What the user chose for the session. */
export type SettingName = 'model' | 'mode' | 'cwd' | 'effort' | 'speed' | 'thinking' | 'budget' | 'fallback';

/** Deft's own facts. */
export type SystemRecord = RecordEnvelope & { type: 'system' } & (
    | {
        subtype: 'reply_end';
        messageId: string;
        stopReason: StopReason | null;
        usage: Usage;
        model: string;
        /** From the request to the end of the reply. */
        durationMs?: number;
        /** What the API left out of this request. */
        cleared?: ClearedContext;
        /** Where it is not the table's. */
        contextWindow?: number;
        /** Where its prices may be others. */
        provider?: ProviderId;
        /** Through an endpoint of one part of the world. */
        regional?: true;
      }
    /** What a model used for a job outside the conversation; `whom`: for which job, or for which agent. */
    | { subtype: 'side_usage'; model: string; usage: Usage; whom?: string; provider?: ProviderId; regional?: true }
    | { subtype: 'api_retry'; attempt: number; maxAttempts: number; delayMs: number; message: string }
    /** No connection: the turn waits for one. */
    | { subtype: 'offline'; message: string }
    /** Only the calls of this reply that ran are sent again: the model declined to continue it. */
    | { subtype: 'reply_refused'; messageId: string; details?: unknown }
    /** From here to the end of the turn another model answers. */
    | {
        subtype: 'model_fallback';
        from: string;
        to: string;
        cause: 'overloaded' | 'not_found' | 'refusal' | 'asked';
        message: string;
      }
    | {
        subtype: 'turn_end';
        reason: TurnEndReason;
        message?: string;
        code?: string;
        provider?: ProviderId;
        offer?: string;
        durationMs: number;
      }
    | { subtype: 'permission_update'; update: unknown }
    | { subtype: 'setting'; name: SettingName; value: string }
    /** What the user wants reached, and what became of it. */
    | { subtype: 'goal'; condition: string; state: 'set' | 'cleared' | 'met' | 'unmet' | 'unchecked'; reason?: string }
    | { subtype: 'tool_started'; toolUseId: string }
    /** The call waits for the user: for permission, or for their answer to what it asks. */
    | { subtype: 'user_asked'; toolUseId: string }
    /** Why the call was allowed or refused, once that is settled. */
    | ({ subtype: 'decision'; toolUseId: string } & CallDecision)
    | {
        subtype: 'background_end';
        taskId: string;
        message: string;
        /** The call that started it. */
        toolUseId?: string;
        /** For a call that was not a command. */
        title?: string;
        end?: CommandEnd;
        /** The end of its output. */
        tail?: string;
        totalBytes?: number;
        outputPath?: string;
      }
    /** Sent in place of the call's result, which with its neighbours was too much for one message. */
    | { subtype: 'result_stored'; block: ToolResultBlock }
    /** The API refused an image or PDF; those before this record are not sent again. `message` is its reason. */
    | { subtype: 'images_dropped'; message: string }
    /** A hook says something to the user, or went wrong (`warning`). */
    | { subtype: 'hook_notice'; hookName: string; level: 'info' | 'warning'; message: string }
    /** The summary that follows replaces what came before; `keptFrom` is the prompt from which on messages stay as they are. */
    | {
        subtype: 'compact_boundary';
        compactMetadata: { trigger: CompactTrigger; preTokens: number; postTokens?: number };
        keptFrom?: string;
        focus?: string;
        /** The id of the reply that holds the API's own summary: its block may be in place of the summary's text. */
        apiReply?: string;
      }
    /** As if the boundary with this uuid had never been. */
    | { subtype: 'compact_undone'; boundary: string }
    /** The user has rewritten the summary of this boundary. */
    | { subtype: 'compact_edited'; boundary: string; summary: string }
    /** A hook had the user shown this in place of a message's text, the `index`th of them; empty where it was hidden. */
    | { subtype: 'message_display'; messageId: string; index: number; text: string }
    /** Somebody of the team has written to another, or is idle. To the lead it counts as delivered once a request holds its id. */
    | { subtype: 'team_mail'; mailId: string; from: string; to: string; text: string; summary: string }
    /** The list of tasks that a team shares, after a change; the highest revision holds. */
    | ({ subtype: 'task_list' } & TaskList)
    /** In which an agent that this session started works. */
    | { subtype: 'worktree'; agentId: string; worktree: Worktree }
    /** In which the session itself works from then on; without one, in the folders of the workspace again. */
    | { subtype: 'session_worktree'; worktree?: Worktree }
    /** What agents of an ended process have left behind: sentences. */
    | { subtype: 'worktrees_left'; message: string }
    /** Stands where lines of the log could not be read; made by the reader, and kept in a copy. */
    | { subtype: 'unreadable_lines'; lines: number }
    /** The user ran a call of the ledger again; the conversation has nothing of it. */
    | {
        subtype: 'user_call';
        toolUseId: string;
        tool: string;
        input: unknown;
        state: 'done' | 'failed' | 'denied' | 'stopped';
        result?: unknown;
      }
    /** A hook kept what the user wrote from the model. */
    | { subtype: 'prompt_blocked'; display: { text: string; attachments: string[]; images: number } }
  );

/** By hand, near the limit, or after the API had refused the conversation as too long. */
export type CompactTrigger = 'manual' | 'auto' | 'recovery';

export type TurnEndReason =
  | 'completed'
  | 'interrupted'
  | 'denied'
  | 'refusal'
  | 'error'
  | 'max_turns'
  | 'budget'
  | 'context_exceeded'
  | 'continuations_exhausted'
  | 'hook_stopped';

export interface TitleRecord extends RecordEnvelope {
  type: 'custom-title' | 'ai-title';
  title: string;
}

/** A message that waits while the agent works: queued, taken back, or delivered (then a user record follows). */
export interface QueueRecord extends RecordEnvelope {
  type: 'queue-operation';
  operation: 'enqueue' | 'remove' | 'dequeue';
  messageId: string;
  content?: UserBlock[];
  display?: PromptDisplay;
}

/** Anything else found in a log: kept as it is. */
export interface UnknownRecord {
  type: 'progress' | 'summary' | 'attachment' | 'file-history-snapshot' | 'unknown';
  raw: Record<string, unknown>;
  /** The line that it was read from, where it would be written in other bytes now: spaces, long numbers, escapes. */
  line?: string;
}

export type KnownRecord = UserRecord | AssistantRecord | SystemRecord | TitleRecord | QueueRecord;
export type SessionRecord = KnownRecord | UnknownRecord;
