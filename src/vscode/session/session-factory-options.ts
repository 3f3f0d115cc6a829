// What the sessions of a window are opened with, and what comes of it.
import { type AgentSession } from '../../core/feature/agent-session';
import { type SessionEvent } from '../../core/events/session-event';
import { type Environment } from '../../core/text/environment-reminder';
import { type AgentPlace } from '../../core/subagents/agent-places';
import { type AgentHost } from '../../core/features/subagents/agent-host';
import { type JudgedHooks } from '../../core/hooks/hook-settings';
import { type Memory } from '../../core/memory/memory';
import { type Approver } from '../../core/ports/approver';
import { type Ports } from '../../core/ports/ports';
import { type SessionStore } from '../../core/ports/session-store';
import { type Checkpoints } from '../../core/ports/checkpoints';
import { type McpPeople, type McpServers } from '../../core/ports/mcp';
import { type Problems } from '../../core/ports/problems';
import { type Worktree } from '../../core/ports/worktrees';
import { type SessionTrees } from '../../node/worktrees/session-trees';
import { type Questioner } from '../../core/ports/questions';
import { type SessionSkillOptions } from '../../core/skills/skill-options';
import { type SessionRecord } from '../../core/ports/record';
import { type OutputStyles } from '../../core/styles/find-styles';
import { type ToolRegistry } from '../../core/tools/registry';
import { type Availability } from '../../core/tool/tool';
import { type FindingFacts } from '../../core/tool/session-findings';
import { type PermissionMode } from '../../shared/permission';
import { type ModelSource } from '../model/model-source';
import { type RuleSource } from './rule-source';
import { type Secrets } from '../../core/text/redact';

/** As the window has them at that moment. */
interface WindowFacts {
  /** The newest Opus of the account, where its list has been read. */
  listedModel: () => string | undefined;
  fitModel: ModelSource['fitModel'];
  /** The mode that the user picked last in this workspace. */
  lastMode: () => PermissionMode | undefined;
  /** What the user has called no problem in this workspace. */
  findings: FindingFacts;
}

interface SessionStates {
  checkpoints: Checkpoints;
  /** Those that chats work in. */
  trees: SessionTrees;
}

export interface SessionFactoryOptions extends WindowFacts, SessionStates {
  ports: Omit<Ports, 'approver' | 'questioner' | 'sessions'>;
  store: SessionStore;
  /** As one session asks for problems. */
  diagnostics: (session: string) => Ports['diagnostics'] & Problems;
  registry: () => ToolRegistry;
  memory: Memory;
  /** What this host offers, and what the settings name now. */
  availability: Availability;
  rules: RuleSource;
  /** Where agent files lie now. */
  agentPlaces: () => Promise<readonly AgentPlace[]>;
  /** The hooks that may run now. */
  hooks: () => JudgedHooks;
  environment: () => Promise<Environment>;
  mcp: SessionMcp;
  skills: SessionSkillOptions;
  styles: OutputStyles;
  /** Folders of Deft's own that the model may read: command output. */
  outputDirectories: () => string[];
  version: string;
  /** Credentials that no tool result may hold. */
  secrets: () => Secrets;
}

export interface SessionMcp {
  /** The servers as one chat's sessions call them. */
  of: (people: McpPeople) => McpServers;
  /** Servers that an agent's own file describes. */
  startServers: NonNullable<AgentHost['startServers']>;
}

export interface SessionConnection {
  emit: (event: SessionEvent) => void;
  approver: Approver;
  questioner: Questioner;
  /** Asked what servers want to know. */
  mcpPeople: McpPeople;
  /** Why a new session begins. */
  startSource: 'startup' | 'clear';
  /** A new session begins with these: the copy of another. Given the new id. */
  copy?: (id: string) => SessionRecord[];
  /** Also from a window that shows it. */
  takesOver?: boolean;
}

/** Undefined where `id` names no session. Rejects with a DeftError where another window has it open. */
export type OpenSession = (id: string | undefined, connection: SessionConnection) => Promise<OpenedSession | undefined>;

export interface OpenedSession {
  session: AgentSession;
  resumed: boolean;
  /** The model that its log names, where the current provider has none of that name. */
  replacedModel?: string;
  /** Its worktree was gone, and was checked out again. */
  restoredTree?: Worktree;
}
