// Permission modes, rules and updates: the words that core, hosts and the chat share.

export const permissionModes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What a tool may do at most: look, write in the workspace, or anything. */
export type Access = 'ReadOnly' | 'WorkspaceWrite' | 'DangerFullAccess';

/** The same for the user, from the least to the most. */
export const accessWords: Readonly<Record<Access, string>> = {
  ReadOnly: 'read-only',
  WorkspaceWrite: 'changes files',
  DangerFullAccess: 'full access',
};

export type RuleBehavior = 'allow' | 'ask' | 'deny';

export type RuleSource =
  'session' | 'localSettings' | 'projectSettings' | 'userSettings' | 'managedSettings' | 'commandLine';

/** `Tool` or `Tool(content)`, as settings files write them. */
export interface PermissionRuleValue {
  toolName: string;
  ruleContent?: string;
}

export interface PermissionRule {
  behavior: RuleBehavior;
  value: PermissionRuleValue;
  source: RuleSource;
  /** The folder that `/` anchors of path rules mean: the project root, the home folder's .claude … */
  root: string;
  /** The settings file, where there is one. */
  file?: string;
}

/** Where a change of permissions is kept: for this session, or in one of the settings files. */
export const permissionDestinations = ['session', 'localSettings', 'projectSettings', 'userSettings'] as const;
export type PermissionDestination = (typeof permissionDestinations)[number];

export type PermissionUpdate = { destination: PermissionDestination } & (
  | { type: 'addRules' | 'replaceRules' | 'removeRules'; behavior: RuleBehavior; rules: PermissionRuleValue[] }
  | { type: 'setMode'; mode: PermissionMode }
  | { type: 'addDirectories' | 'removeDirectories'; directories: string[] }
);

/** An "Always allow …" button: what it says and what it does. */
export interface PermissionSuggestion {
  /** Names what will be allowed, and whether in this session or in this project. */
  label: string;
  updates: PermissionUpdate[];
  /** The rules, word for word, and the file that a click writes them to; absent where the label says all. */
  saves?: SavedRules;
}

/** What is dangerous about a call that asks, in words of the user. */
export interface CallRisk {
  kind: 'deletes' | 'forces' | 'outside' | 'network' | 'unread';
  /** Code and paths in backticks. */
  text: string;
  /** Beyond repair, or nearly: "always" is not offered for it. */
  grave?: boolean;
}

export interface SavedRules {
  rules: string[];
  /** Absent where they hold for the session only. */
  file?: string;
}
