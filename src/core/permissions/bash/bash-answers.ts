// What is said about a Bash line: every command in it must be free, one that is forbidden is enough to refuse all.
import { fileAnswers, type FileUse, holdsMemory, judgeFile } from '../files/file-answers';
import { isProcessFolder, namesProcessMemory } from '../files/protected-paths';
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
import { denyRuleWithPath } from '../rules/path-rules';
import { formatRule, shortened } from '../rules/rule-syntax';
import { type PermissionContext } from '../rules/verdict';
import { isInside, isInsideAny } from '../rules/workspace-path';
import { type BashLine } from './bash-line';
import { allowingCommandRule, exactRule, restrictingCommandRule } from './command-rules';
import {
  foldersOf,
  measured,
  movesTooOften,
  placesOfBuilder,
  redirectedFiles,
  touchedFiles,
  usedByName,
} from './command-scope';
import { criticalRemoval } from './critical-removal';
import { judgeCode, judgeUnknownCode } from './decide-code';
import { allowedMove, restrictMoves } from './decide-folder';
import { uncoveredReason } from './near-rules';
import { isEditCommand, mayPlaceLinks } from './edit-commands';
import { inItsFolder } from './git-words';
import { changesShared } from './read-only-git';
import { isListing } from '../files/listed-files';
import { restrictionOfUnread } from './unread-command';
import { type ParsedShell } from './shell-command';
import { onlyReads, readsOnly } from './shell-read-only';
import { areSafeAssignments, unwrap } from './shell-wrappers';
import { commandName, movesFolder, type SimpleCommand } from './simple-command';

interface Surroundings {
  cwd: string;
  /** What the host found in the file system that speaks against running it unasked, as sentences. */
  doubts: readonly string[];
  /** What globs find, as far as the host has looked. */
  found: ReadonlyMap<string, readonly FileUse[]>;
  /** Folders below the workspace whose repository is the workspace's own. */
  inOwnRepository: readonly string[];
  /** In the sandbox a command may be one that no rule knows. */
  sandboxed: boolean;
}

export function bashAnswers(line: BashLine, around: Surroundings, context: PermissionContext): Answers {
  const { cwd, found } = around;
  const { text, plain, all } = line;
  const { home } = context;
  const everything = measured(all.commands, cwd, home);
  const parsed = boundedLine(line, everything.length, cwd, home);
  const files = everything.flatMap((command) => [
    ...touchedFiles(command, cwd, home).files,
    ...redirectedFiles(command, cwd, home).files,
    ...usedByName(command, cwd, home),
    ...[...touchedFiles(command, cwd, home).patterns, ...redirectedFiles(command, cwd, home).patterns].flatMap(
      (pattern) => (isListing(pattern) ? [] : (found.get(pattern) ?? [])),
    ),
  ]);
  const touched = files.map((use) => fileAnswers(use, context));
  const looks = parsed.ok && plain.every(onlyReads);
  const moves = (behavior: 'deny' | 'ask'): Judgment | undefined => restrictMoves(behavior, everything, cwd, context);
  const restricted = (behavior: 'deny' | 'ask'): Judgment | undefined => {
    const rule = restrictingCommandRule(behavior, text, all.commands, context);
    return rule && byRule(rule);
  };
  return {
    subject: text,
    looks,
    reads: looks,
    denied: () => restricted('deny') ?? denying(moves('deny')) ?? firstOf(touched, (file) => file.denied()),
    asked: () => restricted('ask') ?? moves('deny') ?? moves('ask') ?? firstOf(touched, (file) => file.asked()),
    critical: () =>
      removal(everything, cwd, context) ??
      readsMemory(text, everything, cwd, context) ??
      firstOf(touched, (file) => file.critical?.()) ??
      judgeCode(everything, (command) => foldersOf(command, cwd, home) ?? [cwd], context) ??
      (!parsed.ok && parsed.broken ? notPlain(parsed.reason) : undefined),
    unread: () => judgeUnread(line, context),
    protected: () => firstOf(touched, (file) => file.protected?.()),
    unclear: () =>
      parsed.ok
        ? (sharedChange(everything, context) ??
          hidesNothing(plain, around, context) ??
          judgeUnknownCode(all.commands, context))
        : notPlain(parsed.reason),
    allowed() {
      const rule = exactRule(text, context);
      return rule && byRule(rule);
    },
    rest: () => judgeEach(plain, around, context),
  };
}

