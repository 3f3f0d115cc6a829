// The settings that the agent may look at and, after a question, change.

export interface ConfigurationEntry {
  /** Without the `deft.` in front. */
  key: string;
  value: unknown;
  /** "default", "user", "workspace", "workspace folder", or "settings files". */
  source: string;
  description: string;
  /** May be set by the agent after approval. */
  writable: boolean;
  /** What a value must be, as JSON Schema. */
  schema: Readonly<Record<string, unknown>>;
}

export interface Configuration {
  list(): ConfigurationEntry[];
  /** Into the user's settings. Rejects with a DeftError where the host refuses. */
  set(key: string, value: unknown): Promise<void>;
}
