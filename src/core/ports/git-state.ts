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

export interface Git {
  /** Undefined where the folder is in no repository, or git cannot be asked. Runs nothing that the repository's settings name. Never rejects. */
  state(folder: Path): Promise<GitState | undefined>;
}
