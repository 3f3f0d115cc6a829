// A tool is data: what the model is sent, what it may do, what it does, and how its result reads and looks.
import { type ShellNames } from '../permissions/bash/shell-names';
import { type ZodType, type ZodTypeDef } from 'zod/v3';
import { type AgentColor } from '../../shared/agent-color';
import { type Access, type PermissionMode } from '../../shared/permission';
import { type TodoItem, type ToolSentence, type ToolView } from '../../shared/tool-view';
import { type ProviderId } from '../wire/model-capabilities';
import { type SmallModel } from '../model/small-model';
import { type JsonSchema, type ToolResultBlock } from '../wire/wire';
import { type CommandProgress, type Shell } from '../ports/terminal';
import { type FileProposal, type PlanProposal } from '../ports/approver';
import { type Ports } from '../ports/ports';
import { type RefusedChanges } from './refused-changes';
import { type Arrival } from './arrivals';
import { type HookedResult, type HookOutput } from './hook-output';
import { type Planning } from '../plan/planning';
import { type PermissionVerdict, type RunName } from '../permissions/rules/verdict';
import { type ReadState } from '../sessions/read-state';
import { type SessionComments } from './session-comments';
import { type FindingFacts, type SessionFindings } from './session-findings';
import { type SearchedTool } from './search-tools';
import { type AgentDefinition } from '../subagents/agent-definition';
import { type Subagents } from '../subagents/subagents';
import { type Skills } from '../skills/skills';
import { type BackgroundCalls } from './background-calls';
import { type SessionTasks } from '../tasks/session-tasks';
import { type SessionDebugging } from './session-debugging';
import { type SessionTeam } from './session-team';
import { type TaskTools } from '../tasks/task-lists';
import { type ToolSandbox } from '../sandbox/tool-sandbox';
import { type Offers, type Words } from '../text/words';

/** What a tool's rules match and what an approval names. Paths are absolute; symlinks are resolved by the caller. */
export type ToolTarget =
  | { kind: 'file'; access: 'read' | 'write'; path: string }
  | { kind: 'command'; command: string }
  | { kind: 'url'; url: string };

export type FileToolTarget = Extract<ToolTarget, { kind: 'file' }>;

/** A failure that is part of the tool's contract: data, not a throw. */
export interface ToolFailure {
  failure: {
    /** Stable, kebab-case. */
    code: string;
    /** Says to the model what is wrong and what to do next. */
    message: Words;
    /** The user's decision rather than a fault: the call counts as stopped. */
    stopped?: boolean;
    /** The user rejected a part of it without a reason: the turn ends. */
    endsTurn?: boolean;
  };
}

/** Changes that a result makes to the session, applied in call order after its batch. */
export interface SessionChange {
  cwd?: string;
  mode?: PermissionMode;
}

export interface ToolResult<Output> extends HookedResult<Output> {
  contextModifier?: SessionChange;
}

export type ToolProgress =
  | { kind: 'command'; progress: CommandProgress }
  | { kind: 'text'; text: string }
  | { kind: 'view'; text: string; view: ToolView; color?: AgentColor };

/** The proposal as it was accepted: `text` is what the user left in the diff. */
export interface AcceptedProposal extends FileProposal {
  userModified: boolean;
  /** What the agent had proposed. */
  proposedText: string;
  /** A user accepted it (false: the mode did). */
  approved: boolean;
  /** Its other files. */
  acceptedOthers?: readonly AcceptedProposal[];
}

/** What only some sessions have. */
interface SessionAbilities {
  /** Aliases and functions that commands may use; omitted if there are none. */
  shellNames?: () => Promise<ShellNames>;
  /** Write may replace a file that the model has not read. */
  writesUnread?: () => boolean;
  /** Undefined where the settings have none. */
  sandbox?: ToolSandbox;
  /** Whether the model has this tool, loaded or to be found by the tool search; each where it is left out. */
  offers?: Offers;
  /** What ToolSearch may load. */
  deferredTools?(): readonly SearchedTool[];
  /** Undefined where a session waits for every call. */
  calls?: BackgroundCalls;
  /** Undefined where a session may start none. */
  subagents?: Subagents;
  /** Undefined where the host has none. */
  skills?: Skills;
  /** Undefined where no user can accept a plan of this session's own. */
  planning?: Planning;
  /** Undefined where a session keeps no list of its own. */
  tasks?: SessionTasks;
  /** Undefined for an agent that is not a teammate, and where there are no agents. */
  team?: SessionTeam;
  /** The program that is being debugged; undefined where a session may debug none. */
  debugging?: SessionDebugging;
  /** The user's comments on lines of files; undefined where a session can have none. */
  comments?: () => SessionComments;
  /** What the user does not want in their files: who makes it again is asked about. */
  refusedChanges?: RefusedChanges;
  /** What reviews have found; undefined where the host shows none. */
  findings?: FindingFacts & { all(): SessionFindings };
}

