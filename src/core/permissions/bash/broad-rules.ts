// What an allow rule with a `*` does not cover although its text matches: what its author could not have meant.
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';
import { type CommandPattern } from '../rules/command-pattern';
import { shortened } from '../rules/rule-syntax';
import { givesCode } from './inline-code';
import { runByOptions } from './program-options';
import { isTameSed } from './programs/sed-script';
import { isFd, opaqueRunners, readsCode, takesInlineCode } from './runners';
import { wrapperNames } from './shell-wrappers';

/**
 * Why an allow rule whose text matches does not cover the command, as a clause; undefined where it does. An exact rule
 * covers all but code from the command's input: that is not part of its text.
 */
export function exclusionOf(pattern: CommandPattern, command: SimpleCommand): string | undefined {
  const { words, redirections } = command;
  const input = redirections.filter(({ kind }) => kind !== 'write');
  // A here-document and a file stand in the line; what another command writes does not.
  const isShown = input.some((one) => one.kind === 'read' || (one.kind === 'text' && one.text !== ''));
  if (readsCode(words, input.length > 0) && !givesCode(words)) {
    if (pattern.exact) return 'its code comes from its input, which the rule does not name';
    if (!isShown) return 'its code comes from its input, which the line does not show';
  }
  if (pattern.exact) return undefined;
  const name = commandName(words);
  if (name === undefined) return 'its name is not written plainly';
  if (opaqueRunners.has(name)) return `\`${name}\` runs another program, which a rule with a \`*\` never covers`;
  const action = words.find(({ value }) => actionOf(name, value))?.value;
  if (action !== undefined)
    return `\`${shortened(action)}\` runs, writes or deletes something, which a rule with a \`*\` never covers`;
  // Programs that an option names, unless the rule spells the option out.
  const run = runByOptions(words).find(({ index }) => index >= pattern.fixedWords.length);
  if (run !== undefined)
    return `\`${shortened(words[run.index]?.value ?? name)}\` makes it run another program, so the rule must spell that out`;
  return pattern.fixedWords.length > 1 ? undefined : exclusionOfName(name, command);
}

/** What a rule for the first word alone leaves out. */
function exclusionOfName(name: string, { words, redirections }: SimpleCommand): string | undefined {
  const values = words.slice(1).map(({ value }) => value);
  if (
    takesInlineCode(
      words,
      redirections.some(({ kind }) => kind !== 'write'),
    ) &&
    words.slice(1).some(isUnseen)
  )
    return 'its code is not written out in the line';
  if (/^g?sed$/.test(name) && !isTameSed(values)) return 'its script may run commands, or read and write other files';
  if (wrapperNames.has(name) || (alsoRunning.has(name) && values.some((value) => !/^\w+=/.test(value))))
    return `\`${name}\` can run any program, so the rule must name that program`;
  if (name === 'go' && values[0] === 'env' && values.some((value) => /^--?[wu]/.test(value)))
    return 'settings of `go` can run programs, so the rule must name the subcommand';
  if (setters.get(name)?.test(values.filter((value) => !value.startsWith('-')).join(' ')) === true)
    return `settings of \`${name}\` can run programs, so the rule must name the subcommand`;
  return name === 'git' ? exclusionOfGit(values) : undefined;
}

/** Subcommands that change the settings of every project. */
const setters = new Map([
  ['npm', /^((config|c) (set|edit|delete|rm|fix)|set)\b/],
  ['pnpm', /^((config|c) (set|delete)|set)\b/],
  ['yarn', /^config (set|unset|delete)\b/],
  ['pip', /^config (set|edit|unset)\b/],
  ['pip3', /^config (set|edit|unset)\b/],
  ['gh', /^(config set|alias (set|import|delete)|extension)\b/],
]);

/** They show or do something themselves, too, which is what a rule for them says. `sudo` and `ssh` do nothing else. */
const alsoRunning = new Set(['env', 'genv', 'busybox', 'toybox', 'gtimeout']);

