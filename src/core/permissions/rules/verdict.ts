// The shapes around decide(): a call to judge, what it is judged by, and the verdict.
import {
  type Access,
  type PermissionMode,
  type PermissionRule,
  type PermissionRuleValue,
  type PermissionSuggestion,
  type RuleBehavior,
} from '../../../shared/permission';

/** What a call touches. `realPath` has symlinks resolved, by the caller, right before the decision. */
export type PermissionTarget =
  | {
      kind: 'file';
      access: 'read' | 'write';
      path: string;
      realPath: string;
      /** It is in the folder that `core.hooksPath` names. */
      isHook?: true;
      /** What package.json makes package managers run stays as it was. */
      keepsScripts?: true;
      /** A command takes it along with its folder, without naming it. */
      goesAlong?: true;
      /** A folder with more in it than Deft looks through. */
      unseen?: true;
    }
  | {
      kind: 'command';
      command: string;
      cwd: string;
      /** What the host found in the file system that speaks against running it unasked, as sentences. */
      doubts?: string[];
      /** What globs of the command find, each with links resolved: only the host can tell. */
      found?: { pattern: string; files: { path: string; realPath: string }[] }[];
      /** Folders below the workspace from which git finds the workspace's own repository: only the host can tell. */
      inOwnRepository?: string[];
      /** What names in it stand for, from the user's start-up files: judged like the line itself, and the strictest verdict holds. */
      means?: { name: string; text: string }[];
      /** Why it cannot be determined what such names do here, after "what this command does:". */
      unclear?: string;
    }
  | { kind: 'url'; url: string };

export interface PermissionCall {
  /** Canonical tool name. */
  tool: string;
  access: Access;
  /** The tool says that this input changes nothing. */
  readOnly: boolean;
  /** It runs in the sandbox, and the user lets such commands run where only their name is unknown. */
  sandboxed?: boolean;
  targets: PermissionTarget[];
  /** What the model passes, for rules about parameters. */
  input?: unknown;
  /** What the call runs, where rules name that in words of its own: an allow rule is needed for each. */
  names?: readonly RunName[];
}

/** `program:src/app.js` and what it is given. */
export interface RunName {
  name: string;
  args?: string;
}

export interface PermissionContext {
  mode: PermissionMode;
  /** Another list means other rules: what is worked out for one is kept, so none is ever changed. */
  rules: readonly PermissionRule[];
  /** Workspace folders and added directories, symlinks resolved. */
  folders: string[];
  /** Folders of Deft's own that are readable without a question (tool results, command output). */
  ownFolders: string[];
  cwd: string;
  home: string;
  /** Paths compare without case. */
  ignoreCase: boolean;
  /** An untrusted workspace: nothing writes or runs. */
  trusted: boolean;
  /** Settings files that exist but cannot be read: their deny rules are unknown, so all but reading asks. */
  brokenSettings?: string[];
  /** The settings file that "Always allow" goes to; absent where nothing outlives the session. */
  savesTo?: string;
  /** An organization's rules alone count: nothing else may allow, and nothing offers to save a rule. */
  managedRulesOnly?: boolean;
  /** A settings file switches auto mode off: its classifier is not asked. */
  autoDisabled?: boolean;
  /** Where an agent keeps its notes; its Markdown files there steer nothing but itself. */
  agentMemory?: { folders: string[]; unasked: boolean };
  /** The call is an agent's: where it may only read, there is no plan for the user to accept. */
  isAgent?: boolean;
  /** The root of the worktree that an agent works in. */
  worktree?: string;
  /** Set by explain() alone: is notified of every step. */
  recorder?: TraceRecorder;
}

/** Receives what the parts of decide() find while they look. */
export interface TraceRecorder {
  /** A check went through `rules` in order, up to the one that it found. `subject`: a command, a path, an address, a tool. */
  looked(
    check: RuleBehavior,
    subject: string,
    rules: readonly PermissionRule[],
    found: PermissionRule | undefined,
  ): void;
  /** Protected and critical paths: nothing spoke against the subject. */
  passed(subject: string): void;
  /** What was found about a part of the call. */
  judged(subject: string, judgment: Omit<PermissionVerdict, 'suggestions' | 'question'>): void;
}

export type VerdictCode =
  | 'rule'
  | 'mode'
  | 'read-only'
  | 'inside-workspace'
  | 'outside-workspace'
  | 'protected-path'
  | 'effect-elsewhere'
  | 'critical-path'
  | 'unparsed-command'
  | 'unknown-command'
  | 'redirection'
  | 'untrusted'
  | 'own-file'
  | 'documentation'
  | 'local-address'
  | 'sandboxed'
  | 'unsandboxed'
  | 'refused-change'
  | 'no-rule';

export interface PermissionVerdict {
  behavior: 'allow' | 'ask' | 'deny';
  code: VerdictCode;
  /** A sentence for the user and, on deny, for the model: "No rule matches `rm`." */
  reason: string;
  /** The rule that decided, where one did. */
  rule?: PermissionRule;
  /** Of a line with several commands: which of them are refused and which would run, as a sentence for who refuses it. */
  parts?: string;
  /** In the mode that asks nobody: what would have been asked. */
  question?: PermissionVerdict;
  /** What "Always allow" may offer; empty where saving would not change the verdict. */
  suggestions: PermissionSuggestion[];
  /** Of a question, also one that is denied since nobody is asked: the narrowest allow rules known after which the call runs. Absent where no allow rule can answer it. */
  coveredBy?: PermissionRuleValue[];
}
