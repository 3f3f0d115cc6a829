// What core needs of a sandbox: whether this machine has one, and a command as it runs inside.

/** What commands inside may do. Patterns with `*` are meant as in settings files; all paths are absolute. */
export interface SandboxPolicy {
  /** The main folder: files that steer tools are protected wherever they are below it. */
  root: string;
  /** Everything else is read-only, but a temporary folder of the sandbox's own. */
  allowWrite: readonly string[];
  /** Wins over `allowWrite`. */
  denyWrite: readonly string[];
  /** Not written in subfolders of these either, where they exist when the sandbox starts. */
  nested?: { folders: readonly string[]; names: readonly string[] };
  denyRead: readonly string[];
  /** Wins over `denyRead`. */
  allowRead: readonly string[];
  /** No other host is reached. */
  allowedDomains: readonly string[];
  /** Wins over `allowedDomains`. */
  deniedDomains: readonly string[];
  allowUnixSockets?: readonly string[];
  allowAllUnixSockets?: boolean;
  allowLocalBinding?: boolean;
  /** Files and variables that commands do not see, or see only a stand-in of. */
  credentials?: Readonly<Record<string, unknown>>;
  /** For containers that allow no nested one of full strength. */
  weakerNested?: boolean;
}

export type SandboxAvailability = { ok: true } | { ok: false; /** A sentence. */ reason: string };

export interface SandboxedCommand {
  /** What runs in place of the command: for bash, started in the same folder. */
  text: string;
  /** What the sandbox is known to have refused until now, a line each. */
  refused(): Promise<string[]>;
  /** The command is over: what was put up for it is taken down with the last one that runs. */
  ended(): Promise<void>;
}

export interface CommandSandbox {
  /** Tries it once: a sandbox that is installed and cannot start is none. */
  available(): Promise<SandboxAvailability>;
  /** Rejects where the command cannot run inside; then it must not run at all. */
  wrap(command: string, policy: SandboxPolicy, signal: AbortSignal): Promise<SandboxedCommand>;
  close(): Promise<void>;
}
