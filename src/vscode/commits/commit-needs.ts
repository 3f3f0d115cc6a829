// What the commands around commits and pull requests need of the window.
import type * as vscode from 'vscode';
import { type AgentSession } from '../../core/feature/agent-session';
import { type FileSystem } from '../../core/ports/files';
import { type AttributionSettings } from '../../core/settings/commit-attribution';
import { type VerifyEntry } from '../../core/ledger/facts/due-checks';
import { type CommitMessageOptions } from '../commands/commit-message-command';

export interface CommitServices extends Pick<
  CommitMessageOptions,
  'client' | 'clock' | 'isDemo' | 'model' | 'isHidden' | 'used'
> {
  /** The window's own folder for what it keeps. */
  storage: vscode.Uri;
  files: Pick<FileSystem, 'readText'>;
  /** Of the user's commands, without Deft's credentials. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** The one that was used last, with its title. */
  session: () => Promise<{ session: AgentSession; title: string } | undefined>;
  settings: () => Promise<AttributionSettings>;
  verify: () => readonly VerifyEntry[];
  /** Why no model may be asked now; undefined where one may. */
  whyNoModel: (session: AgentSession | undefined) => string | undefined;
  /** The setting `deft.commitTrailer`. */
  trailer: () => boolean;
}
