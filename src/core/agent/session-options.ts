// What a session is opened with.
import { type PermissionMode } from '../../shared/permission';
import { type ContextSource } from '../context/context-source';
import { type JudgedHooks } from '../hooks/hook-settings';
import { type ContextManagement } from '../wire/context-edits';
import { type RetryPolicy } from '../model/retry-policy';
import { type Effort } from '../wire/wire';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type Ports, type SessionLog } from '../ports';
import { type SessionCheckpoints } from '../ports/checkpoints';
import { type SessionRecord } from '../ports/record';
import { type OpenSandbox } from '../sandbox/tool-sandbox';
import { type ToolRegistry } from '../tools/registry';
import { type ToolSearchMode } from '../settings/request-variables';
import { type AgentHost } from '../features/subagents/agent-host';
import { type AgentLink } from './agent-link';
import { type CacheLifetime } from '../loop/cache-breakpoints';
import { type Environment } from '../text/environment-reminder';
import { type Emit } from '../events/session-event';
import { type SessionBudget } from '../features/budget/session-budget';
import { type FallbackOptions } from '../features/fallback/session-fallback';
import { type SetupTrigger, type StartSource } from './session-hooks';
import { type SessionSkillOptions } from '../skills/skill-options';

export interface SessionOptions {
  ports: Ports;
  registry: ToolRegistry;
  log: SessionLog;
  /** What the log holds; the session appends to this array. */
  records: SessionRecord[];
  emit: Emit;
  model: string;
  /** For jobs beside the conversation. */
  smallModel?: string;
  effort?: Effort;
  mode: PermissionMode;
  /** Asked at every decision: settings and trust may change. */
  permission: () => Omit<PermissionContext, 'mode' | 'cwd'>;
  /** Where and on what Deft runs; the first of `folders` is the working directory. */
  environment: Environment;
  home: string;
  /** The setting of where plans are kept; asked at each one. */
  plansDirectory?: () => string | undefined;
  /** `autoMode` of the settings: what the classifier of auto mode is told besides; asked at each review. */
  autoRules?: () => Readonly<Record<string, unknown>> | undefined;
  resultsDirectory: string;
  version: string;
  /** The setting by which Write may replace what was not read; asked at each one. */
  writesUnread?: () => boolean;
  /** How long questions to the person wait; asked at each one. */
  questionTimeoutMs?: () => number | undefined;
  /** Asked at each event: settings, trust and consent may change. */
  hooks?: () => Pick<
    JudgedHooks,
    'active' | 'allowedUrls' | 'allowedVariables' | 'refuses' | 'off' | 'projectOff' | 'brought' | 'wanted'
  >;
  /** Why it is opened, where it is not just a new session or one that goes on. */
  startSource?: StartSource;
  /** Setup hooks run first, as the person asked for. */
  setup?: SetupTrigger | undefined;
  /** Commands run in it; undefined where the settings do not ask for one. */
  sandbox?: OpenSandbox;
  /** What a rewind goes back to; undefined where there is no disk, or the settings do without. */
  checkpoints?: SessionCheckpoints | undefined;
  /** In place of Deft's own. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  /** Without it, no agents can be started. */
  agents?: AgentHost;
  /** Set where the session is an agent that another one started. */
  agent?: AgentLink;
  /** What the model is told beside the environment: memory, skills, servers. */
  contextSources?: readonly ContextSource[];
  /** Undefined where there are none: a message that begins with a slash is a message then. */
  skills?: SessionSkillOptions;
  /** Asked before each request; without it, conversations are compacted near the model's own limit. */
  autoCompact?: () => { enabled?: boolean | undefined; window?: number | undefined };
  /** Dollars that this session may cost, agents included, unless the person lets it go on; asked before each request, 0 for no limit. */
  maxDollars?: { limit: () => number; counts: 'session' | 'run' };
  /** Of an agent: its conversation's. */
  budget?: SessionBudget;
  /** What the API may do against a conversation that grows long; asked before each request. */
  contextManagement?: () => ContextManagement;
  /** Models that may answer where the chosen one does not; asked each time. */
  fallback?: () => FallbackOptions;
  maxTurns?: number;
  maxOutputTokens?: number;
  maxThinkingTokens?: number;
  /** Off where the model lets one choose; a session that goes on has its own choice. */
  thinking?: boolean;
  /** What the model thinks is asked for in readable form; default: true. */
  thinkingSummaries?: boolean;
  /** Asked before each request. */
  cacheLifetime?: () => CacheLifetime;
  maxConcurrentTools?: number;
  toolSearch?: ToolSearchMode;
  /** Of one result of an MCP tool. */
  mcpOutputTokens?: number;
  /** How long a call of an MCP tool is waited for before it goes on in the background; 0: for ever. */
  mcpBackgroundMs?: number;
  /** Without anything of a reply, before the chat tells so; without it, none does. */
  silenceMs?: number;
  retry?: RetryPolicy;
  /** Credentials that no tool result may hold; asked at every result. */
  secrets?: () => readonly string[];
}
