// Permission modes, rules and updates: the words that core, hosts and the chat share.

export const permissionModes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What a tool may do at most: look, write in the workspace, or anything. */
export type Access = 'ReadOnly' | 'WorkspaceWrite' | 'DangerFullAccess';

export type RuleBehavior = 'allow' | 'ask' | 'deny';

export type RuleSource = 'session' | 'localSettings' | 'projectSettings' | 'userSettings' | 'managedSettings' | 'commandLine';

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

export type PermissionUpdate =
  | { type: 'addRules'; behavior: RuleBehavior; rules: PermissionRuleValue[]; destination: 'session' | 'localSettings' }
  | { type: 'setMode'; mode: PermissionMode; destination: 'session' }
  | { type: 'addDirectories'; directories: string[]; destination: 'session' };

/** An "Always allow …" button: what it says and what it saves. `label` names the rule and where it goes. */
export interface PermissionSuggestion {
  label: string;
  updates: PermissionUpdate[];
}
