// What a rule for a command's first word alone does not cover: code given inline, other programs, lost work.
import { commandName, type SimpleCommand } from './simple-command';
import { type CommandPattern } from '../rules/command-pattern';
import { runByOptions } from './program-options';
import { isTameSed } from './sed-script';
import { isFd, isRunner, opaqueRunners, readsCode, takesInlineCode } from './runners';

/** False where an allow rule with a `*` names too little of the command to cover it. An exact rule covers all but code from input. */
export function isCoveredBy(pattern: CommandPattern, command: SimpleCommand): boolean {
  const { words } = command;
  const hasInput = command.redirections.some((redirection) => redirection.kind !== 'write');
  if (readsCode(words, hasInput)) return false;
  if (pattern.exact) return true;
  const name = commandName(words);
  if (name === undefined || opaqueRunners.has(name)) return false;
  if ((name === 'find' || isFd(name)) && words.some((word) => findAction.test(word.value))) return false;
  if (isFd(name) && words.some((word) => fdRuns.test(word.value))) return false;
  // Programs that an option names, unless the rule spells the option out.
  if (runByOptions(words).some(({ index }) => index >= pattern.fixedWords.length)) return false;
  if (pattern.fixedWords.length > 1) return true;
  if (takesInlineCode(words, hasInput)) return false;
  if (/^g?sed$/.test(name) && !isTameSed(words.slice(1).map(({ value }) => value))) return false;
  if (isRunner(name) && !runsFiles(name)) return false;
  return !(name === 'git' && losesWork(words.slice(1).map((word) => word.value)));
}

/** A letter that takes a value is followed by it: `-etsx`. */
const fdRuns = /^(-[^-detEScjCo]*[xX]|--exec)/;
const findAction = /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|x|X|-exec|-exec-batch)$/;

/** Interpreters whose first operand is a file: `Bash(node:*)` means to run those. */
function runsFiles(name: string): boolean {
  return /^(python|node|deno|bun|ruby|perl|php|lua|Rscript|bash|sh|zsh|dash|ksh|fish)[\d.]*$/.test(name);
}

/** Other programs through options of git itself, and subcommands that throw away what is nowhere else. */
function losesWork(args: readonly string[]): boolean {
  const at = args.findIndex((argument) => !argument.startsWith('-'));
  const own = at < 0 ? args : args.slice(0, at);
  if (own.some((option) => /^(-c|-C|--(exec-path|config-env|git-dir|work-tree|namespace|super-prefix)\b)/.test(option)))
    return true;
  const [subcommand = '', ...rest] = at < 0 ? [] : args.slice(at);
  const loses = losing.get(subcommand);
  const has = (pattern: RegExp): boolean => rest.some((argument) => pattern.test(argument));
  if (subcommand === 'restore') return !has(/^(--staged|-S)$/) || has(/^(--worktree|-W)$/);
  return loses === true || (loses !== undefined && has(loses));
}

/** Subcommands of git by the argument that makes them lose work; true: any. */
const losing = new Map<string, RegExp | true>([
  ['reset', /^--(hard|merge|keep|h|ha|har|m|me|k|ke|kee)/],
  ['clean', /^-[A-Za-z]*f|^--f/],
  ['push', /^-[A-Za-z]*[fd]|^--(f|fo|for|forc|force|mirror|delete|prune)(=.*)?$|^[+:]/],
  ['stash', /^(drop|clear)$/],
  ['branch', /^-[A-Za-z]*[DMCfd]|^--(force|delete)/],
  ['tag', /^-[A-Za-z]*[df]|^--(force|delete)/],
  ['checkout', /^-[A-Za-z]*f|^--(force|discard-changes)?$|^\.$/],
  ['switch', /^-[A-Za-z]*f|^--(force|discard-changes)?$|^\.$/],
  ['reflog', /^(expire|delete)$/],
  ['worktree', /^remove$/],
  ['update-ref', true],
  ['filter-branch', true],
  ['filter-repo', true],
  ['gc', true],
  ['prune', true],
  ['config', true],
]);
