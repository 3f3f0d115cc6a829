// Worktrees: further checkouts of a repository, in which an agent works without touching the user's own.
import { type Path } from './path';

export interface Worktree {
  /** Its root, links resolved. */
  path: Path;
  /** The root of the checkout in which the agent would work without it. */
  checkout: Path;
  /** Undefined where a hook made it. */
  branch?: string;
  /** The commit that it began at; undefined where git knows nothing of it. */
  base?: string;
  /** If a hook made it: what its file `.git` held then, nothing for a folder. Once that differs, the changes cannot be determined. */
  link?: string;
  /** If a hook made it: which files ignored by git it contained from the start. */
  ignored?: string[];
}

export type WorktreeCreation =
  | {
      outcome: 'created';
      worktree: Worktree;
      /** Of the checkout: what the worktree does not have. */ uncommitted: number;
    }
  | { outcome: 'refused'; /** A sentence that says what to do next. */ message: string };

/** Uncommitted files, and commits made since `base`. */
export interface WorktreeChanges {
  files: number;
  commits: number;
  /** Files and folders ignored by git that were not there at the beginning, if any; packages and caches, which can be rebuilt, excluded. */
  ignored?: number;
}

/** Nothing would be lost with it. */
export function isUnchanged({ files, commits, ignored = 0 }: WorktreeChanges): boolean {
  return files === 0 && commits === 0 && ignored === 0;
}

export interface LeftWorktree extends Worktree {
  /** Undefined where it cannot be determined. */
  changes: WorktreeChanges | undefined;
  /** All of them are commits of its branch, and the folder is gone. */
  kept?: boolean;
}

/** What is there of an agent's work: a branch, and as long as something is in it that no commit has, its worktree. */
export interface AgentBranch {
  name: string;
  /** Commits that are not in what is checked out. */
  commits: number;
  path?: Path;
}

/** Never rejects but on abort. No hook and no file monitor of the repository runs. */
export interface Worktrees {
  /** A new branch from what is checked out in the repository around the folder. The user's index and files stay as they are. Refused where none of `folders` is in it. */
  create(folder: Path, name: string, signal: AbortSignal, folders?: readonly Path[]): Promise<WorktreeCreation>;
  /** A folder that somebody else has made for this; the sentence says why it cannot be used. It may be or hold none of `taken`. */
  adopt(path: Path, folder: Path, taken?: readonly Path[]): Promise<Worktree | string>;
  /** One that stayed, or whose branch did, is used again. False where that is gone, or somebody else has locked it. */
  reopen(worktree: Worktree): Promise<boolean>;
  /** Undefined where it cannot be determined. */
  changes(worktree: Worktree): Promise<WorktreeChanges | undefined>;
  /** With its branch. A sentence where it stays: git takes nothing away that has changes. */
  remove(worktree: Worktree): Promise<string | undefined>;
  /** Commits all changes to its branch and removes the folder. A sentence where that stays, with what could not be committed. */
  keep(worktree: Worktree): Promise<string | undefined>;
  /** Nobody works in it any more. */
  release(worktree: Worktree): Promise<void>;
  /** Those that ended processes have left behind: what has no changes is removed, the rest kept and returned, once. Branches that were merged are removed. */
  sweep(folder: Path): Promise<{ removed: Worktree[]; left: LeftWorktree[] }>;
  /** All that agents have left in the repository around the folder, once what was merged is removed. */
  list(folder: Path): Promise<AgentBranch[]>;
  /** With everything in it. A sentence where it stays. */
  discard(folder: Path, name: string): Promise<string | undefined>;
}
