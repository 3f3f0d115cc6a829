// What a chat needs of its window.
import { type AgentSession } from '../../../core/feature/agent-session';
import { type SessionEvent } from '../../../core/events/session-event';
import { type Prompt } from '../../../core/events/steering-queue';
import { type Clock } from '../../../core/ports/clock';
import { type McpPeople, type McpServers } from '../../../core/ports/mcp';
import { type ExternalSession } from '../../../core/external-sessions/external-session';
import { type Worktree } from '../../../core/ports/worktrees';
import { type Secrets } from '../../../core/text/redact';
import { type SessionRecord } from '../../../core/ports/record';
import { type PromptInput } from '../../../core/prompt/compose-prompt';
import { type createChatProjection } from '../../../core/projection/chat-projection';
import { type ChangedFile, type NoticeItem } from '../../../shared/chat';
import { type ChatSurroundings } from '../../../shared/surroundings';
import { type PermissionMode } from '../../../shared/permission';
import { type ProviderId } from '../../../core/wire/model-capabilities';
import { type FittedModel } from '../../model/language-models';
import { type ExternalServices } from './external-chat';
import { type LeftFor, type LeftWork } from './left-work';
import { type PendingApprovals, type ProposalEditor } from './pending-approvals';
import { type SessionEnd } from './shown-end';
import { type PendingQuestions } from './pending-questions';

export interface OpenedSession {
  session: AgentSession;
  /** The log had something in it. */
  resumed: boolean;
  /** The model that its log or a setting names, where the current provider has none of that name. */
  replacedModel?: string;
  /** Its worktree was gone, and was checked out again. */
  restoredTree?: Worktree;
}

/** What a new session begins with, where it is the copy of another. */
export interface SessionCopy {
  /** Given the new id. */
  records: (id: string) => SessionRecord[];
  /** Takes them along, before anything is sent in the copy. */
  checkpoints?: (copy: Pick<AgentSession, 'id' | 'settings'>) => Promise<void>;
}

/** Where a chat's sessions are. */
export interface ChatSessions {
  /** A new session, or the one with this id; undefined where that one is gone. */
  openSession(
    id: string | undefined,
    chat: {
      emit: (event: SessionEvent) => void;
      approver: PendingApprovals;
      questioner: PendingQuestions;
      mcpPeople: McpPeople;
      startSource: 'startup' | 'clear';
      copy?: (id: string) => SessionRecord[];
      takesOver?: boolean;
    },
  ): Promise<OpenedSession | undefined>;
  /** What is on disk of a session that cannot be opened here. */
  readOwn(id: string): Promise<SessionRecord[]>;
  followOwn: ExternalServices['followOwn'];
  /** Whether this window still answers: after a reload an extension host may outlive its own. */
  windowAnswers(): Promise<boolean>;
  /** For a copy of a session that is not open here. */
  copyCheckpoints(from: string, to: string): Promise<void>;
  /** A session of another program, by the id of its row in the history. */
  readExternal(id: string): Promise<ExternalSession | undefined>;
  /** The last records of a long session, before it is open. */
  sessionEnd(id: string): Promise<SessionEnd | undefined>;
}

/** What a chat shows and begins with. */
export interface ChatFacts {
  clock: Pick<Clock, 'now' | 'sleep'>;
  projection(): Parameters<typeof createChatProjection>[0];
  proposals: ProposalEditor;
  folders(): { name: string; path: string }[];
  surroundings(): ChatSurroundings;
  /** What waits for review in the chat that shows this session. */
  changes(session: string): ChangedFile[];
  selection(): PromptInput['selection'];
  /** The last command of the active terminal and what it wrote, or that there is none. */
  terminalText(secrets: Secrets): Promise<string>;
  /** The definition of a symbol of the workspace, or that there is none. */
  symbolText(name: string, isHidden: (path: string) => boolean): Promise<string>;
  initialMode(): PermissionMode;
  initialModel(): string;
  fitModel(wanted: string): Promise<FittedModel>;
  /** Who answers now. */
  provider(): ProviderId;
  /** What is wrong in settings files, and what waits for consent. */
  settingsNotices(): NoticeItem[];
  /** MCP servers, as this chat's user is asked. */
  servers(people: McpPeople): McpServers;
}

/** Who hears what happens in a chat. */
export interface ChatListener {
  modePicked(mode: PermissionMode): void;
  /** What works or waits in the chat's session is about to be left. */
  confirmLeaving(work: LeftWork, to: LeftFor): Promise<boolean>;
  /** The turn has ended, or an approval or a question waits: somebody who looks elsewhere may want to know. */
  notify(event: 'ended' | 'failed' | 'approval' | 'question', text: string): void;
  /** The chat works, waits for its user or rests, from now on. */
  workChanged(): void;
  titleChanged(title: string): void;
  /** Something that a status line may show. */
  statusChanged(): void;
  turnCompleted(session: AgentSession): void;
  sessionChanged(id: string): void;
  /** Back into the composer: the turn was stopped before hooks had judged it. */
  unsent(prompt: Prompt): void;
}

/** What a chat needs of its window. */
export interface ChatServices extends ChatSessions, ChatFacts, ChatListener {}