/** What tools see of the session. Read it, change it only through results and `readState`. */
export interface ToolSession extends SessionAbilities {
  id: string;
  cwd: string;
  /** Workspace folders, the first one is the main one; may be empty. */
  folders: string[];
  /** All folders that commands may end in, those that were added while the session runs too; the workspace's where left out. */
  allowedFolders?: () => readonly string[];
  home: string;
  /** The folder for this session's large results. */
  resultsDirectory: string;
  /** What the model has read, by path. */
  readState: ReadState;
  /** True where permission rules hide this path from the model. */
  isHidden(path: string): boolean;
  /** The list of tasks as it was last written. */
  todos(): TodoItem[];
  /** How long questions to the user wait; undefined where they wait for ever. */
  questionTimeoutMs(): number | undefined;
  /** Web searches that were made before the session was opened here. */
  earlierSearches: number;
  smallModel: SmallModel;
  /** Called when something for the model arrives, at once where it waits already; returns the unsubscribe function. */
  onArrival(listener: (arrival: Arrival) => void): () => void;
}

export interface ToolContext {
  toolUseId: string;
  signal: AbortSignal;
  session: ToolSession;
  ports: Pick<
    Ports,
    | 'files'
    | 'search'
    | 'terminal'
    | 'diagnostics'
    | 'clock'
    | 'uuid'
    | 'log'
    | 'web'
    | 'languages'
    | 'problems'
    | 'checks'
    | 'tests'
    | 'refactorings'
    | 'debugger'
    | 'editorTasks'
    | 'questioner'
    | 'notebooks'
    | 'configuration'
    | 'documents'
    | 'repl'
    | 'pages'
    | 'mcp'
    | 'git'
  >;
  /** Set in call() where preview() made a proposal. */
  proposal?: AcceptedProposal;
  onProgress(progress: ToolProgress): void;
  /** The text as results show it: without the credentials that Deft knows. */
  redacted?(text: string): string;
  /** The same for a part of an output, whose edges may cut a credential. */
  redactedPart?(text: string): string;
  /** Whether the call may go on to this address too: false where a rule denies it or asks about it. */
  mayReach?(url: string): boolean;
  /** What the rules say of another address that the call leads to: `ask` where only the user could allow it. */
  judgeAddress?(url: string): 'allow' | 'ask' | 'deny';
  /** The hosts that rules deny to the tool: `*.h` stands for any depth below h. */
  deniedHosts?(): readonly string[];
}

/** What a tool may need before it is offered. */
export interface Availability {
  has(
    port:
      | 'web'
      | 'languages'
      | 'problems'
      | 'checks'
      | 'refactorings'
      | 'debugger'
      | 'editorTasks'
      | 'tests'
      | 'questioner'
      | 'notebooks'
      | 'configuration'
      | 'repl'
      | 'pages'
      | 'mcp',
  ): boolean;
  /** Somebody can be asked. */
  interactive: boolean;
  platform: string;
  /** The shells of this machine, where that is known. */
  shells?: readonly Shell[];
  /** A setting, an allow-list or an agent file names the tool: what is off by default is then on. */
  names(tool: string): boolean;
  /** The tools that a session keeps its list of tasks with; the Task tools where it is left out. */
  tracks?(tools: TaskTools): boolean;
  /** Agent teams are on; off where it is left out. */
  teams?(): boolean;
  /** The session opens in plan mode, which without a user lasts; no where it is left out. */
  startsInPlan?(): boolean;
  /** The workspace's files are where commands run; yes where it is left out. */
  runsCommands?(): boolean;
  /** As the model's client names itself; undefined if there is none. */
  provider?: ProviderId | undefined;
}

/** What the prompt may depend on; the result is memoised for the session. */
export interface PromptContext {
  toolNames: string[];
  platform: string;
  shell: string;
  /** Those that can be started; Deft's own where it is left out. */
  agents?: readonly AgentDefinition[];
}

export type ValidationResult = { ok: true } | { ok: false; code: string; message: Words };

