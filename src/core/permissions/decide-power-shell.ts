// Judges a PowerShell line: plain commands by rules and by what they look at; whatever is not plain asks.
import { type PermissionRule } from '../../shared/permission';
import { brokenSettingsReason } from './broken-settings';
import { commandPattern } from './rules/command-pattern';
import { isCriticalPath } from './files/critical-paths';
import { judgeCode } from './bash/decide-code';
import { judgeFile, restrictFile } from './decide-file';
import { allow, ask, byRule, deny, type Judgement, planReason, strictest } from './judgement';
import { isCoveredBy } from './bash/broad-rules';
import { denyRuleWithPath, folderRule } from './rules/path-rules';
import {
  asShellWords,
  canonicalText,
  looseText,
  type ParsedPowerShell,
  parsePowerShell,
  type PowerShellCommand,
  roughPowerShell,
} from './power-shell/power-shell-command';
import { pathForRules, redirectedUses, usesOf } from './power-shell/power-shell-files';
import { type HiddenLine, isEncoded, runsCode, withHiddenLines } from './power-shell/power-shell-hidden';
import {
  foldersOf,
  movesPowerShell,
  movesPowerShellTooOften,
  plainMove,
  restrictPowerShellMoves,
} from './power-shell/power-shell-moves';
import { plainPath, readingOf } from './power-shell/power-shell-read-only';
import { canonicalToolName, isBare } from './rules/rule-syntax';
import { selectRules } from './rules/select-rules';
import { firstRule } from './rules/first-rule';
import { type ShellRedirection, type SimpleCommand } from './bash/simple-command';
import { type PermissionContext, type PermissionTarget } from './rules/verdict';
import { absolutePath, isInsideAny } from './rules/workspace-path';

type CommandTarget = Extract<PermissionTarget, { kind: 'command' }>;

export function judgePowerShell(
  { command, cwd }: CommandTarget,
  context: PermissionContext,
  toolRule?: PermissionRule,
): Judgement {
  const { lines, complete } = withHiddenLines(command);
  const parsed = readLine(command);
  const texts = lines.flatMap((line) => spellings(line.text, line.commands));
  const denied = matching('deny', command, texts, context);
  if (denied !== undefined) return byRule(denied);
  const judged = parsed.ok
    ? parsed.commands.map((one, index) => judgeOne(one, parsed.commands.slice(0, index), cwd, context))
    : [];
  const moves = lines
    .map((line) => restrictPowerShellMoves('deny', line, cwd, context))
    .filter((move) => move !== undefined);
  const files = lines.flatMap((line) => restrictFiles(line, cwd, context));
  const forbidden = [...moves, ...files, ...judged.map(({ restricted }) => restricted)].find(
    (one) => one?.behavior === 'deny' && one.code === 'rule',
  );
  if (forbidden !== undefined) return forbidden;
  const looksOnly = parsed.ok && judged.every(({ looks }) => looks);
  if (context.mode === 'plan' && !looksOnly) return deny('mode', planReason);
  const asked = matching('ask', command, texts, context);
  if (asked !== undefined) return byRule(asked);
  const [askedMove] = [...moves, ...lines.flatMap((line) => restrictPowerShellMoves('ask', line, cwd, context) ?? [])];
  if (askedMove !== undefined) return askedMove;
  const removed = lines.map((line) => removesCritical(line, cwd, context)).find((path) => path !== undefined);
  if (removed !== undefined)
    return ask('critical-path', `It would remove \`${removed}\`: Deft always asks before that.`);
  const coded = judgeCode(lines.flatMap(asProgram), () => [cwd], context);
  if (coded !== undefined) return coded;
  if (!complete || lines.some((line) => movesPowerShellTooOften(line.commands, cwd, context.home))) {
    return ask('unparsed-command', 'Deft cannot tell for certain what this command does: it runs or enters too much.');
  }
  context.recorder?.passed(command);
  const restricted = strictest([...files, ...judged.flatMap((one) => one.restricted ?? [])]);
  if (restricted !== undefined) return restricted;
  const broken = looksOnly ? undefined : brokenSettingsReason(context);
  if (broken !== undefined) return ask('rule', broken);
  if (context.mode === 'bypassPermissions') return allow('mode', 'The mode allows everything.');
  if (!parsed.ok)
    return ask('unparsed-command', `Deft cannot tell for certain what this command does: ${parsed.reason}.`);
  const exact = firstRule(
    powerShellRules('allow', context),
    'allow',
    command,
    context.recorder,
    ({ value }) =>
      patternOf(value.ruleContent ?? '').exact && matches(value.ruleContent ?? '', [canonicalText(command)]),
  );
  if (exact !== undefined) return byRule(exact);
  if (toolRule !== undefined) return byRule(toolRule);
  for (const [index, { verdict }] of judged.entries())
    context.recorder?.judged(parsed.commands[index]?.text ?? command, verdict);
  const verdict = strictest(judged.map((one) => one.verdict)) ?? ask('unknown-command', 'It holds no command.');
  // Reading is what the verdict is named after only where all of it reads.
  return verdict.behavior === 'allow'
    ? (judged.find((one) => one.verdict.code === 'rule')?.verdict ?? verdict)
    : verdict;
}

