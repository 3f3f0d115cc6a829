// What git says of a folder at one moment.
import { type Path } from './path';

export interface GitState {
  /** As `git status --short --branch` writes it: "main...origin/main [ahead 1]". */
  branch: string;
  /** Lines of `git status --short`, with paths from the folder on. */
  changes: readonly string[];
  /** The last commits, the newest first: short hash and subject. */
  commits: readonly string[];
}

/** What is in no commit yet. */
export interface UncommittedChanges {
  /** As `git status --short` writes their state, with paths from the folder on; without those that are hidden. */
  files: readonly { state: string; path: string }[];
  /** How many are left out because rules hide them. */
  hidden: number;
  /** Against the last commit, of the files that git knows; cut where it is very large. */
  diff: string;
}

export interface Git {
  /** Undefined where the folder is in no repository, or git cannot be asked. Runs nothing that the repository's settings name. Never rejects. */
  state(folder: Path): Promise<GitState | undefined>;
  /** The same for the changes below the folder; `hidden` paths are not looked into. */
  changes(folder: Path, hidden: (path: Path) => boolean): Promise<UncommittedChanges | undefined>;
}
