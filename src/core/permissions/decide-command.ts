// Judges a Bash command line: every command in it must be free, one that is forbidden is enough to refuse all.
import { type PermissionRule } from '../../shared/permission';
import { type PermissionContext, type PermissionTarget } from './rules/verdict';
import { allow, ask, byRule, deny, type Judgement, planReason, strictest } from './judgement';
import { brokenSettingsReason } from './broken-settings';
import { allowingCommandRule, exactRule, restrictingCommandRule } from './bash/command-rules';
import { foldersOf, measured, movesTooOften, readByName, redirectedFiles, touchedFiles } from './bash/command-scope';
import { criticalRemoval } from './bash/critical-removal';
import { judgeCode, judgeUnknownCode, shortened } from './bash/decide-code';
import { judgeFile, permitFile, processReason, restrictFile } from './decide-file';
import { allowedMove, restrictMoves } from './bash/decide-folder';
import { denialOfUnread } from './bash/unread-command';
import { isEditCommand, mayPlaceLinks } from './bash/edit-commands';
import { denyRuleWithPath } from './rules/path-rules';
import { isProcessFolder, namesProcessMemory } from './files/protected-paths';
import { formatRule } from './rules/rule-syntax';
import { onlyReads, readsOnly } from './bash/shell-read-only';
import { parseShell, type ParsedShell } from './bash/shell-command';
import { areSafeAssignments, unwrap, withHiddenCommands } from './shell-wrappers';
import { commandName, movesFolder, type SimpleCommand } from './bash/simple-command';
import { isInside, isInsideAny } from './rules/workspace-path';

type CommandTarget = Extract<PermissionTarget, { kind: 'command' }>;

/** `toolRule` allows the whole tool, where there is such a rule; in the sandbox a command may be one that no rule knows. */
export function judgeCommand(
  target: CommandTarget,
  context: PermissionContext,
  toolRule?: PermissionRule,
  sandboxed = false,
): Judgement {
  const own = judgeLine(target, context, toolRule, sandboxed);
  const meant = (target.means ?? []).map(({ name, text }): Judgement => {
    const judgement = judgeLine({ kind: 'command', command: text, cwd: target.cwd }, context, toolRule, sandboxed);
    return {
      ...judgement,
      reason: `With \`${name}\` of your start-up files it is \`${shortened(text)}\`. ${judgement.reason}`,
    };
  });
  const unclear = target.unclear === undefined ? [] : [notPlain(target.unclear)];
  return strictest([own, ...meant, ...unclear]) ?? own;
}

function judgeLine(
  target: CommandTarget,
  context: PermissionContext,
  toolRule: PermissionRule | undefined,
  sandboxed: boolean,
): Judgement {
  const { parsed, everything } = readLine(target, context);
  return (
    restrictCommand(target, parsed, everything, context) ??
    permitCommand(target, parsed, everything, context, toolRule, sandboxed)
  );
}

function readLine(
  target: CommandTarget,
  { home }: PermissionContext,
): { parsed: ParsedShell; everything: SimpleCommand[] } {
  const parsed = parseShell(target.command);
  const { commands: everything, complete } = withHiddenCommands(parsed.commands);
  const often = everything.some((command) => movesTooOften(command, target.cwd, home));
  const much = measured(everything, target.cwd, home).length < everything.length;
  if (complete && !often && !much) return { parsed, everything };
  const reason = !complete
    ? 'it runs many commands inside others'
    : often
      ? 'it changes the folder very often'
      : 'it names very many files';
  return { parsed: { ok: false, reason, broken: true, commands: parsed.commands }, everything };
}

/** What no leave overrides, in order: deny rules, plan mode, ask rules, critical and protected paths. */
function restrictCommand(
  target: CommandTarget,
  parsed: ParsedShell,
  all: readonly SimpleCommand[],
  context: PermissionContext,
): Judgement | undefined {
  const denied = restrictingCommandRule('deny', target.command, all, context);
  if (denied !== undefined) return byRule(denied);
  const everything = measured(all, target.cwd, context.home);
  const move = restrictMoves('deny', everything, target.cwd, context);
  if (move?.behavior === 'deny') return move;
  const files = everything.flatMap((command) => [
    ...touchedFiles(command, target.cwd, context.home).files,
    ...redirectedFiles(command, target.cwd, context.home).files,
    ...readByName(command, target.cwd, context.home),
  ]);
  const judged = files.map((use) => restrictFile(use, context)).filter((judgement) => judgement !== undefined);
  const deniedFile = judged.find(({ behavior, code }) => behavior === 'deny' && code === 'rule');
  if (deniedFile !== undefined) return deniedFile;

  const looksOnly = parsed.ok && parsed.commands.every(onlyReads);
  if (context.mode === 'plan' && !looksOnly) return deny('mode', planReason);
  const asked = restrictingCommandRule('ask', target.command, all, context);
  if (asked !== undefined) return byRule(asked);
  const askedMove = move ?? restrictMoves('ask', everything, target.cwd, context);
  if (askedMove !== undefined) return askedMove;
  for (const command of everything) {
    const critical = criticalRemoval(command, foldersOf(command, target.cwd, context.home) ?? [], context);
    if (critical !== undefined)
      return ask('critical-path', `It would remove \`${critical}\`: Deft always asks before that.`);
  }
  if (
    namesProcessMemory(target.command) ||
    everything.some((command) => reachesProcessMemory(command, target.cwd, context))
  )
    return ask('protected-path', processReason(shortened(target.command)));
  const coded = judgeCode(
    everything,
    (command) => foldersOf(command, target.cwd, context.home) ?? [target.cwd],
    context,
  );
  if (coded !== undefined) return coded;
  if (!parsed.ok && (parsed.broken || context.mode !== 'bypassPermissions')) return notPlain(parsed.reason);
  context.recorder?.passed(target.command);
  const restricted = strictest(judged);
  if (restricted !== undefined) return restricted;
  const broken = looksOnly ? undefined : brokenSettingsReason(context);
  return broken === undefined ? undefined : ask('rule', broken);
}

