// The messages of the webview to its host: one entry each. The host validates what comes in; the webview imports types only.
import { z } from 'zod/v3';
import {
  type AnswerPicture,
  type FoundItem,
  type KeptImage,
  type McpServerList,
  type MentionSuggestion,
  type SessionPage,
  type SlashCommand,
  type ToolOutput,
  type ToolTrace,
  type UsageAnswer,
} from './answers';
import { type AnswerOf, answerToCard, type InputOf, type Messages, notification, request } from './message';
import { permissionModes } from './permission';
import { isWebAddress } from './web-address';
import { maxDropped, type WrittenMessage } from './written-message';

/** A `ComposerImage`. */
const image = z.object({ name: z.string(), mediaType: z.string(), data: z.string() });

const id = z.string().min(1).max(200);
const path = z.string().min(1).max(10_000);
/** Becomes the name of a file. */
const keptId = z.string().regex(/^[0-9a-f]{32}$/);

/** What is done with the conversation, its cards and its turns. */
export const conversationMessages = {
  /** The webview is there, new or after a gap: answer with a snapshot. */
  ready: notification({}, 'The conversation could not be shown.'),
  /** Up to the event before this number, all of this epoch is painted: the next message may come. */
  drawn: notification(
    { epoch: z.number().int(), seq: z.number().int() },
    'The conversation could not be brought up to date.',
  ),
  loadOlder: notification({ before: id }, 'Older messages could not be loaded.'),
  /** The words of the find bar, in the whole session, the oldest first; no words end the search. Null where a newer search took its place. */
  find: request({ words: z.string().max(1_000) }, 'The conversation could not be searched.').answeredBy<
    FoundItem[] | null
  >(),
  stop: notification({}, 'The turn could not be stopped.'),
  decide: answerToCard({
    approvalId: id,
    decision: z.discriminatedUnion('behavior', [
      z.object({ behavior: z.literal('accept'), words: z.string().optional() }),
      z.object({ behavior: z.literal('reject'), feedback: z.string() }),
      z.object({ behavior: z.literal('always'), suggestion: z.number().int().min(0), words: z.string().optional() }),
    ]),
  }),
  /** To a question of the agent: the answers by the question's text. */
  answer: answerToCard({
    questionId: id,
    answer: z.discriminatedUnion('behavior', [
      z.object({ behavior: z.literal('answered'), answers: z.record(z.string().max(200_000)) }),
      z.object({ behavior: z.literal('dismissed') }),
    ]),
  }),
  loadOutput: request({ toolUseId: id }, 'The output could not be loaded.').answeredBy<ToolOutput>(),
  /** Why the call was, or would be, allowed. */
  explain: request({ toolUseId: id }, 'The decision could not be explained.').answeredBy<ToolTrace>(),
  moveToBackground: notification({ toolUseId: id }, 'The command could not be moved to the background.'),
  /** Ends what has this id: a command or an agent in the background, or what a feature's line shows. */
  stopTask: notification({ taskId: id }, 'The background work could not be stopped.'),
  /** A row of a ledger: a check once more, or one that settings ask for. */
  runCheck: notification({ ledgerId: id, rowId: id }, 'The check could not be run.'),
  /** The last line of each command in the background, by its id. */
  backgroundLines: request({}, 'The output of background commands could not be read.').answeredBy<
    Record<string, string>
  >(),
  /** A question outside the conversation; an empty one closes their panel. */
  side: notification({ text: z.string().max(10_000) }, 'Your side question was not asked.'),
  setMode: notification({ mode: z.enum(permissionModes) }, 'The mode was not changed.'),
  pickModel: notification({}, 'The models could not be listed.'),
  /** Replaces what was said so far by a summary. */
  compact: notification({}, 'The conversation could not be compacted.'),
  /** A compaction's card. */
  compaction: notification(
    { id, action: z.enum(['read', 'edit', 'undo']) },
    'The summary could not be opened or undone.',
  ),
  /** Back to what was before the prompt with this uuid: the conversation (in a new session), the code, or both. */
  rewind: notification({ id, what: z.enum(['fork', 'code', 'both']) }, 'The rewind failed.'),
  /** What the session has cost and what fills the window; `count` asks the API for the numbers. */
  usage: request({ count: z.boolean() }, 'The usage could not be read.').answeredBy<UsageAnswer>(),
  /** A button of a notice, the empty chat or the title. */
  command: notification(
    {
      command: z.enum([
        'setApiKey',
        'selectProvider',
        'useVscodeModels',
        'selectModel',
        'newSession',
        'retry',
        'showLog',
        'showTasks',
        'openSettings',
        'startDemo',
        'openWalkthrough',
        'reviewProjectSettings',
        'manageMcpServers',
        'managePlugins',
        'showHooks',
        'worktreeActions',
        'tryNow',
        'stop',
        'askFallback',
        'alwaysFallback',
      ]),
    },
    'The command failed.',
  ),
  /** The chat has got or lost the focus: VS Code's own keys know nothing of the inside of a view. */
  focused: notification({ has: z.boolean() }, 'The focus could not be followed.'),
  /** Uncaught errors of the webview, for the log. */
  log: notification(
    { level: z.enum(['warn', 'error']), message: z.string().max(10_000) },
    'An error of the chat could not be logged.',
  ),
};

