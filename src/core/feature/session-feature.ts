// A feature and its session: what the feature gets, and the points at which it is asked, in the order of the list of features.
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';
import { type PastDecisions } from '../calls/past-decisions';
import { type ContextSource } from '../context/context-source';
import { type Emit } from '../events/session-event';
import { type Prompt } from '../events/steering-queue';
import { type ToolHooks } from '../hooks/tool-hooks';
import { type LoopServices } from '../loop/loop';
import { type TurnEnd } from '../loop/after-reply';
import { type Ports } from '../ports/ports';
import { type BackgroundCommand } from '../ports/terminal';
import { type AgentDefinition } from '../subagents/agent-definition';
import { type AnyTool, type PromptContext, type ToolSession } from '../tool/tool';
import { type ModelRequest } from '../wire/wire';
import { type ExecutionServices } from '../calls/execute-tool';
import { type ContextNote } from '../context/context-source';
import { type RecordWriter } from '../events/record-writer';
import { type PriceFacts } from '../loop/reply-facts';
import { type TurnScope } from '../skills/turn-scope';
import { type ToolRegistry } from '../tools/registry';
import { type Usage } from '../wire/wire';
import { type AgentSession } from './agent-session';
import { type RunCommand } from './feature-command';
import { type FeatureKey } from './feature-key';
import {
  type AnnounceEvent,
  type EndReason,
  type SessionChoices,
  type SessionMessages,
  type SessionPermission,
  type SessionRequests,
} from './session-parts';
import { type SessionSettings } from './session-settings';

/** What a feature gets of its session. */
export interface SessionAccess {
  readonly settings: SessionSettings;
  /** As the session has them: its models stay as they were learned, its terminal has its long calls. */
  readonly ports: Ports;
  /** With the tools of all features. */
  readonly registry: ToolRegistry;
  /** What tools see of the session. */
  readonly session: ToolSession;
  readonly writer: RecordWriter;
  readonly messages: SessionMessages;
  readonly choices: SessionChoices;
  readonly permission: SessionPermission;
  /** What changes for the turn that runs. */
  readonly scope: TurnScope;
  readonly requests: SessionRequests;
  /** That of the next request: of a skill or a fallback where one holds. */
  model(): string;
  /** Everything else that the model is sent, for a text that replaces the conversation. */
  contextNotes(signal: AbortSignal): Promise<ContextNote[]>;
  /** For a call that no reply of the model made. */
  execution(signal: AbortSignal): ExecutionServices;
  /** Tokens of a job outside the conversation: they count towards the session's cost. */
  countUsage(model: string, usage: Usage, whom?: string, facts?: PriceFacts): void;
  readonly event: AnnounceEvent;
  feature<Api>(key: FeatureKey<Api>): Api | undefined;
  readonly running: boolean;
  /** Runs a job as a turn runs: no other one runs meanwhile. Rejects where one does. */
  alone<Outcome>(job: () => Promise<Outcome>): Promise<Outcome>;
  /** What the session of an agent has of these features. */
  featuresOf(agent: StartedAgentFacts): FeatureFactory[];
  open(ports: Ports, settings: SessionSettings, features: readonly FeatureFactory[]): AgentSession;
}

/** Makes the feature of one session. It asks for other features when it runs, never while it is made. */
export type FeatureFactory = (access: SessionAccess) => SessionFeature;

export interface SessionFeature {
  name: string;
  /** What others find by the feature's key. */
  api?: unknown;
  /** What the model is sent in addition to the conversation. */
  sources?: readonly ContextSource[];
  /** Tools that come and go while the session is open; the same list as long as they stay. */
  tools?(): readonly AnyTool[];
  /** What tools reach through their session. */
  forTools?: Partial<ToolSession>;
  /** Agents that the session can start. */
  agents?: AgentFacts;
  /** A turn begins; without a prompt it continues where the log ends. */
  turnBegins?(prompt: Prompt | undefined): void;
  prompts?: PromptSteps;
  /** Wraps the steps that make the requests of one turn: the first feature of the list is the outermost. */
  aroundRequests?(steps: RequestSteps, signal: AbortSignal): RequestSteps;
  otherModel?: OtherModel;
  calls?: CallSteps;
  reply?: ReplySteps;
  /** All calls of a reply have ended; what it returns ends the turn. */
  afterTools?(results: readonly ExecutedCall[], signal: AbortSignal): Promise<TurnEnd | undefined>;
  /** The turn is about to end; undefined where it continues, the model having been sent the reason. */
  beforeEnd?(end: TurnEnd, signal: AbortSignal): Promise<TurnEnd | undefined>;
  /** The turn has ended, and the log says so. */
  afterTurn?(end: TurnEnd): void;
  onEvent?: AnnounceEvent;
  background?: BackgroundSteps;
  controls?: FeatureControls;
  /** The same feature in the session of an agent that this one starts; left out where agents do without. */
  inAgents?(agent: StartedAgentFacts): FeatureFactory | undefined;
  /** The last one of the list is closed first. */
  close?(reason: EndReason): Promise<void>;
}

