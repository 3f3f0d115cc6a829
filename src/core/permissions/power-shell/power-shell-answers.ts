// What is said about a PowerShell line: plain commands by rules and by what they look at; whatever is not plain asks.
import { type PermissionRule } from '../../../shared/permission';
import { exclusionOf as programExclusion } from '../bash/broad-rules';
import { judgeCode } from '../bash/decide-code';
import { type ShellRedirection, type SimpleCommand } from '../bash/simple-command';
import { isCriticalPath } from '../files/critical-paths';
import { fileAnswers, type FileUse, judgeFile } from '../files/file-answers';
import { commandPattern } from '../rules/command-pattern';
import { firstRule } from '../rules/first-rule';
import {
  allow,
  ask,
  beyondRule,
  byRule,
  denying,
  firstOf,
  type Judgment,
  mayBeRestricted,
  notPlain,
  strictest,
} from '../rules/judgment';
import { type Answers } from '../rules/ladder';
import { denyRuleWithPath, folderRule } from '../rules/path-rules';
import { canonicalToolName, formatRule, isBare, shortened } from '../rules/rule-syntax';
import { selectRules } from '../rules/select-rules';
import { type PermissionContext } from '../rules/verdict';
import { absolutePath, isInsideAny } from '../rules/workspace-path';
import {
  asShellWords,
  canonicalText,
  looseText,
  parsePowerShell,
  type PowerShellCommand,
  roughPowerShell,
} from './power-shell-command';
import { pathForRules, redirectedUses, usesOf } from './power-shell-files';
import { type HiddenLine, runsCode, runsUnread } from './power-shell-hidden';
import { type PowerShellLine } from './power-shell-line';
import {
  foldersOf,
  movesPowerShell,
  movesPowerShellTooOften,
  plainMove,
  restrictPowerShellMoves,
} from './power-shell-moves';
import { plainPath, readingOf } from './power-shell-read-only';

export function powerShellAnswers(line: PowerShellLine, cwd: string, context: PermissionContext): Answers {
  const { text, parsed, lines, complete } = line;
  const texts = lines.flatMap((one) => spellings(one.text, one.commands));
  const judged = parsed.ok
    ? parsed.commands.map((one, index) => judgeOne(one, parsed.commands.slice(0, index), cwd, context))
    : [];
  const files = [
    ...lines.flatMap((one) => filesOf(one, cwd, context)),
    ...judged.flatMap((one) => one.files.map((use) => fileAnswers(use, context))),
  ];
  const looks = parsed.ok && judged.every((one) => one.looks);
  const moves = (behavior: 'deny' | 'ask'): Judgment | undefined =>
    strictest(lines.flatMap((one) => restrictPowerShellMoves(behavior, one, cwd, context) ?? []));
  const restricted = (behavior: 'deny' | 'ask'): Judgment | undefined => {
    const rule = matching(behavior, text, texts, context);
    return rule && byRule(rule);
  };
  return {
    subject: text,
    looks,
    reads: looks,
    denied: () => restricted('deny') ?? denying(moves('deny')) ?? firstOf(files, (file) => file.denied()),
    asked: () => restricted('ask') ?? moves('deny') ?? moves('ask') ?? firstOf(files, (file) => file.asked()),
    critical: () =>
      firstOf(lines, (one) => removesCritical(one, cwd, context)) ??
      firstOf(files, (file) => file.critical?.()) ??
      firstOf(judged, (one) => one.mayReach) ??
      judgeCode(lines.flatMap(asProgram), () => [cwd], context) ??
      (complete && !lines.some((one) => movesPowerShellTooOften(one.commands, cwd, context.home))
        ? undefined
        : notPlain('it runs or enters too much')),
    unread: () => judgeUnread(line, context),
    protected: () => firstOf(files, (file) => file.protected?.()),
    unclear: () =>
      firstOf(lines, (one) => hidesNothing(one, context)) ?? (parsed.ok ? undefined : notPlain(parsed.reason)),
    allowed() {
      const rule = exactRule(text, context);
      return rule && byRule(rule);
    },
    rest() {
      for (const { command, verdict } of judged) context.recorder?.judged(command.text, verdict);
      const verdict = strictest(judged.map((one) => one.verdict)) ?? ask('unknown-command', 'It contains no command.');
      // Reading is what the verdict is named after only where all of it reads.
      return verdict.behavior === 'allow'
        ? (judged.find((one) => one.verdict.code === 'rule')?.verdict ?? verdict)
        : verdict;
    },
  };
}