/** What is written and sent. */
export const composerMessages = {
  send: notification(
    { text: z.string(), images: z.array(image), withSelection: z.boolean() },
    'Your message was not sent.',
  ),
  /** Recalls a queued message, to edit it (`edit`; `givenBack` contains it) or to drop it. False where it had reached the model before. */
  unqueue: request({ id, edit: z.boolean() }, 'The queued message could not be recalled.').answeredBy<boolean>(),
  /** The prompt with this uuid once more, with its images; null where there is none. */
  recall: request({ id }, 'Your last message could not be loaded.').answeredBy<WrittenMessage | null>(),
  /** An image of the draft, which the host keeps for the time that the webview is gone. */
  keepImage: notification({ id: keptId, image }, 'The image of your draft could not be kept.'),
  /** The kept images once more: those that are still there. */
  keptImages: request({ ids: z.array(keptId).max(1_000) }, 'The images of your draft could not be loaded.').answeredBy<
    KeptImage[]
  >(),
  /** No longer in the draft. */
  dropImages: notification(
    { ids: z.array(keptId).max(1_000) },
    'Images that were removed from your draft could not be deleted.',
  ),
  mention: request({ query: z.string().max(1_000) }, 'Files could not be suggested.').answeredBy<MentionSuggestion[]>(),
  /** The "/" menu, the best first. */
  slash: request({ query: z.string().max(200) }, 'Commands could not be listed.').answeredBy<SlashCommand[]>(),
  /** Asks for files; an `insert` message has what becomes of them. */
  attach: notification({}, 'The files could not be attached.'),
  /** What was dragged from VS Code, in the form of its URIs. An `insert` message answers: drops come to pages that may be gone by then. */
  dropped: notification({ uris: z.array(path).min(1).max(maxDropped) }, 'What you dropped could not be taken.'),
  /** Where files of the system are in the workspace, by what the page knows of them: their URIs, or null. */
  locate: request(
    { files: z.array(z.object({ name: path, size: z.number(), modified: z.number() })).max(maxDropped) },
    'Files that you dropped could not be looked for in the workspace.',
  ).answeredBy<(string | null)[]>(),
};

/** What is opened in VS Code. */
export const editorMessages = {
  /** Of what waits for approval, or of the edit that a call made. */
  openDiff: notification(
    { approvalId: id.optional(), path: path.optional(), toolUseId: id.optional() },
    'The diff could not be opened.',
  ),
  /** Of the edit that waits, the changes in these lines of its new text: zero-based, the end excluded. */
  takeBackHunk: notification(
    { approvalId: id, start: z.number().int().nonnegative(), end: z.number().int().nonnegative() },
    'The change could not be taken back.',
  ),
  openFile: notification(
    { path, line: z.number().int().optional(), column: z.number().int().optional() },
    'The file could not be opened.',
  ),
  /** At the cursor of the editor that was used last, in place of what is selected there. */
  insertCode: notification({ text: z.string().max(1_000_000) }, 'The code was not inserted.'),
  /** A block of code becomes a proposal for the file that it names, or for the one that the user works in or picks. */
  applyCode: notification(
    { text: z.string().max(1_000_000), language: z.string().max(1_000), path: path.optional() },
    'The code was not applied.',
  ),
  /** A file that an answer shows as a picture. */
  picture: request({ path }, 'A picture could not be read.').answeredBy<AnswerPicture>(),
  openLink: notification({ url: z.string().max(10_000).refine(isWebAddress) }, 'The link could not be opened.'),
  showTerminal: notification({ toolUseId: id }, 'The terminal could not be shown.'),
  /** The settings file that holds a rule, at the rule. */
  openRule: notification({ file: path, rule: z.string().max(10_000) }, 'The rule could not be opened.'),
  /** All of Deft's unreviewed changes, or one file's; `compare`: all changes since a point that the user picks; `compareSession`: since the session began; the others: their comments, and what reviews have found. */
  review: notification(
    {
      action: z.enum([
        'open',
        'keep',
        'undo',
        'compare',
        'compareSession',
        'sendComments',
        'discardComments',
        'nextFinding',
        'fixFindings',
      ]),
      path: path.optional(),
    },
    'The changes could not be opened, kept or undone.',
  ),
};