/** A line that holds more than is worth looking at counts as one that does not parse. */
function boundedLine({ parsed, all }: BashLine, measuredCount: number, cwd: string, home: string): ParsedShell {
  const reason = !all.complete
    ? 'it nests too many commands'
    : all.commands.some((command) => movesTooOften(command, cwd, home))
      ? 'it changes the folder too often'
      : measuredCount < all.commands.length
        ? 'it names too many files'
        : undefined;
  return reason === undefined ? parsed : { ok: false, reason, broken: true, commands: parsed.commands };
}

/** In a worktree, a rule for git speaks of what is in that. */
function sharedChange(commands: readonly SimpleCommand[], { worktree }: PermissionContext): Judgment | undefined {
  const found = worktree === undefined ? undefined : commands.find(changesShared);
  return (
    found &&
    ask(
      'effect-elsewhere',
      `\`${shortened(found.text)}\` may change what this worktree shares with the user's checkout: stashes, git settings, branches.`,
    )
  );
}

function removal(commands: readonly SimpleCommand[], cwd: string, context: PermissionContext): Judgment | undefined {
  return firstOf(commands, (command) => {
    const critical = criticalRemoval(command, foldersOf(command, cwd, context.home) ?? [], context);
    return critical === undefined
      ? undefined
      : ask('critical-path', `It would remove \`${critical}\`: Deft always asks before that.`);
  });
}

function readsMemory(
  text: string,
  commands: readonly SimpleCommand[],
  cwd: string,
  context: PermissionContext,
): Judgment | undefined {
  return namesProcessMemory(text) || commands.some((command) => reachesProcessMemory(command, cwd, context))
    ? holdsMemory(shortened(text))
    : undefined;
}

/** Reads everything from the root on, or is an unknown program that is given a folder of processes. */
function reachesProcessMemory(command: SimpleCommand, cwd: string, context: PermissionContext): boolean {
  const touched = touchedFiles(command, cwd, context.home);
  if (!touched.recognised)
    return !readsOnly(command) && command.words.slice(1).some(({ value }) => isProcessFolder(value));
  const isWide = touched.wide || touched.patterns.length > 0;
  return touched.content && isWide && touched.files.some(({ access, path }) => access === 'read' && path === '/');
}

/** Each command of the line for itself: all of them have to be free. */
function judgeEach(
  commands: readonly SimpleCommand[],
  { cwd, doubts, found, inOwnRepository, sandboxed }: Surroundings,
  context: PermissionContext,
): Judgment {
  // Links that one command puts somewhere lead the next out of the workspace: such a line is not allowed by the mode.
  const linking =
    context.mode === 'acceptEdits' &&
    commands.length > 1 &&
    commands.some(({ words }) => mayPlaceLinks(unwrap(words).words));
  const judgedBy: PermissionContext = linking ? { ...context, mode: 'default' } : context;
  // What another command of the line puts there, the host has not seen.
  const looks = commands.every(onlyReads);
  const repositories = looks ? inOwnRepository : [];
  const globs = looks ? found : new Map([...found].filter(([pattern]) => !isListing(pattern)));
  const judged = doubts.map((doubt) => ask('outside-workspace', doubt));
  for (const command of commands) {
    const own = [
      ...judgeRedirections(command, { cwd, globs }, judgedBy),
      inSandbox(
        judgeOne(command, { cwd, repositories, globs, isLast: command === commands.at(-1) }, judgedBy),
        sandboxed,
      ),
    ];
    for (const judgment of own) context.recorder?.judged(command.text, judgment);
    judged.push(...own);
  }
  const verdict = strictest(judged) ?? notPlain('it contains no command');
  // Reading is what the verdict is named after only where all of it reads.
  return verdict.behavior === 'allow'
    ? (judged.find(({ code }) => code === 'sandboxed') ??
        judged.find(({ code }) => code === 'rule' || code === 'mode') ??
        judged.at(-1) ??
        verdict)
    : verdict;
}

