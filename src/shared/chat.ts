// The chat as data: the events that the host sends and the state they add up to, in host and webview alike.
import { type AgentColor } from './agent-color';
import { type CallDecision } from './decision-trace';
import { type Ledger } from './ledger';
import { type McpRequest } from './mcp-view';
import { type Access, type CallRisk, type PermissionMode, type SavedRules } from './permission';
import { type QuestionRequest } from './question';
import { type TodoItem, type ToolSentence, type ToolView } from './tool-view';

export type ToolState = 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'stopped';

export interface UserItem {
  kind: 'user';
  id: string;
  text: string;
  /** Labels of mentioned files, selections and the like. */
  attachments: string[];
  images: number;
  /** Typed while the agent worked, delivered with tool results. */
  steering: boolean;
}

export interface TextItem {
  kind: 'text';
  id: string;
  text: string;
  streaming: boolean;
  /** Sentences that the log does not bear. */
  marks?: readonly TextMark[];
}

/** A sentence of an answer, as it stands there, and what speaks against it. */
export interface TextMark {
  quote: string;
  reason: string;
}

export interface ThinkingItem {
  kind: 'thinking';
  id: string;
  text: string;
  streaming: boolean;
  durationMs?: number;
}

/** What a call is going to write, while its input still arrives: the last lines of it. */
export interface Writing {
  /** The text that goes, and the one that comes. */
  removed: string;
  added: string;
  /** Line feeds so far, those included that are no longer here. */
  removedLines: number;
  addedLines: number;
}

export interface ToolItem {
  kind: 'tool';
  /** The tool_use id. */
  id: string;
  name: string;
  sentence: ToolSentence;
  state: ToolState;
  /** Looks only: consecutive ones fold. */
  readOnly: boolean;
  detail: string;
  view?: ToolView;
  /** Until there is a view, or an approval shows it. */
  writing?: Writing;
  /** Why it failed, was denied or stopped: what the model is told. */
  message?: string;
  /** Of a failed call: what happened, in a sentence for the user. */
  said?: string;
  /** Why it was allowed or refused. */
  decision?: CallDecision;
  startedAt?: number;
  durationMs?: number;
  /** Of the agent that works on it. */
  color?: AgentColor;
}

/** Errors, retries and other facts that are cards of their own. */
export interface NoticeItem {
  kind: 'notice';
  id: string;
  level: 'info' | 'warning' | 'error';
  title: string;
  /** What Deft did about it and what the user can do. */
  detail: string;
  action?:
    { label: string; command: NoticeCommand } | { label: string; open: { path: string; line: number; column: number } };
  /** Further buttons, behind the first. */
  more?: readonly { label: string; command: NoticeCommand }[];
  /** A retry under way: when the next try starts, ms since the epoch. */
  retryAt?: number;
  /** A line without a frame: good to know, nothing to do. */
  quiet?: boolean;
}

/** The conversation was compacted, is being compacted, or was not. */
export interface CompactionItem {
  kind: 'compaction';
  /** The boundary's uuid, once it is done. */
  id: string;
  state: 'running' | 'done' | 'edited' | 'undone' | 'failed';
  /** What the model is sent begins here. */
  holds: boolean;
  /** Nobody asked for it. */
  automatic: boolean;
  tokensBefore?: number;
  tokensAfter?: number;
  /** Why it failed. */
  message?: string;
}

/** What a turn has changed, and what was checked afterwards. */
export interface LedgerItem {
  kind: 'ledger';
  id: string;
  ledger: Ledger;
}

export type NoticeCommand =
  | 'setApiKey'
  | 'selectProvider'
  | 'selectModel'
  | 'newSession'
  | 'retry'
  | 'showLog'
  | 'showTasks'
  | 'openSettings'
  | 'reviewProjectSettings'
  | 'manageMcpServers'
  | 'managePlugins'
  | 'showHooks'
  | 'tryNow'
  | 'stop'
  | 'askFallback'
  | 'alwaysFallback';

export type ChatItem = UserItem | TextItem | ThinkingItem | ToolItem | NoticeItem | CompactionItem | LedgerItem;

export type ChatStatus = 'idle' | 'working' | 'retrying' | 'waiting';

export interface QueuedMessage {
  id: string;
  text: string;
}

/** The approval card: all that the user needs to decide. */
export interface ApprovalCard {
  id: string;
  toolUseId: string;
  toolName: string;
  /** What the tool may do at most. */
  access?: Access;
  /** Follows "Approve: ". */
  title: string;
  view: ToolView;
  /** What the agent says it is for. */
  description?: string;
  /** What is dangerous about it, the gravest first. */
  risks?: CallRisk[];
  reason: string;
  /** Where it runs or leads, unless that is plain. */
  place?: string;
  suggestions: { label: string; saves?: SavedRules }[];
  /** A diff that can be opened and changed. */
  hasDiff: boolean;
  /** The user has changed what was proposed: `view` is what Accept would do. */
  changed?: true;
  /** The name of the agent whose call it is. */
  agent?: string;
  /** The user asked for it, not an agent: nobody is there to tell why. */
  byUser?: true;
  /** It is a plan, in a file that can be opened, changed and commented on. */
  plan?: { file: string };
}

/** What runs alongside the conversation. */
export interface BackgroundItem {
  /** For Stop. */
  id: string;
  kind: 'command' | 'agent' | 'teammate';
  title: string;
  /** What it does now, where that is known: of a command, the chat asks for the end of its output. */
  now?: string;
  /** A teammate that waits for messages. */
  idle?: boolean;
  /** The file with its output or transcript. */
  output?: string;
  /** Ms since the epoch. */
  startedAt: number;
  /** Of an agent. */
  color?: AgentColor;
}