/** A line whose commands only show themselves when it runs may be one that a rule denies or asks about. */
function judgeUnread({ text, parsed, lines }: PowerShellLine, context: PermissionContext): Judgment | undefined {
  const [rule] = [...powerShellRules('deny', context), ...powerShellRules('ask', context)];
  if (rule === undefined || (parsed.ok && !lines.some(runsUnread))) return undefined;
  // Word for word, the user has answered this question.
  return exactRule(text, context) === undefined ? mayBeRestricted(text, rule) : undefined;
}

/** The exact rule for the whole line: the user saw all of it. */
function exactRule(text: string, context: PermissionContext): PermissionRule | undefined {
  const isExact = ({ value: { ruleContent = '' } }: PermissionRule): boolean =>
    patternOf(ruleContent).exact && matches(ruleContent, [canonicalText(text)]);
  return firstRule(powerShellRules('allow', context), 'allow', text, context.recorder, isExact);
}

const wildcard = /[*?[\]]/;

interface JudgedCommand {
  command: PowerShellCommand;
  looks: boolean;
  /** What it reads, as far as that is sure. */
  files: FileUse[];
  /** It shows what is in files that it does not name, and some are denied. */
  mayReach?: Judgment | undefined;
  verdict: Judgment;
}

function judgeOne(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  cwd: string,
  context: PermissionContext,
): JudgedCommand {
  const reading = readingOf(command, before);
  // A rule for a command that reads is named in the trace, too.
  const rule = firstRule(powerShellRules('allow', context), 'allow', command.text, context.recorder, ({ value }) =>
    covers(value.ruleContent ?? '', command),
  );
  if (reading === undefined)
    return { command, looks: false, files: [], verdict: judgeActing(command, before, rule, cwd, context) };
  if (reading.paths.length > 0 && before.some(movesPowerShell))
    return {
      command,
      looks: true,
      files: [],
      verdict: ask('outside-workspace', 'Deft cannot tell in which folder it runs.'),
    };
  const paths = reading.paths.map((written) => ({ written, path: plainPath(written, context.home) }));
  // The caller resolves links: they are targets of their own, next to the command.
  const files = paths.flatMap(({ path: found }): FileUse[] => {
    if (found === undefined) return [];
    const path = absolutePath(found, cwd);
    return [{ access: 'read', path, realPath: path }];
  });
  const led = reading.content ? files.find(({ path }) => wildcard.test(path)) : undefined;
  const denial = led === undefined ? undefined : denyRuleWithPath('read', context);
  const unknown = paths.find(({ path }) => path === undefined);
  const outside =
    led !== undefined
      ? ask('outside-workspace', `\`${led.path}\` may match a link that points outside the workspace.`)
      : unknown === undefined
        ? files.map((use) => judgeFile(use, context)).find(({ behavior }) => behavior !== 'allow')
        : ask('outside-workspace', `Deft cannot tell whether \`${unknown.written}\` is in the workspace.`);
  return {
    command,
    looks: true,
    files,
    mayReach: denial && mayReach(command.text, denial),
    verdict: outside ?? allow('read-only', 'It only reads.'),
  };
}

/** One that may do more than look: `rule` covers it, where there is such a rule. */
function judgeActing(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  rule: PermissionRule | undefined,
  cwd: string,
  context: PermissionContext,
): Judgment {
  const moved = allowedPlainMove(command, before, cwd, context);
  if (moved !== undefined) return byRule(moved);
  if (rule === undefined) return ask('unknown-command', uncoveredReason(command, context));
  const isExact = patternOf(rule.value.ruleContent ?? '').exact;
  const outside = isExact ? undefined : outsideQuestion(command, before, cwd, context);
  return outside === undefined ? byRule(rule) : beyondRule(outside, rule);
}

function uncoveredReason(command: PowerShellCommand, context: PermissionContext): string {
  for (const rule of powerShellRules('allow', context)) {
    const content = rule.value.ruleContent ?? '';
    if (matches(content, [canonicalText(command.text)]))
      return `The rule \`${formatRule(rule.value)}\` does not cover \`${shortened(command.text)}\`: ${exclusionOf(content, command) ?? ''}.`;
  }
  return `No rule matches \`${command.words[0]?.value ?? command.text}\`.`;
}

/** Why an allow rule whose text matches the command does not cover it, as a clause. */
export function powerShellMiss(content: string, text: string): string | undefined {
  const parsed = parsePowerShell(text);
  const [command, ...others] = parsed.ok ? parsed.commands : [];
  return command !== undefined && others.length === 0 && matches(content, [canonicalText(command.text)])
    ? exclusionOf(content, command)
    : undefined;
}

