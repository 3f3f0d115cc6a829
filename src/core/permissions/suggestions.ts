// What "Always allow" may offer: only what would really answer the question, said in full.
import { dirname } from 'pathe';
import { type PermissionRuleValue, type PermissionSuggestion, type PermissionUpdate } from '../../shared/permission';
import { applyUpdate } from './rules/apply-update';
import { formatRule } from './rules/rule-syntax';
import { readsOnly } from './bash/shell-read-only';
import { type PermissionCall, type PermissionContext } from './rules/verdict';
import { escapeCommand } from './rules/command-pattern';
import { hostOf } from './rules/domain-rules';
import { type Judgment } from './rules/judgment';
import { exactPathContent } from './rules/path-rules';
import { isCriticalPath } from './files/critical-paths';
import { prefixRuleFor } from './bash/prefix-suggestion';
import { type CommandLine, type CommandLines } from './command-lines';

/** A suggestion after which the same call would still ask is left out. */
export function suggestionsFor(
  call: PermissionCall,
  context: PermissionContext,
  judgment: Judgment,
  { lines, allowedIn }: { lines: CommandLines; allowedIn: (context: PermissionContext) => boolean },
): PermissionSuggestion[] {
  if (hopeless.has(judgment.code)) return [];
  const answers = ({ updates }: PermissionSuggestion): boolean => allowedIn(updates.reduce(withUpdate, context));
  return candidates(call, lines, context).flatMap((alternatives) => alternatives.filter(mayOffer).find(answers) ?? []);

  function mayOffer({ updates }: PermissionSuggestion): boolean {
    return context.managedRulesOnly !== true || updates.every(({ type }) => type !== 'addRules');
  }
}

const hopeless = new Set<Judgment['code']>([
  'protected-path',
  'critical-path',
  'unparsed-command',
  'rule',
  'untrusted',
]);

/** Longer commands cannot be shown whole on a button. */
const maxShown = 160;
const maxRules = 5;

/** The first candidate of each list that answers the question is offered. */
function candidates(call: PermissionCall, lines: CommandLines, context: PermissionContext): PermissionSuggestion[][] {
  const [target] = call.targets;
  if (target === undefined) {
    const rule = [{ toolName: call.tool }];
    return call.tool.startsWith('mcp__') ? bothPlaces(call.tool, rule, context) : [[inSession(call.tool, rule)]];
  }
  if (target.kind === 'command')
    return commandCandidates(call.tool, target.command, lines.get(target.command), context);
  if (target.kind === 'url') {
    const host = hostOf(target.url);
    return host === undefined
      ? []
      : bothPlaces(`${call.tool} for \`${host}\``, [{ toolName: call.tool, ruleContent: `domain:${host}` }], context);
  }
  return fileCandidates(target, context).map((suggestion) => [suggestion]);
}

function commandCandidates(
  tool: string,
  command: string,
  line: CommandLine | undefined,
  context: PermissionContext,
): PermissionSuggestion[][] {
  const text = command.trim();
  if (text.length > maxShown || text.includes('\n')) return [];
  const rule = (ruleContent: string): PermissionRuleValue => ({ toolName: tool, ruleContent });
  const exact = [rule(escapeCommand(text))];
  const parsed = line?.shell === 'Bash' ? line.parsed : undefined;
  if (parsed?.ok !== true) return bothPlaces(`\`${text}\``, exact, context);
  // A command's own text leaves out where its output goes: then only the whole line says all.
  const plain = parsed.commands.every(({ redirections }) => redirections.length === 0);
  const pieces = plain ? unique(parsed.commands.filter((one) => !readsOnly(one)).map((one) => one.text)) : [];
  const prefixes = unique(parsed.commands.flatMap((one) => prefixRuleFor(one) ?? []));
  const starting = `every command that starts with ${quoted(prefixes)}`;
  const startRules = prefixes.map((one) => rule(`${one}:*`));
  const isOffered = prefixes.length > 0 && prefixes.length <= maxRules;
  return [
    // What outlives the session is a rule for each command, so that it holds for the next line too that consists of them.
    [
      ...(pieces.length > 0 && pieces.length <= maxRules
        ? inProject(
            quoted(pieces),
            pieces.map((one) => rule(escapeCommand(one))),
            context,
          )
        : []),
      ...inProject(`\`${text}\``, exact, context),
    ],
    isOffered ? inProject(starting, startRules, context) : [],
    [inSession(`\`${text}\``, exact)],
    isOffered ? [inSession(starting, startRules)] : [],
  ];
}

function fileCandidates(
  target: { access: 'read' | 'write'; path: string; realPath: string },
  context: PermissionContext,
): PermissionSuggestion[] {
  if (target.access === 'write') {
    return [
      {
        label: 'Always allow edits in this session',
        updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
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

function exactFile(
  { path, realPath }: { path: string; realPath: string },
  tool: string,
  verb: string,
): PermissionSuggestion[] {
  const paths = [...new Set([path, realPath])];
  return [
    inSession(
      `${verb} ${quoted(paths)}`,
      paths.map((one) => ({ toolName: tool, ruleContent: exactPathContent(one) })),
    ),
  ];
}

function bothPlaces(what: string, values: PermissionRuleValue[], context: PermissionContext): PermissionSuggestion[][] {
  return [inProject(what, values, context), [inSession(what, values)]];
}

/** Empty if there is no file to save to. */
function inProject(
  what: string,
  values: PermissionRuleValue[],
  { savesTo }: PermissionContext,
): PermissionSuggestion[] {
  if (savesTo === undefined) return [];
  const updates: PermissionUpdate[] = [
    { type: 'addRules', behavior: 'allow', rules: values, destination: 'localSettings' },
  ];
  return [
    { label: `Always allow ${what} in this project`, updates, saves: { rules: values.map(formatRule), file: savesTo } },
  ];
}

function inSession(what: string, values: PermissionRuleValue[]): PermissionSuggestion {
  return {
    label: `Always allow ${what} in this session`,
    updates: [{ type: 'addRules', behavior: 'allow', rules: values, destination: 'session' }],
  };
}

function quoted(texts: readonly string[]): string {
  return texts.map((one) => `\`${one}\``).join(' and ');
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function withUpdate(context: PermissionContext, update: PermissionUpdate): PermissionContext {
  const { mode, rules, directories } = applyUpdate(
    { mode: context.mode, rules: context.rules, directories: context.folders },
    update,
    context.folders[0] ?? '/',
  );
  return { ...context, mode, rules, folders: [...directories] };
}