export interface ToolPreview {
  view: ToolView;
  proposal?: FileProposal;
  /** What the approval is called, where that is not the tool and its target. */
  title?: string;
  /** It is a plan: how the proposal is shown. */
  plan?: PlanProposal;
}

/** What a tool is called, and what the model is sent about it. */
interface ToolIdentity {
  name: string;
  aliases: string[];
  prompt(context: PromptContext): Promise<string>;
  isMcp: boolean;
  /** For a tool of a server: the model is sent only its name until the tool search loads it. */
  deferred?: boolean;
  /** Few sessions need it: where the API takes deferred tools, the model is told only this of it until the tool search loads it. */
  seldom?: string;
  /** It is large besides: it is loaded by the tool search also where that adds it to what is cached. */
  bulky?: true;
  /** What a search looks at in addition to the name. */
  searchText?: string;
  isEnabled(availability: Availability): boolean;
}

/** What goes in and comes out. */
interface ToolShape<Input, Output> {
  inputSchema: ZodType<Input, ZodTypeDef, unknown>;
  /** Wins over inputSchema in what the model sees. */
  inputJSONSchema?: JsonSchema;
  outputSchema?: ZodType<Output, ZodTypeDef, unknown>;
  /** How hooks see the output; as it is where left out. */
  hookOutput?: HookOutput<Input, Output>;
  strict: boolean;
  input_examples?: Input[];
  /** Semantic checks after parsing and before hooks and permissions. */
  validateInput(input: Input, context: ToolContext): Promise<ValidationResult>;
  maxResultSizeChars: number;
}

/** What a call may do, and what is asked before it does. */
interface ToolPermissions<Input> {
  access: Access;
  /** Of this input, where that is less. */
  accessOf?(input: Input): Access;
  isReadOnly(input: Input): boolean;
  isDestructive(input: Input): boolean;
  /** Absolute paths, `cwd` applied. */
  targets(input: Input, cwd: string): ToolTarget[];
  /** What it runs, as rules name it: `Tool(name arguments)`. */
  runs?(input: Input, cwd: string): readonly RunName[] | undefined;
  /** Those that only a look can tell, such as the files that a rename changes: judged like the others. The same for the same input, whenever it is asked. */
  furtherFiles?(input: Input, context: ToolContext): Promise<FileToolTarget[]>;
  /** The address that only a look can tell, such as that of the page that is clicked on: judged like one that the input names. */
  furtherAddress?(input: Input, context: ToolContext): string | undefined;
  /** The same of command lines for bash: judged as Bash's are, by its rules too. */
  furtherCommands?(input: Input, context: ToolContext): Promise<string[]>;
  /** The tool's own objection; undefined means none, rules still apply. */
  checkPermissions(input: Input, context: ToolContext): Promise<PermissionVerdict | undefined>;
  /** The call runs in the sandbox, and may do so where only the command's name is unknown. */
  runsSandboxed?(input: Input, context: ToolContext): Promise<boolean>;
  /** What the approval shows and what will be written, computed before anything is written. */
  preview?(input: Input, context: ToolContext): Promise<ToolPreview | ToolFailure>;
}

/** What the user sees of a call. */
interface ToolPresentation<Input, Output> {
  describe(input: Input): ToolSentence;
  /** Fields of the input that a card shows while they are written: the file, the text that goes, the text that comes. */
  liveInput?: { path: string; removed?: string; added: string };
  /** Its card never folds with its neighbours, though it only looks. */
  standsAlone?: boolean;
  view(output: Output, input: Input): ToolView;
  /** A few words after the sentence: "12 matches", "+3 −1", "exit 1". */
  detail(output: Output): string;
}

export interface Tool<Input = unknown, Output = unknown>
  extends ToolIdentity, ToolShape<Input, Output>, ToolPermissions<Input>, ToolPresentation<Input, Output> {
  /** The call itself is a question to the user: cut short, it counts as not run, so that it is asked again. */
  asksUser: boolean;
  isConcurrencySafe(input: Input): boolean;
  call(input: Input, context: ToolContext): Promise<ToolResult<Output> | ToolFailure>;
  /** `offers`: the tools that the result may name; all where it is left out. */
  mapToolResultToToolResultBlockParam(output: Output, toolUseId: string, offers?: Offers): ToolResultBlock;
}

/** Any tool, for registries that hold tools of many shapes. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- input and output types meet only inside a tool
export type AnyTool = Tool<any, any>;

export function isFailure(value: object): value is ToolFailure {
  return 'failure' in value;
}