/** Reads everything from the root on, or is an unknown program that is given a folder of processes. */
function reachesProcessMemory(command: SimpleCommand, cwd: string, context: PermissionContext): boolean {
  const touched = touchedFiles(command, cwd, context.home);
  if (!touched.recognised)
    return !readsOnly(command) && command.words.slice(1).some(({ value }) => isProcessFolder(value));
  return touched.content && touched.wide && touched.files.some(({ access, path }) => access === 'read' && path === '/');
}

function permitCommand(
  target: CommandTarget,
  parsed: ParsedShell,
  everything: readonly SimpleCommand[],
  context: PermissionContext,
  toolRule: PermissionRule | undefined,
  sandboxed: boolean,
): Judgement {
  const unread = judgeUnread(parsed, context);
  if (context.mode === 'bypassPermissions') return unread ?? allow('mode', 'The mode allows everything.');
  if (!parsed.ok) return notPlain(parsed.reason);
  const hiding = hidesNothing(parsed.commands, target.cwd, context) ?? judgeUnknownCode(everything, context);
  if (hiding !== undefined) return hiding;
  const exact = exactRule(target.command, context);
  if (exact !== undefined) return byRule(exact);
  if (unread !== undefined) return unread;
  if (toolRule !== undefined) return byRule(toolRule);
  // Links that one command puts somewhere lead the next out of the workspace: such a line has no leave by the mode.
  const linking =
    context.mode === 'acceptEdits' &&
    parsed.commands.length > 1 &&
    parsed.commands.some(({ words }) => mayPlaceLinks(unwrap(words).words));
  const judgedBy: PermissionContext = linking ? { ...context, mode: 'default' } : context;
  const judged = (target.doubts ?? []).map((doubt) => ask('outside-workspace', doubt));
  for (const command of parsed.commands) {
    const found = [
      ...judgeRedirections(command, target.cwd, judgedBy),
      inSandbox(judgeOne(command, target.cwd, judgedBy), sandboxed),
    ];
    for (const judgement of found) context.recorder?.judged(command.text, judgement);
    judged.push(...found);
  }
  const verdict = strictest(judged) ?? notPlain('it holds no command');
  // Reading is what the verdict is named after only where all of it reads.
  return verdict.behavior === 'allow'
    ? (judged.find(({ code }) => code === 'sandboxed') ??
        judged.find(({ code }) => code === 'rule' || code === 'mode') ??
        judged.at(-1) ??
        verdict)
    : verdict;
}

/** A command that only shows itself when it runs may be one that a rule denies. */
function judgeUnread({ commands }: ParsedShell, context: PermissionContext): Judgement | undefined {
  const found = denialOfUnread(commands, context);
  if (found === undefined) return undefined;
  const { rule, text } = found;
  return {
    ...byRule(rule),
    behavior: 'ask',
    code: 'unknown-command',
    reason: `Deft cannot tell which command \`${shortened(text)}\` runs: it may be one that the rule \`${formatRule(rule.value)}\` denies.`,
  };
}

/** The sandbox answers what an unknown command could do, not where a known one reaches. */
function inSandbox(judgement: Judgement, sandboxed: boolean): Judgement {
  const unknown =
    judgement.behavior === 'ask' && (judgement.code === 'unknown-command' || judgement.code === 'no-rule');
  return sandboxed && unknown ? allow('sandboxed', 'It runs in the sandbox.') : judgement;
}

function notPlain(reason: string): Judgement {
  return ask('unparsed-command', `Deft cannot tell for certain what this command does: ${reason}.`);
}