/** One that another command fills in, or a variable alone: nobody sees the code before it runs. */
function isUnseen({ kind, text }: ShellWord): boolean {
  return kind === 'dynamic' && (/\$\(|`|[<>]\(/.test(text) || /^"?\$(\w+|\{[^}]*\})"?$/.test(text));
}

function actionOf(name: string, value: string): boolean {
  if (isFd(name)) return fdRuns.test(value) || findAction.test(value);
  return name === 'find' && findAction.test(value);
}

/** A letter that takes a value is followed by it: `-etsx`. */
const fdRuns = /^(-[^-detEScjCo]*[xX]|--exec)/;
const findAction = /^-(exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls|x|X|-exec|-exec-batch)$/;

/** Options of git itself that let it run other programs, and subcommands that throw away what is nowhere else. */
function exclusionOfGit(args: readonly string[]): string | undefined {
  const at = args.findIndex((argument) => !argument.startsWith('-'));
  const own = at < 0 ? args : args.slice(0, at);
  const option = own.find((one) =>
    /^(-c|-C|--(exec-path|config-env|git-dir|work-tree|namespace|super-prefix)\b)/.test(one),
  );
  if (option !== undefined)
    return `\`${shortened(option)}\` chooses other settings or another repository, so the rule must spell it out`;
  const [subcommand = '', ...rest] = at < 0 ? [] : args.slice(at);
  if (/^credential(-\w+)?$/.test(subcommand))
    return '`git credential` shows passwords, so the rule must name the subcommand';
  if (!losesWork(subcommand, rest)) return undefined;
  return subcommand === 'config'
    ? 'git settings can run programs, so the rule must name the subcommand'
    : `\`git ${subcommand}\` can lose work like this, so the rule must name the subcommand`;
}

function losesWork(subcommand: string, rest: readonly string[]): boolean {
  const loses = losing.get(subcommand);
  const has = (pattern: RegExp): boolean => rest.some((argument) => pattern.test(argument));
  // A second word can only be a file, of which the index or a commit has another version.
  if (subcommand === 'checkout' && !has(/^(-[A-Za-z]*[bt]|--(orphan|track|no-track))/) && filesOf(rest) > 1)
    return true;
  if (subcommand === 'restore') return !has(/^(--staged|-S)$/) || has(/^(--worktree|-W)$/);
  return loses === true || (loses !== undefined && has(loses));
}

const filesOf = (rest: readonly string[]): number => rest.filter((argument) => !argument.startsWith('-')).length;

/** Subcommands of git by the argument that makes them lose work, also shortened; true: any. */
const losing = new Map<string, RegExp | true>([
  ['reset', /^--(hard|merge|keep|h|ha|har|m|me|k|ke|kee)/],
  ['clean', /^-[A-Za-z]*f|^--f/],
  ['push', /^-[A-Za-z]*[fd]|^--(f|fo|for|forc|force|m\w*|de\w*|pru\w*)(=.*)?$|^[+:]/],
  ['stash', /^(drop|clear)$/],
  ['branch', /^-[A-Za-z]*[DMCf]|^--f/],
  ['tag', /^-[A-Za-z]*[df]|^--(f\w*|de\w*)$/],
  ['checkout', /^-[A-Za-z]*[fB]|^--(f[\w-]*)?$|^\.\/*$|[*?[]|^:/],
  ['switch', /^-[A-Za-z]*[fC]|^--((f|di)[\w-]*)?(=|$)|^\.$/],
  ['checkout-index', /^-[A-Za-z]*f|^--f/],
  ['read-tree', /^-[A-Za-z]*u|^--re/],
  ['replace', /^-[A-Za-z]*[df]|^--[df]/],
  ['submodule', /^-[A-Za-z]*f$|^--f/],
  ['reflog', /^(expire|delete)$/],
  ['worktree', /^-[A-Za-z]*f|^--f/],
  ['rm', /^-[A-Za-z]*f|^--f/],
  ['update-ref', true],
  ['filter-branch', true],
  ['filter-repo', true],
  ['gc', /^--prune/],
  ['prune', true],
  ['config', true],
]);
