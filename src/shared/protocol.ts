// The messages between the chat's host and its webview. The host validates what comes in; the webview imports types only.
import { z } from 'zod/v3';
import { type ChatEvent, type ChatItem, type ChatState } from './chat';
import { type DecisionTrace } from './decision-trace';
import { type McpServerRow } from './mcp-view';
import { type PermissionMode, permissionModes } from './permission';
import { type ContextReport, type UsageReport } from './usage-view';

/** An image pasted or dropped into the composer. `data` is base64. */
const image = z.object({ name: z.string(), mediaType: z.string(), data: z.string() });
export type ComposerImage = z.infer<typeof image>;

const id = z.string().min(1).max(200);
const path = z.string().min(1).max(10_000);
/** Becomes the name of a file. */
const keptId = z.string().regex(/^[0-9a-f]{32}$/);

/** One entry a message; a handler for each is held by the tidy test. */
export const webviewMessages = {
  /** The webview is there, new or after a gap: answer with a snapshot. */
  ready: z.object({}),
  send: z.object({ text: z.string(), images: z.array(image), withSelection: z.boolean() }),
  stop: z.object({}),
  /** An image of the draft, which the host keeps for the time that the webview is gone. */
  keepImage: z.object({ id: keptId, image }),
  /** The kept images once more: answered by `keptImages`. */
  wantImages: z.object({ ids: z.array(keptId).max(1_000) }),
  /** Not in the draft any more. */
  dropImages: z.object({ ids: z.array(keptId).max(1_000) }),
  /** Takes a queued message back: to write it anew (`edit`), or to drop it. Answered by `unqueued`. */
  unqueue: z.object({ id, edit: z.boolean() }),
  decide: z.object({
    approvalId: id,
    decision: z.discriminatedUnion('behavior', [
      z.object({ behavior: z.literal('accept') }),
      z.object({ behavior: z.literal('reject'), feedback: z.string() }),
      z.object({ behavior: z.literal('always'), suggestion: z.number().int().min(0) }),
    ]),
  }),
  /** To a question of the agent: the answers by the question's text. */
  answer: z.object({
    questionId: id,
    answer: z.discriminatedUnion('behavior', [
      z.object({ behavior: z.literal('answered'), answers: z.record(z.string().max(200_000)) }),
      z.object({ behavior: z.literal('dismissed') }),
    ]),
  }),
  /** Of what waits for approval, or of the edit that a call made. */
  openDiff: z.object({ approvalId: id.optional(), path: path.optional(), toolUseId: id.optional() }),
  openFile: z.object({ path, line: z.number().int().optional(), column: z.number().int().optional() }),
  openLink: z.object({ url: z.string().max(10_000) }),
  showTerminal: z.object({ toolUseId: id }),
  moveToBackground: z.object({ toolUseId: id }),
  /** Ends a command or an agent in the background, the loop (`loop`), or what the agent keeps at (`goal`). */
  stopTask: z.object({ taskId: id }),
  /** What commands in the background print now: answered by `backgroundLines`. */
  backgroundLines: z.object({}),
  /** A question beside the conversation; an empty one closes their panel. */
  side: z.object({ text: z.string().max(10_000) }),
  setMode: z.object({ mode: z.enum(permissionModes) }),
  pickModel: z.object({}),
  newSession: z.object({}),
  /** One page of the sessions whose titles hold the words, from that row on. */
  listSessions: z.object({ query: z.string(), from: z.number().int().min(0) }),
  /** Looks in the conversations themselves; an empty query ends a search that runs. */
  searchSessions: z.object({ requestId: z.number().int(), query: z.string().max(1_000) }),
  openSession: z.object({ sessionId: id }),
  deleteSession: z.object({ sessionId: id }),
  /** All of this folder, once the person has confirmed it. */
  deleteAllSessions: z.object({}),
  renameSession: z.object({ sessionId: id, title: z.string().min(1).max(200) }),
  forkSession: z.object({ sessionId: id }),
  exportSession: z.object({ sessionId: id }),
  /** Goes on with the foreign session that is shown, in a session of Deft's own. */
  continueForeign: z.object({}),
  mention: z.object({ requestId: z.number().int(), query: z.string().max(1_000) }),
  /** The "/" menu: answered by `slashCommands`. */
  slash: z.object({ requestId: z.number().int(), query: z.string().max(200) }),
  attach: z.object({}),
  /** The prompt with this uuid once more, with its images: answered by `writeAnew`. */
  recall: z.object({ id }),
  /** Back to what stood before the prompt with this uuid: the conversation (in a new session), the code, or both. */
  rewind: z.object({ id, what: z.enum(['fork', 'code', 'both']) }),
  loadOlder: z.object({ before: id }),
  /** The words of the find bar, in the whole session: answered by `found`; none end the search. */
  find: z.object({ requestId: z.number().int(), words: z.string().max(1_000) }),
  loadOutput: z.object({ toolUseId: id }),
  /** Why the call was, or would be, allowed: answered by `trace`. */
  explain: z.object({ toolUseId: id }),
  /** The settings file that holds a rule, at the rule. */
  openRule: z.object({ file: path, rule: z.string().max(10_000) }),
  /** All of Deft's unreviewed changes, or one file's. */
  review: z.object({ action: z.enum(['open', 'keep', 'undo']), path: path.optional() }),
  /** A button of a notice, the empty chat or the title. */
  command: z.object({
    command: z.enum([
      'setApiKey',
      'selectProvider',
      'useVscodeModels',
      'selectModel',
      'newSession',
      'retry',
      'showLog',
      'openSettings',
      'startDemo',
      'openWalkthrough',
      'reviewProjectSettings',
      'manageMcpServers',
      'managePlugins',
      'tryNow',
      'stop',
      'askFallback',
      'alwaysFallback',
    ]),
  }),
  /** Replaces what was said so far by a summary. */
  compact: z.object({}),
  /** What the session has cost and what fills the window: answered by `usage`; `count` asks the API for the numbers. */
  usage: z.object({ count: z.boolean() }),
  /** The MCP servers of the window: answered by `mcpServers`. */
  listMcp: z.object({}),
  /** `seen` is the fingerprint of what the person had before them: only that is approved. */
  mcp: z.object({
    server: z.string().min(1).max(500),
    seen: z.string().max(100),
    action: z.enum(['reconnect', 'signIn', 'signOut', 'enable', 'disable', 'approve', 'remove', 'open']),
  }),
  addMcp: z.object({
    name: z.string().max(200),
    kind: z.enum(['command', 'url']),
    target: z.string().max(10_000),
    scope: z.enum(['local', 'project', 'user']),
  }),
  /** To what a server asked of the person. */
  answerMcp: z.object({
    requestId: id,
    answer: z.discriminatedUnion('action', [
      z.object({
        action: z.literal('accept'),
        content: z.record(
          z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(1_000)]),
        ),
      }),
      z.object({ action: z.literal('decline') }),
      z.object({ action: z.literal('cancel') }),
    ]),
  }),
  /** A compaction's card. */
  compaction: z.object({ id, action: z.enum(['read', 'edit', 'undo']) }),
  /** The chat has got or lost the focus: VS Code's own keys know nothing of the inside of a view. */
  focused: z.object({ has: z.boolean() }),
  /** Uncaught errors of the webview, for the log. */
  log: z.object({ level: z.enum(['warn', 'error']), message: z.string().max(10_000) }),
} as const;

