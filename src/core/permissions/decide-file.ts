// Judges reading or writing one path.
import { type PermissionRule } from '../../shared/permission';
import { type PermissionContext } from './rules/verdict';
import { allow, ask, byRule, deny, type Judgement, planReason } from './judgement';
import { allowingRule, pathNames, restrictingRule } from './rules/path-rules';
import { isProcessFolder, isProcessMemory, isProtectedPath } from './files/protected-paths';
import { brokenSettingsReason } from './broken-settings';
import { isInsideAny } from './rules/workspace-path';

export interface FileUse {
  access: 'read' | 'write';
  path: string;
  realPath: string;
}

/** `toolRule` allows the whole tool, where there is such a rule. */
export function judgeFile(use: FileUse, context: PermissionContext, toolRule?: PermissionRule): Judgement {
  return restrictFile(use, context) ?? permitFile(use, context, toolRule);
}

/** What no leave overrides: deny and ask rules, plan mode, protected paths, unknown deny rules. */
export function restrictFile(use: FileUse, context: PermissionContext): Judgement | undefined {
  const names = pathNames(use.path, use.realPath);
  const denied = restrictingRule('deny', use.access, names, context);
  if (denied !== undefined) return byRule(denied);
  const writes = use.access === 'write';
  if (writes && context.mode === 'plan') return deny('mode', planReason);
  const asked = restrictingRule('ask', use.access, names, context);
  if (asked !== undefined) return byRule(asked);
  if (!writes) {
    if (names.some((name) => isProcessMemory(name) || isProcessFolder(name)))
      return ask('protected-path', processReason(use.path));
    context.recorder?.passed(use.path);
    return undefined;
  }
  if (context.mode !== 'bypassPermissions' && names.some(isProtectedPath) && !isAgentMemory(names, context)) {
    return ask(
      'protected-path',
      `\`${use.path}\` steers tools, editors or shells, so Deft always asks before it changes.`,
    );
  }
  context.recorder?.passed(use.path);
  const broken = brokenSettingsReason(context);
  return broken === undefined ? undefined : ask('rule', broken);
}

/** Markdown alone, wherever its links lead. */
function isAgentMemory(names: readonly string[], { agentMemory, ignoreCase }: PermissionContext): boolean {
  return (
    agentMemory !== undefined &&
    names.every((name) => /\.md$/i.test(name) && isInsideAny(name, agentMemory.folders, ignoreCase))
  );
}

export function processReason(text: string): string {
  return `\`${text}\` shows what a process holds in memory, so Deft always asks before it is read.`;
}

/** Mode, allow rules, and what is allowed by itself; else a question. */
export function permitFile(use: FileUse, context: PermissionContext, toolRule?: PermissionRule): Judgement {
  const names = pathNames(use.path, use.realPath);
  const notes = isAgentMemory(names, context);
  const inside = notes || names.every((name) => isInsideAny(name, context.folders, context.ignoreCase));
  if (context.mode === 'bypassPermissions') return allow('mode', 'The mode allows everything.');
  if (notes && (use.access === 'read' || context.agentMemory?.unasked === true))
    return allow('own-file', 'It is a note of the agent itself.');
  if (use.access === 'write' && context.mode === 'acceptEdits' && inside) {
    return allow('mode', 'The mode allows edits in the workspace.');
  }
  const rule = toolRule ?? allowingRule(use.access, names, context);
  if (rule !== undefined) return byRule(rule);
  if (use.access === 'read' && inside) return allow('inside-workspace', 'It lies in the workspace.');
  if (use.access === 'read' && names.every((name) => isInsideAny(name, context.ownFolders, context.ignoreCase))) {
    return allow('own-file', 'It is a file of Deft.');
  }
  if (inside) return ask('mode', 'Deft asks before each edit in this mode.');
  const where = names.length > 1 ? `\`${use.path}\` leads to \`${use.realPath}\`, which` : `\`${use.path}\``;
  return ask('outside-workspace', `${where} lies outside the workspace.`);
}
