// Judges a PowerShell line: plain commands by rules and by what they look at; whatever is not plain asks.
import { type PermissionRule } from '../../shared/permission';
import { brokenSettingsReason } from './broken-settings';
import { commandPattern } from './command-pattern';
import { isCriticalPath } from './critical-paths';
import { judgeFile, restrictFile } from './decide-file';
import { allow, ask, byRule, deny, type Judgement, planReason, strictest } from './judgement';
import { denyRuleWithPath } from './path-rules';
import { canonicalText, looseText, type ParsedPowerShell, parsePowerShell, type PowerShellCommand, roughPowerShell } from './power-shell-command';
import { movesPowerShell, plainPath, readingOf } from './power-shell-read-only';
import { canonicalToolName, isBare } from './rule-syntax';
import { selectRules } from './select-rules';
import { firstRule } from './first-rule';
import { type PermissionContext, type PermissionTarget } from './verdict';
import { absolutePath } from './workspace-path';

type CommandTarget = Extract<PermissionTarget, { kind: 'command' }>;

export function judgePowerShell({ command, cwd }: CommandTarget, context: PermissionContext, toolRule?: PermissionRule): Judgement {
  const parsed = parsePowerShell(command);
  const texts = spellings(command, parsed);
  const denied = matching('deny', command, texts, context);
  if (denied !== undefined) return byRule(denied);
  const judged = parsed.ok ? parsed.commands.map((one, index) => judgeOne(one, parsed.commands.slice(0, index), cwd, context)) : [];
  const forbidden = judged.find(({ restricted }) => restricted?.behavior === 'deny')?.restricted;
  if (forbidden !== undefined) return forbidden;
  const looksOnly = parsed.ok && judged.every(({ looks }) => looks);
  if (context.mode === 'plan' && !looksOnly) return deny('mode', planReason);
  const asked = matching('ask', command, texts, context);
  if (asked !== undefined) return byRule(asked);
  const removed = removesCritical(command, parsed, cwd, context);
  if (removed !== undefined) return ask('critical-path', `It would remove \`${removed}\`: Deft always asks before that.`);
  context.recorder?.passed(command);
  const restricted = strictest(judged.flatMap((one) => one.restricted ?? []));
  if (restricted !== undefined) return restricted;
  const broken = looksOnly ? undefined : brokenSettingsReason(context);
  if (broken !== undefined) return ask('rule', broken);
  if (context.mode === 'bypassPermissions') return allow('mode', 'The mode allows everything.');
  if (!parsed.ok) return ask('unparsed-command', `Deft cannot tell for certain what this command does: ${parsed.reason}.`);
  const exact = firstRule(powerShellRules('allow', context), 'allow', command, context.recorder, ({ value }) => patternOf(value.ruleContent ?? '').exact && matches(value.ruleContent ?? '', [canonicalText(command)]));
  if (exact !== undefined) return byRule(exact);
  if (toolRule !== undefined) return byRule(toolRule);
  for (const [index, { verdict }] of judged.entries()) context.recorder?.judged(parsed.commands[index]?.text ?? command, verdict);
  return strictest(judged.map(({ verdict }) => verdict)) ?? ask('unknown-command', 'It holds no command.');
}

/** The files that a line plainly names, so that a link among them cannot lead outside unseen. */
export function powerShellFiles(command: string, cwd: string, home: string): { access: 'read'; path: string }[] {
  const parsed = parsePowerShell(command);
  if (!parsed.ok) return [];
  return parsed.commands.flatMap((one, index) =>
    (readingOf(one, parsed.commands.slice(0, index))?.paths ?? []).flatMap((written) => {
      const path = plainPath(written, home);
      return path === undefined ? [] : [{ access: 'read' as const, path: absolutePath(path, cwd) }];
    }),
  );
}

export function isReadOnlyPowerShell(command: string): boolean {
  const parsed = parsePowerShell(command);
  return parsed.ok && parsed.commands.every((one, index) => readingOf(one, parsed.commands.slice(0, index)) !== undefined);
}

const wildcard = /[*?[\]]/;

interface JudgedCommand {
  looks: boolean;
  /** What no leave overrides. */
  restricted?: Judgement | undefined;
  verdict: Judgement;
}