export type WebviewMessageType = keyof typeof webviewMessages;
export type WebviewMessage = {
  [Type in WebviewMessageType]: { type: Type } & z.infer<(typeof webviewMessages)[Type]>;
}[WebviewMessageType];

export type RewindWhat = Extract<WebviewMessage, { type: 'rewind' }>['what'];

/** An item that holds the words, and how often. */
export interface FoundItem {
  id: string;
  hits: number;
}

export interface SelectionChip {
  /** "src/a.ts:12-30" or "src/a.ts". */
  label: string;
  path: string;
}

export interface MentionSuggestion {
  /** What is inserted behind "@". */
  path: string;
  kind: 'file' | 'folder' | 'resource' | 'agent';
}

export interface SlashCommand {
  /** Without the slash. */
  name: string;
  /** The same command behind the name of its folder: what is typed may fit that. */
  longName?: string;
  description: string;
  /** What may follow the name; undefined where nothing does. */
  argumentHint?: string;
  /** The heading that it stands under. */
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
}

/** What the composer and the empty chat need to know besides the chat itself. */
export interface ChatSurroundings {
  /** No key and no other way to a model yet. */
  needsSetup: boolean;
  /** What the set-up may offer: `deft.provider`, and whether VS Code itself has models. */
  setUp?: { provider: string; vscodeModels: boolean };
  /** The scripted demo model answers; named as such everywhere. */
  demo: boolean;
  trusted: boolean;
  sendWith: 'enter' | 'ctrlEnter';
  /** A sound at the end of a turn. */
  sound: boolean;
  /** Three things to try, taken from this workspace. */
  suggestions: string[];
  /** That the person's settings offer. */
  modes: PermissionMode[];
  modelLabel: string;
  selection: SelectionChip | null;
  platform: 'mac' | 'other';
}