export interface AgentFacts {
  /** For the prompts of tools. */
  offered(): Promise<Pick<PromptContext, 'agents'>>;
  /** The decisions of those that run: the user is asked about their calls in this session. */
  decisions(): readonly Pick<PastDecisions, 'trace'>[];
}

export interface StartedAgentFacts {
  definition: AgentDefinition;
  tools: readonly AnyTool[];
  /** What else it is sent, such as notes about servers that run for it alone. */
  sources: readonly ContextSource[];
}

/** Why a prompt does not reach the model. */
export type PromptRefusal =
  /** What the user typed goes back to them, with this sentence. */
  | { kind: 'refused'; message: string }
  /** It stays in the log as blocked. */
  | { kind: 'blocked'; message: string; hidesPrompt: boolean }
  /** The user stopped the turn before it was looked at. */
  | { kind: 'stopped' };

/** A message that the user sent while the turn runs is kept from the model. `hidesPrompt`: its text is not shown either. */
export interface QueuedRefusal {
  hidesPrompt: boolean;
}

export type ExpandedPrompt = { kind: 'prompt'; prompt: Prompt } | Exclude<PromptRefusal, { kind: 'blocked' }>;

export interface PromptSteps {
  /** Before all others, and before anything is run for the turn: a sentence where it may not start. */
  refusesStart?(): string | undefined;
  /** Ahead of all `before`: what is looked up for the prompt may change by it. */
  begin?(prompt: Prompt | undefined, signal: AbortSignal): Promise<void>;
  /** Ahead of a prompt, or of a turn that continues without one. */
  before?(prompt: Prompt | undefined, signal: AbortSignal): Promise<PromptRefusal | undefined>;
  /** The prompt with what it names. */
  expand?(prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt>;
  /** A message that the user sent while the turn runs; undefined where it may be sent. */
  refusesQueued?(prompt: Prompt, signal: AbortSignal): Promise<QueuedRefusal | undefined>;
  /** The same for such a message; undefined where it is not sent, of which the user was notified. */
  expandQueued?(prompt: Prompt, signal: AbortSignal): Promise<Prompt | undefined>;
}

export interface RequestSteps {
  /** `mayCompact`: the API may answer with a compaction, where that is chosen. */
  request(raise: number, mayCompact?: boolean): Promise<ModelRequest | TurnEnd>;
  makeRoom: LoopServices['makeRoom'];
}

/** Answers in place of the chosen model. */
export interface OtherModel extends Pick<LoopServices['fallback'], 'take' | 'offer'> {
  /** For the turn that runs; undefined where the chosen one is asked. */
  readonly model: string | undefined;
  /** The turn's requests are over. */
  over(): void;
}

export interface CallSteps {
  /** Undefined where nothing looks at calls: they take no step for it then. */
  readonly hooks?: ToolHooks | undefined;
  /** The ports as calls of a turn get them. */
  ports?(ports: Ports): Ports;
  /** The result of the call is in the log. */
  written?(call: ToolCall): void;
}

export interface BackgroundSteps {
  /** Once after the session was opened: reports what has happened meanwhile. */
  catchUp?(): Promise<void> | void;
  /** A command in the background has ended. False where another session started it. */
  commandEnded?(command: BackgroundCommand): Promise<boolean>;
}

/** What the user does with a feature other than sending messages. */
export interface FeatureControls {
  /** By name. */
  commands?: Readonly<Record<string, RunCommand>>;
  /** Ends what the chat shows under this id. False where it is no such thing of this feature. */
  end?(id: string): boolean | Promise<boolean>;
}

/** Between what a reply streams and the host. */
export interface ReplySteps {
  emit: Emit;
  /** All that was held back is shown. */
  settled(): Promise<void>;
}
