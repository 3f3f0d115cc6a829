// Commands that check the project where no editor reports its problems. The settings name them.

export interface CheckCommand {
  /** For bash, in the first folder of the workspace. */
  command: string;
  /** Globs of the files that it is about, as Grep takes them; all where it is left out. */
  files?: string | undefined;
  /** What its problems are called by; found in the command where it is left out. */
  source?: string | undefined;
  /** Seconds. */
  timeout?: number | undefined;
}

export interface Checks {
  /** In the order in which they run; at least one. */
  commands(): readonly CheckCommand[];
}