/** A command that only shows itself when it runs may be one that a rule denies or asks about. */
function judgeUnread(line: BashLine, context: PermissionContext): Judgment | undefined {
  const { parsed, all } = line;
  const found =
    restrictionOfUnread('deny', parsed.commands, all, context) ??
    restrictionOfUnread('ask', parsed.commands, all, context);
  // Word for word, the user has answered this question.
  return found === undefined || exactRule(line.text, context) !== undefined
    ? undefined
    : mayBeRestricted(found.text, found.rule);
}

/** The sandbox answers what an unknown command could do, not where a known one reaches. */
function inSandbox(judgment: Judgment, sandboxed: boolean): Judgment {
  const unknown = judgment.behavior === 'ask' && (judgment.code === 'unknown-command' || judgment.code === 'no-rule');
  return sandboxed && unknown ? allow('sandboxed', 'It runs in the sandbox.') : judgment;
}

/** Deny rules name files that `grep -r`, `cat *` and `rm -r` would reach without naming them. */
function hidesNothing(
  commands: readonly SimpleCommand[],
  { cwd, found }: Surroundings,
  context: PermissionContext,
): Judgment | undefined {
  if (!context.rules.some(({ behavior }) => behavior === 'deny')) return undefined;
  for (const command of commands) {
    const touched = touchedFiles(command, cwd, context.home);
    const isWide = touched.wide || touched.patterns.some((pattern) => isListing(pattern) || !found.has(pattern));
    if (!touched.content || !isWide) continue;
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

function judgeRedirections(
  command: SimpleCommand,
  { cwd, globs }: Pick<Place, 'cwd' | 'globs'>,
  context: PermissionContext,
): Judgment[] {
  const { files, unknown, patterns } = redirectedFiles(command, cwd, context.home);
  const ruleNote = (): string => {
    const { recorder: _silent, ...quiet } = context;
    const covering = allowingCommandRule(command, quiet)?.rule;
    return covering === undefined
      ? ''
      : ` The rule \`${formatRule(covering.value)}\` covers the command, but not that file.`;
  };
  const found = patterns.flatMap((pattern) => globs.get(pattern) ?? []);
  const judged = [...files, ...found].map((use): Judgment => {
    const judgment = judgeFile(use, context);
    if (judgment.behavior !== 'ask') return judgment;
    const [code, verb] =
      use.access === 'write' ? (['redirection', 'writes into'] as const) : ([judgment.code, 'reads from'] as const);
    return ask(code, `It ${verb} \`${use.path}\`.${ruleNote()}`);
  });
  return [
    ...judged,
    ...[...unknown, ...patterns.filter((pattern) => !globs.has(pattern))].map((text) =>
      ask('redirection', `Deft cannot tell which file \`${text}\` is.${ruleNote()}`),
    ),
  ];
}

/** `repositories`: folders whose repository is the workspace's own. */
interface Place {
  cwd: string;
  repositories: readonly string[];
  globs: Surroundings['found'];
  /** Nothing of the line runs after it. */
  isLast: boolean;
}

function judgeOne(command: SimpleCommand, place: Place, context: PermissionContext): Judgment {
  const { cwd } = place;
  if (command.words.length === 0) {
    return readsOnly(command)
      ? allow('read-only', 'It only sets a variable.')
      : ask('unknown-command', `\`${command.text}\` sets a variable that may affect later commands.`);
  }
  const found = allowingCommandRule(command, context);
  if (found?.exact === true) return byRule(found.rule);
  const moved = allowedMove(command, cwd, context);
  if (moved !== undefined) return moved;

  const reads = readsOnly(command);
  const edits =
    context.mode === 'acceptEdits' && areSafeAssignments(command.assignments) && isEditCommand(command.words);
  const beyond = outsideQuestion(command, place, context, edits);
  const outside = beyond ?? gitElsewhere(command, place, context);
  if (reads) return outside ?? allow('read-only', 'It only reads.');
  if (edits) return outside ?? allow('mode', 'The mode allows file commands in the workspace.');
  if (found !== undefined) {
    if (outside === undefined) return byRule(found.rule);
    return beyond === undefined
      ? beyondRule(outside, found.rule, 'covers git in the workspace folder only')
      : beyondRule(beyond, found.rule);
  }
  return ask('unknown-command', uncoveredReason(command, context));
}

/** A repository that is not a workspace folder's own may hold hooks and settings that git runs. */
function gitElsewhere(
  command: SimpleCommand,
  { cwd, repositories }: Place,
  context: PermissionContext,
): Judgment | undefined {
  if (commandName(unwrap(command.words).words) !== 'git') return undefined;
  const folders = foldersOf(inItsFolder(command), cwd, context.home);
  const isOwn = (folder: string): boolean =>
    [...context.folders, ...repositories].some(
      (own) => isInside(folder, own, context.ignoreCase) && isInside(own, folder, context.ignoreCase),
    );
  const other = folders?.find((folder) => !isOwn(folder));
  if (folders !== undefined && other === undefined) return undefined;
  return ask(
    'unknown-command',
    other === undefined
      ? 'Deft cannot tell in which folder it runs git, whose settings there git would obey.'
      : `It runs git in \`${other}\`, which is not the workspace folder itself: git would obey the settings of a repository there.`,
  );
}

/** The question raised by a path outside the workspace, or by one that cannot be determined. */
function outsideQuestion(
  command: SimpleCommand,
  { cwd, globs, isLast }: Place,
  context: PermissionContext,
  edits: boolean,
): Judgment | undefined {
  if (isLast && endsInside(command, cwd, context)) return undefined;
  for (const place of placesOfBuilder(command, cwd, context.home)) {
    const judgment = place === undefined ? unknownFolder : insideOnly(place, context);
    if (judgment.behavior === 'ask') return judgment;
  }
  const touched = touchedFiles(command, cwd, context.home);
  if (touched.recognised) {
    const [unknown] = touched.unknown;
    if (unknown !== undefined)
      return ask('outside-workspace', `Deft cannot tell whether \`${unknown}\` is in the workspace.`);
    const unread = touched.patterns.find((pattern) => !globs.has(pattern));
    if (unread !== undefined)
      return ask('outside-workspace', `Deft cannot tell whether \`${unread}\` finds only files of the workspace.`);
    for (const use of [...touched.files, ...touched.patterns.flatMap((pattern) => globs.get(pattern) ?? [])]) {
      const judgment = edits || use.access === 'read' ? judgeFile(use, context) : insideOnly(use.path, context);
      if (judgment.behavior === 'ask') return judgment;
      // Named by the line, it would have been denied before; what a search lists may not be reached at all.
      if (judgment.behavior === 'deny') return { ...judgment, behavior: 'ask' };
    }
  }
  const moves = movesFolder(command.words);
  if (!touched.recognised && !moves) return undefined;
  const steps = moves ? [...command.moves, { words: command.words, certain: true }] : command.moves;
  const folders = foldersOf({ ...command, moves: steps }, cwd, context.home);
  if (folders === undefined) return unknownFolder;
  const outside = folders.find(
    (folder) => !isInsideAny(folder, [...context.folders, ...context.ownFolders], context.ignoreCase),
  );
  return outside === undefined
    ? undefined
    : ask('outside-workspace', `It runs in \`${outside}\`, outside the workspace.`);
}

/** `cd src; ls; cd ..`: without `src` it ends above the workspace, where nothing runs, and the next line starts inside again. */
function endsInside(command: SimpleCommand, cwd: string, context: PermissionContext): boolean {
  if (command.always !== true || !movesFolder(command.words)) return false;
  const after = { ...command, moves: [...command.moves, { words: command.words, certain: true }] };
  return (
    foldersOf(after, cwd, context.home)?.some((folder) => isInsideAny(folder, context.folders, context.ignoreCase)) ===
    true
  );
}

const unknownFolder = ask('outside-workspace', 'Deft cannot tell in which folder it runs.');

function insideOnly(path: string, context: PermissionContext): Judgment {
  if (isInsideAny(path, context.folders, context.ignoreCase))
    return allow('inside-workspace', 'It is in the workspace.');
  return ask('outside-workspace', `\`${path}\` is outside the workspace.`);
}
