// Shared by the permission tests: calls and contexts written as one line each.
import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permissions/decide';
import { parseRule } from '../../../../src/core/permissions/rules/rule-syntax';
import {
  type PermissionCall,
  type PermissionContext,
  type PermissionVerdict,
} from '../../../../src/core/permissions/rules/verdict';
import { type PermissionMode, type PermissionRule, type RuleBehavior } from '../../../../src/shared/permission';

/** `deny Bash(rm:*)`; with a root behind ` @ ` where it is not the workspace. */
export function rule(text: string): PermissionRule {
  const [head = '', root = '/ws'] = text.split(' @ ');
  const [behavior = '', ...rest] = head.split(' ');
  const value = parseRule(rest.join(' '));
  assert.ok(value !== undefined, `no rule: ${text}`);
  return { behavior: behavior as RuleBehavior, value, source: 'projectSettings', root };
}

export function context(
  mode: PermissionMode,
  rules: readonly string[] = [],
  changes: Partial<PermissionContext> = {},
): PermissionContext {
  return {
    mode,
    rules: rules.map(rule),
    folders: ['/ws'],
    ownFolders: ['/home/u/.deft/results'],
    cwd: '/ws',
    home: '/home/u',
    ignoreCase: false,
    trusted: true,
    ...changes,
  };
}

export function bash(command: string, cwd = '/ws'): PermissionCall {
  return { tool: 'Bash', access: 'DangerFullAccess', readOnly: false, targets: [{ kind: 'command', command, cwd }] };
}

/** `Read /ws/a`, `Edit /ws/link -> /etc/passwd`. */
export function file(text: string): PermissionCall {
  const [head = '', realPath] = text.split(' -> ');
  const [tool = '', ...rest] = head.split(' ');
  const path = rest.join(' ');
  const reads = ['Read', 'Grep', 'Glob'].includes(tool);
  return {
    tool,
    access: reads ? 'ReadOnly' : 'WorkspaceWrite',
    readOnly: reads,
    targets: [{ kind: 'file', access: reads ? 'read' : 'write', path, realPath: realPath ?? path }],
  };
}

export function callOf(text: string): PermissionCall {
  return text.startsWith('Bash ') ? bash(text.slice(5)) : file(text);
}

export function verdictOf(
  mode: PermissionMode,
  rules: readonly string[],
  call: string,
  changes: Partial<PermissionContext> = {},
): PermissionVerdict {
  return decide(callOf(call), context(mode, rules, changes));
}