/** The files that a line may read and write, from every folder it may be in. */
function filesOf({ text, parsed, commands }: HiddenLine, cwd: string, context: PermissionContext): Answers[] {
  const folders = foldersOf(commands, cwd, context.home);
  const uses = [
    ...commands.flatMap((command) => usesOf(command)?.uses ?? []),
    ...(parsed.ok ? [] : redirectedUses(text)),
  ];
  return uses.flatMap(({ access, written }) =>
    folders.map((folder) => {
      const path = pathForRules(written, folder, context.home);
      return fileAnswers({ access, path, realPath: path }, context);
    }),
  );
}

/** `Remove-Item -Recurse` and `Copy-Item *` reach files that they do not name. */
function hidesNothing({ text, commands }: HiddenLine, context: PermissionContext): Judgment | undefined {
  const wide = commands
    .map((command) => ({ command, found: usesOf(command) }))
    .find(({ found }) => found?.wide === true);
  const writes = wide?.found?.uses.some(({ access }) => access === 'write') === true;
  const rule = wide && denyRuleWithPath(writes ? 'write' : 'read', context);
  return rule && mayReach(wide?.command.text ?? text, rule);
}

function mayReach(text: string, rule: PermissionRule): Judgment {
  return {
    ...byRule(rule),
    behavior: 'ask',
    reason: `\`${text}\` may reach files that a rule denies. ${byRule(rule).reason}`,
  };
}

/** The question raised by a file outside the workspace, or one that cannot be determined, for a rule that names no paths. */
function outsideQuestion(
  command: PowerShellCommand,
  before: readonly PowerShellCommand[],
  cwd: string,
  context: PermissionContext,
): Judgment | undefined {
  const moving = movesPowerShell(command);
  const uses = usesOf(command)?.uses ?? [];
  if ((moving || uses.length > 0) && before.some(movesPowerShell))
    return ask('outside-workspace', 'Deft cannot tell in which folder it runs.');
  if (moving) {
    const folder = plainMove(command, before, cwd, context.home);
    if (folder === undefined) return ask('outside-workspace', 'Deft cannot tell in which folder it runs.');
    return isInsideAny(folder, context.folders, context.ignoreCase)
      ? undefined
      : ask('outside-workspace', `\`${folder}\` is outside the workspace.`);
  }
  for (const { access, written } of uses) {
    const path = plainPath(written, context.home);
    if (path === undefined || wildcard.test(path))
      return ask('outside-workspace', `Deft cannot tell whether \`${written}\` is in the workspace.`);
    const use = { access, path: absolutePath(path, cwd), realPath: absolutePath(path, cwd) };
    const judgment = judgeFile(use, context);
    if (judgment.behavior !== 'allow' && judgment.code !== 'mode') return judgment;
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
function removesCritical(line: HiddenLine, cwd: string, context: PermissionContext): Judgment | undefined {
  const removed = line.parsed.ok
    ? firstOf(line.commands, (command) => criticalArgument(command, cwd, context))
    : roughPowerShell(line.text).find((piece) => /^remove-item .*-r/.test(looseText(piece)));
  return removed === undefined
    ? undefined
    : ask('critical-path', `It would remove \`${removed}\`: Deft always asks before that.`);
}

function criticalArgument(
  { name, words }: PowerShellCommand,
  cwd: string,
  context: PermissionContext,
): string | undefined {
  if (name !== 'remove-item') return undefined;
  return words.slice(1).find(({ value, quoted }) => {
    if (!quoted && /^-[A-Za-z]+$/.test(value)) return false;
    const path = plainPath(value.replace(/^-[A-Za-z]+:/, '').replace(/[\\/]\*$/, ''), context.home);
    return path !== undefined && isCriticalPath(absolutePath(path === '' ? '/' : path, cwd), context);
  })?.value;
}

function spellings(line: string, commands: readonly PowerShellCommand[]): string[] {
  const pieces = [
    line,
    ...roughPowerShell(line),
    ...commands.flatMap(({ text, words }) => [text, words.map(({ value }) => value).join(' ')]),
  ];
  return [...new Set(pieces.flatMap((piece) => [canonicalText(piece), looseText(piece)]))];
}

function covers(content: string, command: PowerShellCommand): boolean {
  return matches(content, [canonicalText(command.text)]) && exclusionOf(content, command) === undefined;
}

/** Why a rule whose text matches does not cover the command, as a clause. */
function exclusionOf(content: string, command: PowerShellCommand): string | undefined {
  const pattern = patternOf(content);
  if (runsCode(command) && !pattern.exact && pattern.fixedWords.length < 2)
    return `\`${command.words[0]?.value ?? command.name}\` can run any code, so the rule must name more than that`;
  return programExclusion(pattern, asProgram({ commands: [command] })[0] ?? emptyCommand);
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