function readLine(command: string): ParsedPowerShell {
  const parsed = parsePowerShell(command);
  return parsed.ok && parsed.commands.some(isEncoded) ? { ok: false, reason: 'what it runs is encoded' } : parsed;
}

/** The files that a line plainly names, so that a link among them cannot lead outside unseen. */
export function powerShellFiles(
  command: string,
  cwd: string,
  home: string,
): { access: 'read' | 'write'; path: string }[] {
  const parsed = parsePowerShell(command);
  if (!parsed.ok) return [];
  const found = parsed.commands.flatMap((one, index) => {
    const reading = readingOf(one, parsed.commands.slice(0, index));
    const uses =
      reading === undefined
        ? (usesOf(one)?.uses ?? [])
        : reading.paths.map((written) => ({ access: 'read' as const, written }));
    return uses.flatMap(({ access, written }) => {
      const path = plainPath(written, home);
      return path === undefined ? [] : [{ access, path: absolutePath(path, cwd) }];
    });
  });
  return [...new Map(found.map((use) => [`${use.access} ${use.path}`, use])).values()];
}

export function isReadOnlyPowerShell(command: string): boolean {
  const parsed = parsePowerShell(command);
  return (
    parsed.ok && parsed.commands.every((one, index) => readingOf(one, parsed.commands.slice(0, index)) !== undefined)
  );
}

const wildcard = /[*?[\]]/;

interface JudgedCommand {
  looks: boolean;
  /** What no leave overrides. */
  restricted?: Judgement | undefined;
  verdict: Judgement;
}