/** The history. */
export const sessionMessages = {
  newSession: notification({}, 'A new session could not be started.'),
  /** One page of the sessions whose titles hold the words, from that row on, with at least `rows` rows. */
  listSessions: request(
    { query: z.string(), from: z.number().int().min(0), rows: z.number().int().min(0) },
    'The sessions could not be listed.',
  ).answeredBy<SessionPage>(),
  /** Searches the conversations themselves, and reports each find by `sessionMatches`; an empty query ends a search that runs. */
  searchSessions: notification(
    { requestId: z.number().int(), query: z.string().max(1_000) },
    'The conversations could not be searched.',
  ),
  openSession: notification({ sessionId: id }, 'The session could not be opened.'),
  deleteSession: request({ sessionId: id }, 'The session could not be deleted.').answeredBy<void>(),
  /** All of this folder, once the user has confirmed it. */
  deleteAllSessions: request({}, 'The sessions could not be deleted.').answeredBy<void>(),
  renameSession: request(
    { sessionId: id, title: z.string().min(1).max(200) },
    'The session could not be renamed.',
  ).answeredBy<void>(),
  forkSession: notification({ sessionId: id }, 'The session could not be forked.'),
  exportSession: notification({ sessionId: id }, 'The session could not be exported.'),
  /** Continues with the external session that is shown, in a session of Deft's own. */
  continueExternal: notification({}, 'The session could not be continued.'),
  /** Continues with the session of another window that is shown, which closes it there. */
  takeOver: notification({}, 'The session could not be taken over.'),
};

/** The MCP servers of the window. */
export const serverMessages = {
  listMcp: request({}, 'The MCP servers could not be listed.').answeredBy<McpServerList>(),
  /** `seen` is the fingerprint of what the user had before them: only that is approved. */
  mcp: request(
    {
      server: z.string().min(1).max(500),
      seen: z.string().max(100),
      action: z.enum(['reconnect', 'signIn', 'signOut', 'enable', 'disable', 'approve', 'remove', 'open']),
    },
    'The MCP server could not be changed.',
  ).answeredBy<McpServerList>(),
  /** A sentence where nothing was added. */
  addMcp: request(
    {
      name: z.string().max(200),
      kind: z.enum(['command', 'url']),
      target: z.string().max(10_000),
      scope: z.enum(['local', 'project', 'user']),
    },
    'The MCP server could not be added.',
  ).answeredBy<{ problem: string | null; list: McpServerList }>(),
  /** To what a server asked of the user. */
  answerMcp: answerToCard({
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
};

export const webviewMessages = {
  ...conversationMessages,
  ...composerMessages,
  ...editorMessages,
  ...sessionMessages,
  ...serverMessages,
} satisfies Messages;

type Table = typeof webviewMessages;

export type WebviewMessageType = keyof Table;

/** Those that are answered. */
export type RequestType = {
  [Type in WebviewMessageType]: Table[Type]['kind'] extends 'request' ? Type : never;
}[WebviewMessageType];

export type MessageInput<Type extends WebviewMessageType> = InputOf<Table[Type]>;

export type RequestAnswer<Type extends RequestType> = AnswerOf<Table[Type]>;

export type WebviewMessage = { [Type in WebviewMessageType]: { type: Type } & MessageInput<Type> }[WebviewMessageType];

/** As it is sent: an answer carries the number of its request. */
export type WebviewRequest = Extract<WebviewMessage, { type: RequestType }> & { request: number };

export type WebviewNotification = Exclude<WebviewMessage, { type: RequestType }>;

export type RewindWhat = MessageInput<'rewind'>['what'];

/** The number under which an answer is awaited, also for something that is not a valid message. */
export function requestNumber(value: unknown): number | undefined {
  const { request: number } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** Undefined for what names no message. */
export function messageTypeOf(value: unknown): WebviewMessageType | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  const { type } = value;
  return typeof type === 'string' && Object.hasOwn(webviewMessages, type) ? (type as WebviewMessageType) : undefined;
}

/** Undefined for anything that is not a valid message. */
export function parseWebviewMessage(value: unknown): WebviewMessage | undefined {
  const type = messageTypeOf(value);
  if (type === undefined) return undefined;
  const parsed = webviewMessages[type].input.safeParse(value);
  return parsed.success ? ({ type, ...parsed.data } as WebviewMessage) : undefined;
}
