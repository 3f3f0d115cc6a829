// What the commands about worktrees use of their window.
import type { ViewColumn } from 'vscode';
import { type FileSystem } from '../../core/ports/files';
import { type Log } from '../../core/ports/log';
import { type SessionStore } from '../../core/ports/session-store';
import { type BackgroundCommand } from '../../core/ports/terminal';
import { type SettingsValues } from '../../core/settings/settings-keys';
import { type RunGit } from '../../node/worktrees/run-git';
import { type SessionTrees } from '../../node/worktrees/session-trees';
import { type SessionGlance } from '../../shared/session-glance';
import { type ChatHost } from '../chat/chat-host';
import { type ModelPickServices } from '../commands/pick-model';
import { type ChangeReview } from '../review/change-review';
import { type ProposalReview } from '../review/proposal-review';
import { type ChatTree } from './chat-tree';

export interface TreeWindow {
  trees(): Promise<SessionTrees>;
  /** Where all worktrees are. */
  treesFolder: string;
  run: RunGit;
  values(): Promise<SettingsValues>;
  models: ModelPickServices;
  /** A project's settings name a set-up that the user has not agreed to. */
  setupWaits(): boolean;
  openInEditor(session?: string, column?: ViewColumn): Promise<ChatHost>;
  current(): ChatHost | undefined;
  all(): readonly ChatHost[];
  treeOf(host: ChatHost): ChatTree | undefined;
  /** Of this folder's sessions. */
  store: Pick<SessionStore, 'list' | 'isHeld' | 'read'>;
  /** What sessions of this folder do, and what they have cost. */
  glances(): Promise<ReadonlyMap<string, SessionGlance>>;
  background(): readonly BackgroundCommand[];
  showTerminal(toolUseId: string): void;
  log: Log;
  changes: Pick<ChangeReview, 'compared' | 'openFirst'>;
  proposals: ProposalReview;
  files: FileSystem;
  isHidden(path: string): boolean;
}
