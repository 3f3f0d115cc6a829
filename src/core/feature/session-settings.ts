// What a session is opened with, apart from its ports and its features.
import { type PermissionMode, type PermissionRule } from '../../shared/permission';
import { type AutoMode } from '../calls/auto-mode';
import { type PermissionState } from '../calls/permission-state';
import { type Emit } from '../events/session-event';
import { type CacheLifetime } from '../loop/cache-breakpoints';
import { type ContextOptions } from '../loop/context-management';
import { type RetryPolicy } from '../model/retry-policy';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type SessionCheckpoints } from '../ports/checkpoints';
import { type Path } from '../ports/path';
import { type SessionRecord } from '../ports/record';
import { type SessionLog } from '../ports/session-store';
import { type OpenSandbox } from '../sandbox/tool-sandbox';
import { type ToolSearchMode } from '../settings/request-variables';
import { type WorktreeView } from '../subagents/worktree-view';
import { type Environment } from '../text/environment-reminder';
import { type ToolRegistry } from '../tools/registry';
import { type Effort } from '../wire/wire';
import { type Secrets } from '../text/redact';
import { type Words } from '../text/words';

export interface SessionSettings {
  log: SessionLog;
  /** What the log holds; the session appends to this array. */
  records: SessionRecord[];
  emit: Emit;
  version: string;
  registry: ToolRegistry;
  place: SessionPlace;
  choices: InitialChoices;
  permission: PermissionSettings;
  requests?: RequestSettings;
  turns?: TurnSettings;
  tools?: ToolSettings;
  /** What a rewind goes back to; undefined if there is no disk, or the settings do without. */
  checkpoints?: SessionCheckpoints | undefined;
  /** Credentials that no tool result may hold; asked at every result. */
  secrets?: (() => Secrets) | undefined;
  /** Set where the session is an agent that another one started. */
  agent?: AgentLink;
}

export interface SessionPlace {
  /** Where and on what Deft runs; the first of `folders` is the working directory. */
  environment: Environment;
  home: string;
  /** For large results. */
  resultsDirectory: string;
  /** If it works in a worktree: the folder whose hooks were agreed to, which `CLAUDE_PROJECT_DIR` names. */
  project?: Path;
  /** The worktree that the session itself works in. */
  worktree?: WorktreeView;
}

/** What holds until the user chooses otherwise in this session. */
export interface InitialChoices {
  model: string;
  /** For jobs outside the conversation. */
  smallModel?: string;
  /** What settings let be used at all, also by agents, skills and hooks; left out: every model. */
  mayUse?: (model: string) => boolean;
  effort?: Effort;
  /** The higher speed, where the model has one; a resumed session has its own choice. */
  fast?: boolean;
  /** Off where the model offers a choice; a resumed session has its own choice. */
  thinking?: boolean;
}

export interface PermissionSettings {
  mode: PermissionMode;
  /** Asked at every decision: settings and trust may change. */
  current: () => Omit<PermissionContext, 'mode' | 'cwd'>;
  /** `autoMode` of the settings: what else the classifier of auto mode is sent; read at each review. */
  autoRules?: () => Readonly<Record<string, unknown>> | undefined;
}

/** How requests are built. */
export interface RequestSettings extends Omit<ContextOptions, 'ports'> {
  /** In place of Deft's own. */
  systemPrompt?: Words | undefined;
  appendSystemPrompt?: string;
  maxThinkingTokens?: number | undefined;
  /** What the model thinks is asked for in readable form; default: true. */
  thinkingSummaries?: boolean;
  /** Asked before each request. */
  cacheLifetime?: () => CacheLifetime;
  toolSearch?: ToolSearchMode;
  /** Built-in tools whose schemas allow it are sent as strict; default: false. */
  strictTools?: boolean;
}

/** How a turn goes. */
export interface TurnSettings {
  maxTurns?: number;
  retry?: RetryPolicy;
  /** Without anything of a reply, before the chat says so; without it, the chat never does. */
  silenceMs?: number;
  maxConcurrentTools?: number;
  /** While one edit of a reply waits for the user, those of other files ask, too. For hosts that show several questions. */
  asksAhead?: boolean;
}

/** What tools go by; the functions are asked each time. */
export interface ToolSettings {
  /** Write may replace a file that was not read. */
  writesUnread?: () => boolean;
  /** How long questions to the user wait. */
  questionTimeoutMs?: () => number | undefined;
  /** The setting of where plans are kept. */
  plansDirectory?: () => string | undefined;
  /** Commands run in it; undefined where the settings do not ask for one. */
  sandbox?: OpenSandbox;
  /** For one result of an MCP tool. */
  mcpOutputTokens?: number;
  /** How long a call of an MCP tool is waited for before it continues in the background; 0: for ever. */
  mcpBackgroundMs?: number;
  /** Commands, agents and calls are waited for; teammates are not. */
  withoutBackground?: boolean;
}

/** What a session that is an agent has of the session that started it. */
export interface AgentLink {
  id: string;
  type: string;
  /** It is sent only its task. */
  bare: boolean;
  /** 1 for one that the conversation started. */
  depth: number;
  /** The conversation's id. */
  sessionId: string;
  transcript: Path;
  /** What is granted in one session holds in the other. */
  permission: PermissionState;
  /** Rules that deny what its session allows; of a new one they go into its log. */
  bound: readonly PermissionRule[];
  /** Judges by what the user wrote, which is in the conversation alone. */
  auto: AutoMode;
}