function judgeOne(command: PowerShellCommand, before: readonly PowerShellCommand[], cwd: string, context: PermissionContext): JudgedCommand {
  const rule = firstRule(powerShellRules('allow', context), 'allow', command.text, context.recorder, ({ value }) => matches(value.ruleContent ?? '', [canonicalText(command.text)]));
  const reading = readingOf(command, before);
  if (reading === undefined) {
    return { looks: false, verdict: rule === undefined ? ask('unknown-command', `No rule matches \`${command.words[0]?.value ?? command.text}\`.`) : byRule(rule) };
  }
  if (reading.paths.length > 0 && before.some(movesPowerShell)) {
    return { looks: true, verdict: ask('outside-workspace', 'Deft cannot tell in which folder it runs.') };
  }
  const paths = reading.paths.map((written) => ({ written, path: plainPath(written, context.home) }));
  const unknown = paths.find(({ path }) => path === undefined);
  // Links stand beside the command, as targets of their own.
  const uses = paths.flatMap(({ path: found }) => {
    if (found === undefined) return [];
    const path = absolutePath(found, cwd);
    return [{ access: 'read' as const, path, realPath: path }];
  });
  const wide = reading.content && uses.some(({ path }) => wildcard.test(path)) ? denyRuleWithPath('read', context) : undefined;
  const restricted =
    strictest(uses.flatMap((use) => restrictFile(use, context) ?? [])) ??
    (wide === undefined ? undefined : { ...byRule(wide), behavior: 'ask' as const, reason: `\`${command.text}\` may reach files that a rule denies. ${byRule(wide).reason}` });
  const led = reading.content ? uses.find(({ path }) => wildcard.test(path)) : undefined;
  const outside =
    led !== undefined
      ? ask('outside-workspace', `What \`${led.path}\` stands for may lead outside the workspace by a link.`)
      : unknown === undefined
      ? uses.map((use) => judgeFile(use, context)).find(({ behavior }) => behavior !== 'allow')
      : ask('outside-workspace', `Deft cannot tell whether \`${unknown.written}\` lies in the workspace.`);
  return { looks: true, restricted, verdict: outside ?? allow('read-only', 'It only reads.') };
}

/** Also in lines that are not plain: there, any removal that goes into folders might be of a critical one. */
function removesCritical(line: string, parsed: ParsedPowerShell, cwd: string, context: PermissionContext): string | undefined {
  if (!parsed.ok) return roughPowerShell(line).find((piece) => /^remove-item .*-r/.test(looseText(piece)));
  for (const { name, words } of parsed.commands) {
    if (name !== 'remove-item') continue;
    const critical = words.slice(1).find(({ value, quoted }) => {
      if (!quoted && /^-[A-Za-z]+$/.test(value)) return false;
      const path = plainPath(value.replace(/^-[A-Za-z]+:/, '').replace(/[\\/]\*$/, ''), context.home);
      return path !== undefined && isCriticalPath(absolutePath(path === '' ? '/' : path, cwd), context);
    });
    if (critical !== undefined) return critical.value;
  }
  return undefined;
}

function spellings(line: string, parsed: ParsedPowerShell): string[] {
  const pieces = [line, ...roughPowerShell(line), ...(parsed.ok ? parsed.commands.flatMap(({ text, words }) => [text, words.map(({ value }) => value).join(' ')]) : [])];
  return [...new Set(pieces.flatMap((piece) => [canonicalText(piece), looseText(piece)]))];
}

function matching(behavior: 'deny' | 'ask', line: string, texts: readonly string[], context: PermissionContext): PermissionRule | undefined {
  return firstRule(powerShellRules(behavior, context), behavior, line, context.recorder, ({ value }) => matches(value.ruleContent ?? '', texts));
}

function matches(content: string, texts: readonly string[]): boolean {
  const pattern = patternOf(content);
  return texts.some((text) => pattern.matches(text));
}

/** Case does not count, and an alias is its cmdlet. */
function patternOf(content: string) {
  const [, first = '', rest = ''] = /^([^\s:*\\]+)(.*)$/s.exec(content.trim()) ?? [];
  return commandPattern(first === '' ? content.toLowerCase() : canonicalText(first) + rest.toLowerCase().replace(/\s+/g, ' '));
}

function powerShellRules(behavior: PermissionRule['behavior'], context: PermissionContext): readonly PermissionRule[] {
  return selectRules(
    context.rules,
    `${behavior} PowerShell commands`,
    ({ behavior: own, value }) => own === behavior && canonicalToolName(value.toolName) === 'PowerShell' && !isBare(value),
  );
}