export type UsagePart = 'cost' | 'context';

export type HostMessage =
  /** `epoch` changes with every snapshot; events of another epoch are void. `state.items` is the last page. */
  | { type: 'snapshot'; epoch: number; seq: number; state: ChatState; surroundings: ChatSurroundings }
  /** `from` is the number of the first event; a gap asks for a snapshot (`ready`). */
  | { type: 'events'; epoch: number; from: number; events: ChatEvent[] }
  | { type: 'surroundings'; surroundings: ChatSurroundings }
  | { type: 'older'; epoch: number; items: ChatItem[]; olderItems: number }
  /** Those that are still there. */
  | { type: 'keptImages'; images: { id: string; image: ComposerImage }[] }
  /** The oldest first. */
  | { type: 'found'; requestId: number; words: string; found: FoundItem[] }
  | { type: 'output'; toolUseId: string; text: string; truncated: boolean }
  /** `present`: by the rules of now. Null where the call cannot be explained any more. */
  | { type: 'trace'; toolUseId: string; trace: DecisionTrace | null; present: boolean }
  | { type: 'mentions'; requestId: number; items: MentionSuggestion[] }
  | { type: 'slashCommands'; requestId: number; items: SlashCommand[] }
  /** A page that begins at row `from` of `total`; `keptDays` is how long sessions are kept, 0 for ever. */
  | { type: 'sessions'; query: string; from: number; total: number; sessions: SessionRow[]; keptDays: number }
  /** More of what a search found. `done`: there is no more. */
  | { type: 'sessionMatches'; requestId: number; sessions: SessionRow[]; done: boolean }
  /** `taken` is null where the message had reached the model before it could be taken back. */
  | { type: 'unqueued'; id: string; edit: boolean; taken: { text: string; images: ComposerImage[] } | null }
  /** A message that was sent before is to be written anew: a draft that stands in the composer makes room. */
  | { type: 'writeAnew'; text: string; images: ComposerImage[] }
  /** The answer to this card could not be taken: it waits again. */
  | { type: 'refused'; id: string }
  /** Puts text into the composer at the cursor and focuses it. */
  | { type: 'insert'; text: string }
  | { type: 'focus' }
  | { type: 'showHistory' }
  | { type: 'showMcp' }
  /** Opens the page of usage at this part. */
  | { type: 'showUsage'; part: UsagePart }
  | { type: 'usage'; usage: UsageReport; context: ContextReport }
  /** Opens the view of what runs in the background. */
  | { type: 'showBackground' }
  /** The last line of each command, by its id. */
  | { type: 'backgroundLines'; lines: Record<string, string> }
  /** The servers are others than those told last. */
  | { type: 'mcpChanged' }
  /** All of them; `problems` says what of the files that name servers could not be read. */
  | { type: 'mcpServers'; servers: McpServerRow[]; problems: string[] }
  /** What came of the form: a sentence where nothing was added. */
  | { type: 'mcpAdded'; problem: string | null }
  | { type: 'ended'; notify: boolean };

/** The card that something which is no valid message was to answer. */
export function answeredCard(value: unknown): string | undefined {
  const { approvalId, questionId, requestId } =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return [approvalId, questionId, requestId].find((one) => id.safeParse(one).success) as string | undefined;
}

/** Undefined for anything that is not a valid message. */
export function parseWebviewMessage(value: unknown): WebviewMessage | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  const type = value.type;
  if (typeof type !== 'string' || !Object.hasOwn(webviewMessages, type)) return undefined;
  const parsed = webviewMessages[type as WebviewMessageType].safeParse(value);
  return parsed.success ? ({ type, ...parsed.data } as WebviewMessage) : undefined;
}
