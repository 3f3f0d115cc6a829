// What the handlers of the webview's messages get, and what they are.
import type * as vscode from 'vscode';
import { type InsertedFiles, type MentionSuggestion, type ToolOutput } from '../../../shared/answers';
import { type HostMessage } from '../../../shared/host-messages';
import { type AnswerOf, type InputOf, type Message, type Messages } from '../../../shared/message';
import { type MessageInput, type RewindWhat } from '../../../shared/protocol';
import { type Memory } from '../../../core/memory/memory';
import { type PermissionMode } from '../../../shared/permission';
import { type WindowMcp } from '../../mcp/window-mcp';
import { type SessionHistory } from '../conversation/session-history';
import { type Chat } from '../conversation/chat';
import { type PanelWindow } from './panel-window';
import { type DraftImages } from '../conversation/draft-images';

/** What a page knows of a file of the system. */
export interface SystemFile {
  name: string;
  size: number;
  modified: number;
}

export interface FilesToInsert {
  /** A URI as VS Code puts it into what is dragged. */
  uriOfDrag(text: string): vscode.Uri;
  name(uris: readonly vscode.Uri[]): Promise<InsertedFiles>;
  /** Their URIs in the workspace; null for one that is elsewhere, or that several could be. */
  locate(files: readonly SystemFile[]): Promise<(string | null)[]>;
}

/** What handlers use apart from the chat itself. */
export interface HandlerServices {
  post: (message: HostMessage) => void;
  selection: () => Parameters<Chat['send']>[0]['selection'];
  /** What "@" offers. */
  mentions: (query: string, chat: Chat) => Promise<MentionSuggestion[]>;
  /** Files that the user drops or picks. */
  inserted: () => Promise<FilesToInsert>;
  /** The parts of the window that the panel's commands reach. */
  panel: PanelWindow;
  /** What a path in the chat opens; undefined where it does not, which the user was informed of. */
  linkTarget: (path: string, chat: Chat) => Promise<vscode.Uri | undefined>;
  history: () => Promise<SessionHistory>;
  mcp: () => Promise<WindowMcp>;
  outputOf: (chat: Chat, toolUseId: string) => Promise<ToolOutput>;
  openDiff: (
    target: { approvalId?: string | undefined; path?: string | undefined; toolUseId?: string | undefined },
    chat: Chat,
  ) => Promise<void>;
  takeBackHunk: (requestId: string, lines: { start: number; end: number }) => Promise<boolean>;
  openRule: (file: string, rule: string) => Promise<void>;
  review: (action: MessageInput<'review'>['action'], path: string | undefined, chat: Chat) => Promise<void>;
  rewind: (id: string, what: RewindWhat, chat: Chat, post: (message: HostMessage) => void) => Promise<void>;
  showTerminal: (toolUseId: string) => void;
  confirmMode: (mode: PermissionMode) => Promise<boolean>;
  compaction: (chat: Chat, id: string, action: 'read' | 'edit' | 'undo') => Promise<void>;
  memory: () => Promise<Memory>;
  draftImages: () => Promise<DraftImages>;
  log: (level: 'warn' | 'error', message: string) => void;
}

/** What it returns answers a request. */
export type Handler<Definition extends Message> = (
  input: InputOf<Definition>,
  chat: Chat,
  services: HandlerServices,
) => AnswerOf<Definition> | Promise<AnswerOf<Definition>>;
export type Handlers<Table extends Messages> = { [Type in keyof Table]: Handler<Table[Type]> };
