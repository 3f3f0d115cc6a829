// What "Always allow" may offer: only what would really answer the question, said in full.
import { dirname } from 'pathe';
import { type PermissionSuggestion, type PermissionUpdate } from '../../shared/permission';
import { type PermissionCall, type PermissionContext } from './verdict';
import { escapeCommand } from './command-pattern';
import { hostOf } from './domain-rules';
import { type Judgement } from './judgement';
import { exactPathContent } from './path-rules';
import { isCriticalPath } from './critical-paths';
import { prefixRuleFor } from './prefix-suggestion';
import { parseShell } from './shell-command';

/** Tried with `judge`: a suggestion after which the same call would still ask is left out. */
export function suggestionsFor(
  call: PermissionCall,
  context: PermissionContext,
  judgement: Judgement,
  judge: (call: PermissionCall, context: PermissionContext) => Judgement,
): PermissionSuggestion[] {
  if (hopeless.has(judgement.code)) return [];
  return candidates(call, context).filter(
    (suggestion) => judge(call, suggestion.updates.reduce(withUpdate, context)).behavior === 'allow',
  );
}

const hopeless = new Set<Judgement['code']>(['protected-path', 'critical-path', 'unparsed-command', 'rule', 'untrusted']);

/** Longer commands cannot be shown whole on a button. */
const maxShown = 160;
const maxRules = 5;

function candidates(call: PermissionCall, context: PermissionContext): PermissionSuggestion[] {
  const [target] = call.targets;
  if (target === undefined) return [rules(`Always allow ${call.tool} in this session`, [{ toolName: call.tool }])];
  if (target.kind === 'command') return call.tool === 'PowerShell' ? powerShellCandidates(target.command) : commandCandidates(target.command);
  if (target.kind === 'url') {
    const host = hostOf(target.url);
    return host === undefined ? [] : [rules(`Always allow ${call.tool} for \`${host}\` in this session`, [{ toolName: call.tool, ruleContent: `domain:${host}` }])];
  }
  return fileCandidates(target, context);
}

function commandCandidates(command: string): PermissionSuggestion[] {
  const text = command.trim();
  if (text.length > maxShown || text.includes('\n')) return [];
  const parsed = parseShell(text);
  const found = [rules(`Always allow \`${text}\` in this session`, [bash(escapeCommand(text))])];
  if (!parsed.ok) return [];
  const prefixes = [...new Set(parsed.commands.flatMap((one) => prefixRuleFor(one) ?? []))];
  const [prefix] = prefixes;
  if (prefix !== undefined && prefixes.length <= maxRules) {
    const shown = prefixes.map((one) => `\`${one}\``).join(' and ');
    found.push(rules(`Always allow every command that starts with ${shown} in this session`, prefixes.map((one) => bash(`${one}:*`))));
  }
  return found;
}

function powerShellCandidates(command: string): PermissionSuggestion[] {
  const text = command.trim();
  if (text.length > maxShown || text.includes('\n')) return [];
  return [rules(`Always allow \`${text}\` in this session`, [{ toolName: 'PowerShell', ruleContent: escapeCommand(text) }])];
}

function fileCandidates(
  target: { access: 'read' | 'write'; path: string; realPath: string },
  context: PermissionContext,
): PermissionSuggestion[] {
  if (target.access === 'write') {
    return [
      { label: 'Always allow edits in this session', updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
      ...exactFile(target, 'Edit', 'editing'),
    ];
  }
  const folders = [...new Set([dirname(target.path), dirname(target.realPath)])];
  const wide = folders.some((folder) => isCriticalPath(folder, context));
  const folder: PermissionSuggestion = {
    label: `Add ${folders.map((one) => `\`${one}\``).join(' and ')} to the folders of this session`,
    updates: [{ type: 'addDirectories', directories: folders, destination: 'session' }],
  };
  return [...exactFile(target, 'Read', 'reading'), ...(wide ? [] : [folder])];
}

function exactFile({ path, realPath }: { path: string; realPath: string }, tool: string, verb: string): PermissionSuggestion[] {
  const paths = [...new Set([path, realPath])];
  const label = `Always allow ${verb} ${paths.map((one) => `\`${one}\``).join(' and ')} in this session`;
  return [rules(label, paths.map((one) => ({ toolName: tool, ruleContent: exactPathContent(one) })))];
}

function bash(content: string): { toolName: string; ruleContent: string } {
  return { toolName: 'Bash', ruleContent: content };
}

function rules(label: string, values: { toolName: string; ruleContent?: string }[]): PermissionSuggestion {
  return { label, updates: [{ type: 'addRules', behavior: 'allow', rules: values, destination: 'session' }] };
}

function withUpdate(context: PermissionContext, update: PermissionUpdate): PermissionContext {
  if (update.type === 'setMode') return { ...context, mode: update.mode };
  if (update.type === 'addDirectories') return { ...context, folders: [...context.folders, ...update.directories] };
  const added = update.rules.map((value) => ({ behavior: update.behavior, value, source: 'session' as const, root: context.folders[0] ?? '/' }));
  return { ...context, rules: [...context.rules, ...added] };
}