/** Deny rules name files that `grep -r`, `cat *` and `rm -r` would reach without naming them. */
function hidesNothing(
  commands: readonly SimpleCommand[],
  cwd: string,
  context: PermissionContext,
): Judgement | undefined {
  if (!context.rules.some(({ behavior }) => behavior === 'deny')) return undefined;
  for (const command of commands) {
    const touched = touchedFiles(command, cwd, context.home);
    if (!touched.content || !touched.wide) continue;
    const rule = denyRuleWithPath(touched.files.some(({ access }) => access === 'write') ? 'write' : 'read', context);
    if (rule === undefined) continue;
    return {
      ...byRule(rule),
      behavior: 'ask',
      reason: `\`${shortened(command.text)}\` may reach files that a rule denies. ${byRule(rule).reason}`,
    };
  }
  return undefined;
}

function judgeRedirections(command: SimpleCommand, cwd: string, context: PermissionContext): Judgement[] {
  const { files, unknown } = redirectedFiles(command, cwd, context.home);
  const judged = files.map((use): Judgement => {
    const judgement = permitFile(use, context);
    if (judgement.behavior !== 'ask') return judgement;
    const verb = use.access === 'write' ? 'writes into' : 'reads from';
    return ask(use.access === 'write' ? 'redirection' : judgement.code, `It ${verb} \`${use.path}\`.`);
  });
  return [...judged, ...unknown.map((text) => ask('redirection', `Deft cannot tell which file \`${text}\` is.`))];
}

function judgeOne(command: SimpleCommand, cwd: string, context: PermissionContext): Judgement {
  if (command.words.length === 0) {
    return areSafeAssignments(command.assignments)
      ? allow('read-only', 'It only sets a variable.')
      : ask('unknown-command', `\`${command.text}\` sets a variable that later commands may obey.`);
  }
  const found = allowingCommandRule(command, context);
  if (found?.exact === true) return byRule(found.rule);
  const moved = allowedMove(command, cwd, context);
  if (moved !== undefined) return moved;

  const reads = readsOnly(command);
  const edits =
    context.mode === 'acceptEdits' && areSafeAssignments(command.assignments) && isEditCommand(command.words);
  const outside = outsideQuestion(command, cwd, context, edits) ?? gitElsewhere(command, cwd, context);
  if (reads) return outside ?? allow('read-only', 'It only reads.');
  if (edits) return outside ?? allow('mode', 'The mode allows file commands in the workspace.');
  if (found !== undefined) return outside ?? byRule(found.rule);
  return ask(
    'unknown-command',
    `No rule matches \`${shortened(commandName(command.words) === undefined ? command.text : unwrappedText(command))}\`.`,
  );
}

/** A repository that is not a workspace folder's own may hold hooks and settings that git runs. */
function gitElsewhere(command: SimpleCommand, cwd: string, context: PermissionContext): Judgement | undefined {
  if (commandName(unwrap(command.words).words) !== 'git') return undefined;
  const folders = foldersOf(command, cwd, context.home);
  const isOwn = (folder: string): boolean =>
    context.folders.some(
      (own) => isInside(folder, own, context.ignoreCase) && isInside(own, folder, context.ignoreCase),
    );
  if (folders?.every(isOwn) === true) return undefined;
  return ask(
    'unknown-command',
    'It runs git in a folder that is not one of the workspace, whose own settings git would obey.',
  );
}

/** The question that a path outside the workspace, or one that nobody can tell, raises. */
function outsideQuestion(
  command: SimpleCommand,
  cwd: string,
  context: PermissionContext,
  edits: boolean,
): Judgement | undefined {
  const touched = touchedFiles(command, cwd, context.home);
  if (touched.recognised) {
    const [unknown] = touched.unknown;
    if (unknown !== undefined)
      return ask('outside-workspace', `Deft cannot tell whether \`${unknown}\` lies in the workspace.`);
    for (const use of touched.files) {
      const judgement = edits || use.access === 'read' ? judgeFile(use, context) : insideOnly(use.path, context);
      if (judgement.behavior === 'ask') return judgement;
    }
  }
  const moves = movesFolder(command.words);
  if (!touched.recognised && !moves) return undefined;
  const steps = moves ? [...command.moves, { words: command.words, certain: true }] : command.moves;
  const folders = foldersOf({ ...command, moves: steps }, cwd, context.home);
  if (folders === undefined) return ask('outside-workspace', 'Deft cannot tell in which folder it runs.');
  const outside = folders.find(
    (folder) => !isInsideAny(folder, [...context.folders, ...context.ownFolders], context.ignoreCase),
  );
  return outside === undefined
    ? undefined
    : ask('outside-workspace', `It runs in \`${outside}\`, outside the workspace.`);
}

function insideOnly(path: string, context: PermissionContext): Judgement {
  if (isInsideAny(path, context.folders, context.ignoreCase))
    return allow('inside-workspace', 'It lies in the workspace.');
  return ask('outside-workspace', `\`${path}\` lies outside the workspace.`);
}

function unwrappedText(command: SimpleCommand): string {
  const [first, second] = unwrap(command.words).words;
  const isSubcommand = second?.kind === 'literal' && /^[a-z][\w:-]*$/.test(second.value);
  return [first?.text, ...(isSubcommand ? [second.text] : [])].join(' ');
}
