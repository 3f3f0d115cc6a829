// What a session is opened with.
import { type PermissionMode } from '../../shared/permission';
import { type ContextSource } from '../context/context-source';
import { type JudgedHooks } from '../hooks/hook-settings';
import { type RetryPolicy } from '../model/retry-policy';
import { type Effort } from '../model/wire';
import { type PermissionContext } from '../permissions/verdict';
import { type Ports, type SessionLog } from '../ports';
import { type SessionCheckpoints } from '../ports/checkpoints';
import { type SessionRecord } from '../sessions/record';
import { type OpenSandbox } from '../sandbox/tool-sandbox';
import { type ToolRegistry } from '../tools/registry';
import { type Environment } from './environment-reminder';
import { type Emit } from './session-event';
import { type StartSource } from './session-hooks';

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
  resultsDirectory: string;
  version: string;
  /** How long questions to the person wait; asked at each one. */
  questionTimeoutMs?: () => number | undefined;
  /** Asked at each event: settings, trust and consent may change. */
  hooks?: () => Pick<JudgedHooks, 'active' | 'allowedUrls' | 'allowedVariables' | 'refuses'>;
  /** Why it is opened, where it is not just a new session or one that goes on. */
  startSource?: StartSource;
  /** Commands run in it; undefined where the settings do not ask for one. */
  sandbox?: OpenSandbox;
  /** What a rewind goes back to; undefined where there is no disk, or the settings do without. */
  checkpoints?: SessionCheckpoints | undefined;
  appendSystemPrompt?: string;
  /** What the model is told beside the environment: memory, skills, servers. */
  contextSources?: readonly ContextSource[];
  /** Asked before each request; without it, conversations are compacted near the model's own limit. */
  autoCompact?: () => { enabled?: boolean | undefined; window?: number | undefined };
  maxTurns?: number;
  maxOutputTokens?: number;
  maxThinkingTokens?: number;
  maxConcurrentTools?: number;
  retry?: RetryPolicy;
  /** Credentials that no tool result may hold; asked at every result. */
  secrets?: () => readonly string[];
}