/** What continues until it is reached or stopped: a line above the composer, with the button that ends it. */
export interface FeatureLine {
  /** What the button sends. */
  id: string;
  name: string;
  icon: string;
  text: string;
  /** How far it is; never cut. */
  progress?: string;
  /** When it continues, ms since the epoch: the time left is shown behind the progress. */
  nextAt?: number;
  /** What the button says, and what is announced once it was pressed. */
  stop: string;
  stopped: string;
}

export interface SideExchange {
  question: string;
  answer: string;
  state: 'asking' | 'done' | 'failed';
}

export interface ChangedFile {
  path: string;
  added: number;
  removed: number;
  /** The titles of other chats that have changes in it, too: those are not counted here. */
  others?: string[];
}

export interface ReviewFacts {
  /** What the session's edits have added and removed so far, by file: what was undone since counts too. */
  edited: ChangedFile[];
  /** Comments of the user on lines of files that wait to be sent, and what reviews have found there. */
  drafts: { comments: number; files: number; findings: { comments: number; files: number } };
}

export interface ChatUsage {
  /** Tokens of the last request's input, and the model's window. */
  contextTokens: number;
  contextWindow: number;
  costUsd: number;
  /** False where the model's prices are not known: the cost is then a lower bound. */
  costKnown: boolean;
  /** In the order in which they were first asked. */
  byModel: { model: string; costUsd: number; costKnown: boolean }[];
  /** Of all input so far, how much came from the cache; absent where nothing was read. */
  input?: { all: number; cached: number };
}

export interface ChatState {
  sessionId: string;
  title: string;
  items: ChatItem[];
  /** Items before the first one here that the host still holds. */
  olderItems: number;
  status: ChatStatus;
  /** What is done in addition to the reply, such as a hook that runs; empty for nothing. */
  activity: string;
  queue: QueuedMessage[];
  approvals: ApprovalCard[];
  /** Questions of the agent, the first of them is shown. */
  questions: QuestionRequest[];
  /** What MCP servers ask of the user, the first of them is shown. */
  mcpRequests: McpRequest[];
  /** The agent's list of tasks. */
  todos: TodoItem[];
  background: BackgroundItem[];
  changes: ChangedFile[];
  review: ReviewFacts;
  usage: ChatUsage;
  /** In the order of their ids: one that changes or comes back stays in its place. */
  lines: FeatureLine[];
  /** Questions outside the conversation, with their answers so far. */
  side: SideExchange[];
  mode: PermissionMode;
  model: string;
  /** A session of another program, shown read-only. `takeOver`: another window has it, and may be asked to close it. */
  external?: { name: string; note: string; takeOver?: true };
}

export type ChatEvent =
  | { type: 'item'; item: ChatItem }
  | { type: 'delta'; id: string; text: string }
  | { type: 'block_end'; id: string; durationMs?: number }
  /** All marks of a text. */
  | { type: 'marks'; id: string; marks: readonly TextMark[] }
  /** A dropped stream's unfinished block, a finished retry. */
  | { type: 'remove'; id: string }
  | { type: 'tool'; id: string; change: Partial<Omit<ToolItem, 'kind' | 'id'>> }
  /** More of what a call is going to write. */
  | { type: 'writing'; id: string; part: 'removed' | 'added'; text: string; lines: number }
  /** It is shown elsewhere now. */
  | { type: 'written'; id: string }
  | { type: 'status'; status: ChatStatus }
  | { type: 'activity'; text: string }
  | { type: 'queue'; queue: QueuedMessage[] }
  | { type: 'approvals'; approvals: ApprovalCard[] }
  | { type: 'questions'; questions: QuestionRequest[] }
  | { type: 'mcpRequests'; mcpRequests: McpRequest[] }
  | { type: 'todos'; todos: TodoItem[] }
  | { type: 'background'; background: BackgroundItem[] }
  | { type: 'changes'; changes: ChangedFile[] }
  /** In addition to what was edited before. */
  | { type: 'edited'; files: ChangedFile[] }
  | { type: 'drafts'; drafts: ReviewFacts['drafts'] }
  | { type: 'usage'; usage: ChatUsage }
  /** Null where it is over. */
  | { type: 'line'; id: string; line: FeatureLine | null }
  | { type: 'side'; side: SideExchange[] }
  /** More of the answer that is given now: to the first question that has none yet. */
  | { type: 'sideText'; text: string }
  | { type: 'title'; title: string }
  | { type: 'mode'; mode: PermissionMode }
  | { type: 'model'; model: string };

export const emptyUsage: ChatUsage = {
  contextTokens: 0,
  contextWindow: 200_000,
  costUsd: 0,
  costKnown: true,
  byModel: [],
};

export function emptyChat(sessionId: string, mode: PermissionMode, model: string): ChatState {
  return {
    sessionId,
    title: '',
    items: [],
    olderItems: 0,
    status: 'idle',
    activity: '',
    queue: [],
    approvals: [],
    questions: [],
    mcpRequests: [],
    todos: [],
    background: [],
    changes: [],
    review: { edited: [], drafts: { comments: 0, files: 0, findings: { comments: 0, files: 0 } } },
    usage: emptyUsage,
    lines: [],
    side: [],
    mode,
    model,
  };
}
