// What a turn has proved, as data: files changed, checks that ran after them, what was not run, and claims that the log does not bear.

export type CheckKind = 'tests' | 'types' | 'lint' | 'format' | 'build';

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface LedgerFile {
  path: string;
  /** How often Deft changed it in the turn; 0 where a command, the user or another program did. */
  edits: number;
}

/** `unknown`: it ran, and neither its exit code nor its output says how it went. */
export type CheckState = 'passed' | 'failed' | 'unknown' | 'running' | 'stopped';

export interface LedgerCheck {
  /** The call that ran it last. */
  id: string;
  kinds: CheckKind[];
  command: string;
  state: CheckState;
  exitCode?: number;
  counts?: TestCounts;
  /** Files that Deft changed after it had begun: it proves nothing about them. */
  staleFor: string[];
  /** It can be repeated as it is. */
  repeats: boolean;
  /** The user ran it, from the ledger. */
  byUser?: true;
}

export interface LedgerMissing {
  kind: CheckKind;
  /** The file whose last change no such check followed. */
  since: string;
  /** One ran before that. */
  ranBefore: boolean;
  /** Something ran afterwards of which nobody can say what it checked. */
  uncertain: boolean;
}

export interface LedgerRefusal {
  /** "Edit src/a.ts", "npm publish". */
  what: string;
  /** By the user, by rules or hooks, or taken back by the user afterwards. */
  why: 'rejected' | 'denied' | 'undone' | 'rewound';
}

/** An entry of `verify` that should have run for what was changed, and did not. */
export interface LedgerDue {
  id: string;
  run: string;
  /** `run` is the name of a task of the editor. */
  isTask?: true;
  files: string[];
}

export type ClaimKind = CheckKind | 'checks' | 'ran' | 'untouched' | 'touched';

export interface LedgerClaim {
  kind: ClaimKind;
  /** The sentence, as it stands in the answer. */
  text: string;
  /** Why the log does not bear it: a sentence. */
  reason: string;
}

export interface Ledger {
  files: LedgerFile[];
  /** Commands ran that may have changed files of which the log knows nothing. */
  commandsMayHaveChanged: boolean;
  /** Agents worked: what they changed and ran is in their own logs. */
  agentsWorked: boolean;
  checks: LedgerCheck[];
  missing: LedgerMissing[];
  refused: LedgerRefusal[];
  /** Commands that still run. */
  running: { id: string; command: string }[];
  due: LedgerDue[];
  claims: LedgerClaim[];
}

/** Something is in it that a user or a program wants to read. */
export function hasProof({ files, commandsMayHaveChanged, checks, refused, claims }: Ledger): boolean {
  return files.length + checks.length + refused.length + claims.length > 0 || commandsMayHaveChanged;
}

/** The turn changed something: the chat then shows its ledger. */
export function hasChanged({ files, checks, commandsMayHaveChanged }: Ledger): boolean {
  return files.length > 0 || (commandsMayHaveChanged && checks.length > 0);
}

/** With each text changed alike, such as by shorter paths. */
export function mapLedger(ledger: Ledger, map: (text: string) => string): Ledger {
  return {
    ...ledger,
    files: ledger.files.map((file) => ({ ...file, path: map(file.path) })),
    checks: ledger.checks.map((check) => ({ ...check, staleFor: check.staleFor.map(map) })),
    missing: ledger.missing.map((one) => ({ ...one, since: map(one.since) })),
    refused: ledger.refused.map((one) => ({ ...one, what: map(one.what) })),
    due: ledger.due.map((one) => ({ ...one, files: one.files.map(map) })),
    claims: ledger.claims.map((one) => ({ ...one, reason: map(one.reason) })),
  };
}
