// The worktree of a chat's session: its folders in place of those of the workspace, and what the chip says of its branch, which follows events and never looks by itself.
import { watch } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type SessionEvent } from '../../core/events/session-event';
import { type AgentSession } from '../../core/feature/agent-session';
import { type WorktreeView } from '../../core/subagents/worktree-view';
import { type SessionTrees, type TreeState } from '../../node/worktrees/session-trees';
import { type WorktreeChip } from '../../shared/surroundings';
import { type WorkspaceFiles } from '../chat/completion/workspace-files';
import { type Folder, workspaceFolders } from '../host/workspace-facts';

export interface ChatTree extends vscode.Disposable {
  /** Undefined where the session works in the workspace. */
  readonly view: WorktreeView | undefined;
  /** Those that the chat's paths count from. */
  folders(): Folder[];
  /** As the chat shows it: relative to the tree. */
  shown(path: string): string;
  chip(): WorktreeChip | undefined;
  /** Those behind "@", listed when they are first needed. */
  files(create: (folders: readonly Folder[]) => WorkspaceFiles): WorkspaceFiles;
  /** The chat shows this session from now on. */
  opened(session: Pick<AgentSession, 'settings'>): void;
  /** Another session comes, or none. */
  left(): void;
  heard(event: SessionEvent): void;
}

type Trees = Pick<SessionTrees, 'state' | 'watched'>;

/** Several events come with one command. */
const gatherMs = 250;

/** `changed`: the chip says something else now. */
export function createChatTree(trees: Trees, changed: () => void): ChatTree {
  return new Tree(trees, changed);
}

class Tree implements ChatTree {
  readonly #trees: Trees;
  readonly #changed: () => void;
  #session: Pick<AgentSession, 'settings'> | undefined;
  #state: TreeState | undefined;
  #files: WorkspaceFiles | undefined;
  #watchers: vscode.Disposable[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The last look wins. */
  #looks = 0;

  constructor(trees: Trees, changed: () => void) {
    this.#trees = trees;
    this.#changed = changed;
  }

  get view(): WorktreeView | undefined {
    return this.#session?.settings.place.worktree;
  }

  folders(): Folder[] {
    if (this.view === undefined) return workspaceFolders();
    const { folders } = this.#session?.settings.place.environment ?? { folders: [] };
    return folders.map((folder) => ({ name: path.posix.basename(folder), path: folder }));
  }

  shown(file: string): string {
    if (this.view === undefined) return vscode.workspace.asRelativePath(file);
    const folders = this.folders();
    const folder = folders.find((one) => file.startsWith(`${one.path}/`));
    if (folder === undefined) return file;
    const below = file.slice(folder.path.length + 1);
    return folders.length > 1 ? `${folder.name}/${below}` : below;
  }

  chip(): WorktreeChip | undefined {
    if (this.view === undefined) return undefined;
    const { branch, ...state } = this.#state ?? {};
    const named = this.#state === undefined ? this.view.branch : (branch ?? 'no branch');
    const { ahead, behind, files } = { ahead: 0, behind: 0, files: 0, ...state };
    return {
      branch: named ?? 'no branch',
      path: this.view.path,
      ...(this.#state === undefined ? {} : { state: { ahead, behind, files } }),
    };
  }

  files(create: (folders: readonly Folder[]) => WorkspaceFiles): WorkspaceFiles {
    this.#files ??= create(this.folders());
    return this.#files;
  }

  opened(session: Pick<AgentSession, 'settings'>): void {
    this.#forget();
    this.#session = session;
    if (this.view === undefined) return this.#changed();
    void this.#watch(this.view);
    // What the user did elsewhere, such as in a terminal of the system.
    this.#watchers.push(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#soon();
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.view !== undefined && uri.fsPath.startsWith(path.resolve(this.view.path))) this.#soon();
      }),
    );
    this.#changed();
    void this.#look();
  }

  heard(event: SessionEvent): void {
    const isOver = event.type === 'record' && event.record.type === 'user' && event.record.toolState !== undefined;
    if (isOver || event.type === 'turn_idle') this.#soon();
  }

  left(): void {
    this.#forget();
    this.#session = undefined;
  }

  dispose(): void {
    this.left();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#looks++;
    this.#state = undefined;
    this.#watchers.forEach((watcher) => watcher.dispose());
    this.#watchers = [];
    this.#files?.dispose();
    this.#files = undefined;
  }

  async #watch(view: WorktreeView): Promise<void> {
    const files = await this.#trees.watched(view);
    if (this.view !== view) return;
    // VS Code's own watchers leave out most of what is in `.git`.
    for (const { folder, name } of files) {
      try {
        const watcher = watch(folder, { persistent: false }, (_event, file) => {
          if (file === null || file === name) this.#soon();
        });
        watcher.on('error', () => watcher.close());
        this.#watchers.push(new vscode.Disposable(() => watcher.close()));
      } catch {
        // The folder is gone, or the system gives no more watchers: calls, saves and the window's focus are left.
      }
    }
    // What happened before they were there.
    this.#soon();
  }

  #soon(): void {
    if (this.view === undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, gatherMs);
  }

  async #look(): Promise<void> {
    const { view } = this;
    if (view === undefined) return;
    const look = ++this.#looks;
    const state = await this.#trees.state(view).catch(() => undefined);
    if (look !== this.#looks || JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#changed();
  }
}