function judgeOne(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  cwd: string,
  context: PermissionContext,
): JudgedCommand {
  const rule = firstRule(powerShellRules('allow', context), 'allow', command.text, context.recorder, ({ value }) =>
    covers(value.ruleContent ?? '', command),
  );
  const reading = readingOf(command, before);
  if (reading === undefined) {
    const moved = allowedPlainMove(command, before, cwd, context);
    if (moved !== undefined) return { looks: false, verdict: byRule(moved) };
    if (rule === undefined)
      return {
        looks: false,
        verdict: ask('unknown-command', `No rule matches \`${command.words[0]?.value ?? command.text}\`.`),
      };
    const outside = patternOf(rule.value.ruleContent ?? '').exact
      ? undefined
      : outsideQuestion(command, before, cwd, context);
    return { looks: false, verdict: outside ?? byRule(rule) };
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
  const wide =
    reading.content && uses.some(({ path }) => wildcard.test(path)) ? denyRuleWithPath('read', context) : undefined;
  const restricted =
    strictest(uses.flatMap((use) => restrictFile(use, context) ?? [])) ??
    (wide === undefined ? undefined : mayReach(command.text, wide));
  const led = reading.content ? uses.find(({ path }) => wildcard.test(path)) : undefined;
  const outside =
    led !== undefined
      ? ask('outside-workspace', `What \`${led.path}\` stands for may lead outside the workspace by a link.`)
      : unknown === undefined
        ? uses.map((use) => judgeFile(use, context)).find(({ behavior }) => behavior !== 'allow')
        : ask('outside-workspace', `Deft cannot tell whether \`${unknown.written}\` lies in the workspace.`);
  return { looks: true, restricted, verdict: outside ?? allow('read-only', 'It only reads.') };
}

/** What deny and ask rules and protected paths say of the files that a line may read and write, from every folder it may be in. */
function restrictFiles({ text, parsed, commands }: HiddenLine, cwd: string, context: PermissionContext): Judgement[] {
  const folders = foldersOf(commands, cwd, context.home);
  const named = commands.map((command) => ({ command, found: usesOf(command) }));
  const uses = [...named.flatMap(({ found }) => found?.uses ?? []), ...(parsed.ok ? [] : redirectedUses(text))];
  const judged = uses.flatMap(({ access, written }) =>
    folders.flatMap((folder) => {
      const path = pathForRules(written, folder, context.home);
      return restrictFile({ access, path, realPath: path }, context) ?? [];
    }),
  );
  // `Remove-Item -Recurse` and `Copy-Item *` reach files that they do not name.
  const wide = named.find(({ found }) => found?.wide === true);
  const hidden =
    context.mode === 'bypassPermissions' || wide === undefined
      ? undefined
      : denyRuleWithPath(
          wide.found?.uses.some(({ access }) => access === 'write') === true ? 'write' : 'read',
          context,
        );
  return hidden === undefined ? judged : [...judged, mayReach(wide?.command.text ?? text, hidden)];
}

function mayReach(text: string, rule: PermissionRule): Judgement {
  return {
    ...byRule(rule),
    behavior: 'ask',
    reason: `\`${text}\` may reach files that a rule denies. ${byRule(rule).reason}`,
  };
}

/** The question that a file outside the workspace, or one that nobody can tell, raises for a rule that names no paths. */
function outsideQuestion(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  cwd: string,
  context: PermissionContext,
): Judgement | undefined {
  const moving = movesPowerShell(command);
  const uses = usesOf(command)?.uses ?? [];
  if ((moving || uses.length > 0) && before.some(movesPowerShell))
    return ask('outside-workspace', 'Deft cannot tell in which folder it runs.');
  if (moving) {
    const folder = plainMove(command, before, cwd, context.home);
    if (folder === undefined) return ask('outside-workspace', 'Deft cannot tell in which folder it runs.');
    return isInsideAny(folder, context.folders, context.ignoreCase)
      ? undefined
      : ask('outside-workspace', `\`${folder}\` lies outside the workspace.`);
  }
  for (const { access, written } of uses) {
    const path = plainPath(written, context.home);
    if (path === undefined || wildcard.test(path))
      return ask('outside-workspace', `Deft cannot tell whether \`${written}\` lies in the workspace.`);
    const use = { access, path: absolutePath(path, cwd), realPath: absolutePath(path, cwd) };
    const judgement = judgeFile(use, context);
    if (judgement.behavior !== 'allow' && judgement.code !== 'mode') return judgement;
  }
  return undefined;
}

function allowedPlainMove(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  cwd: string,
  context: PermissionContext,
): PermissionRule | undefined {
  const folder = movesPowerShell(command) ? plainMove(command, before, cwd, context.home) : undefined;
  return folder === undefined ? undefined : folderRule('allow', folder, context);
}

/** Also in lines that are not plain: there, any removal that goes into folders might be of a critical one. */
function removesCritical(
  { text: line, parsed, commands }: HiddenLine,
  cwd: string,
  context: PermissionContext,
): string | undefined {
  if (!parsed.ok) return roughPowerShell(line).find((piece) => /^remove-item .*-r/.test(looseText(piece)));
  for (const { name, words } of commands) {
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

function spellings(line: string, commands: readonly PowerShellCommand[]): string[] {
  const pieces = [
    line,
    ...roughPowerShell(line),
    ...commands.flatMap(({ text, words }) => [text, words.map(({ value }) => value).join(' ')]),
  ];
  return [...new Set(pieces.flatMap((piece) => [canonicalText(piece), looseText(piece)]))];
}

/** A rule gives leave for a command that fits, but one for its first word alone none for code, other programs and lost work. */
function covers(content: string, command: PowerShellCommand): boolean {
  if (!matches(content, [canonicalText(command.text)])) return false;
  const pattern = patternOf(content);
  if (runsCode(command) && !pattern.exact && pattern.fixedWords.length < 2) return false;
  return isCoveredBy(pattern, asProgram({ commands: [command] })[0] ?? emptyCommand);
}

/** As commands of Bash, for what both shells have in common: programs. */
function asProgram({ commands }: Pick<HiddenLine, 'commands'>): SimpleCommand[] {
  return commands.map((command) => {
    const program = command.name.replace(/^.*[\\/]/, '').replace(/\.exe$/, '');
    return {
      ...emptyCommand,
      text: command.text,
      words: asShellWords(command, program),
      redirections: command.piped ? [pipe] : [],
    };
  });
}

const emptyCommand: SimpleCommand = { text: '', assignments: [], words: [], redirections: [], moves: [] };
const pipe: ShellRedirection = { kind: 'text', text: '' };

function matching(
  behavior: 'deny' | 'ask',
  line: string,
  texts: readonly string[],
  context: PermissionContext,
): PermissionRule | undefined {
  return firstRule(powerShellRules(behavior, context), behavior, line, context.recorder, ({ value }) =>
    matches(value.ruleContent ?? '', texts),
  );
}

function matches(content: string, texts: readonly string[]): boolean {
  const pattern = patternOf(content);
  return texts.some((text) => pattern.matches(text));
}

/** Case does not count, and an alias is its cmdlet. */
function patternOf(content: string) {
  const [, first = '', rest = ''] = /^([^\s:*\\]+)(.*)$/s.exec(content.trim()) ?? [];
  return commandPattern(
    first === '' ? content.toLowerCase() : canonicalText(first) + rest.toLowerCase().replace(/\s+/g, ' '),
  );
}

function powerShellRules(behavior: PermissionRule['behavior'], context: PermissionContext): readonly PermissionRule[] {
  return selectRules(
    context.rules,
    `${behavior} PowerShell commands`,
    ({ behavior: own, value }) =>
      own === behavior && canonicalToolName(value.toolName) === 'PowerShell' && !isBare(value),
  );
}
