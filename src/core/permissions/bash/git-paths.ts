// Which words of a git command are paths, which of them it writes, and when it shows files that it is not given.
import { type ShellWord } from './simple-command';

/** Names and numbers only, unless an option asks for more. */
const plainGitOptions =
  /^(-n\d*|-\d+|-i|--|--(oneline|stat|shortstat|numstat|name-only|name-status|graph|all|decorate|no-decorate|reverse|merges|no-merges|first-parent|follow|abbrev-commit|branches|tags|remotes|no-color|cached|staged|quiet|exit-code|no-patch|(decorate|format|pretty|max-count|since|until|after|before|author|grep|date|color|stat)=[\s\S]*))$/;

const gitSummaries = /^--(stat|shortstat|numstat|name-only|name-status|no-patch|quiet)(=|$)/;

/** True where git shows what is in files that it is not given by name. */
export function gitShowsFiles(args: readonly ShellWord[]): boolean {
  const values = args.map((word) => word.value);
  const start = values.findIndex((value) => !value.startsWith('-'));
  const rest = values.slice(start + 1);
  const plain = rest.every((value) => !value.startsWith('-') || plainGitOptions.test(value));
  switch (values[start]) {
    case 'log':
    case 'reflog':
    case 'whatchanged':
    case 'shortlog':
    case 'rev-list':
      return !plain;
    case 'stash':
      return rest[0] !== 'list' || !plain;
    case 'show':
    case 'diff':
    case 'diff-tree':
    case 'diff-index':
    case 'diff-files':
      return !plain || !rest.some((value) => gitSummaries.test(value));
    case 'grep':
    case 'range-diff':
    case 'cat-file':
    case 'blame':
    case 'annotate':
      return true;
    default:
      return false;
  }
}

/** What is said about a commit, a tag or a stash is text. */
export function withoutMessages(args: readonly ShellWord[]): readonly ShellWord[] {
  if (!/^(commit|tag|merge|stash|notes)$/.test(args[0]?.value ?? '')) return args;
  const end = args.findIndex(({ value }) => value === '--');
  return args.filter(({ value }, index) => {
    if (index === 0 || (end >= 0 && index >= end)) return true;
    const before = args[index - 1]?.value ?? '';
    return !/^(-[aqsvnpkf]*m|--message)$/.test(before) && !/^(-[aqsvnpkf]*m.|--message=)/s.test(value);
  });
}

/** Revisions and addresses of other machines are not paths; what clearly is one counts, also after `HEAD:`. */
export function gitPaths(operands: ShellWord[]): ShellWord[] {
  return operands.slice(1).flatMap((word) => {
    if (word.kind === 'literal' && /^((https?|ssh|git|ftps?):\/\/|[\w.-]+@[\w.-]+:)/.test(word.value)) return [];
    const path = /^[^/\s]*:(.+)$/.exec(word.value)?.[1];
    if (path !== undefined) return [{ ...word, value: path }];
    return /^\.\.[^/]/.test(word.value) || (/\.\.[^/]/.test(word.value) && !word.value.includes('../')) ? [] : [word];
  });
}

/** Archives, patches, reports and bundles; the folder that a clone fills; what is moved. */
export function gitPuts(args: readonly ShellWord[]): (word: ShellWord) => boolean {
  const subcommand = args[0]?.value ?? '';
  if (subcommand === 'mv') return () => true;
  const put = new Set<string | undefined>();
  if (/^(archive|format-patch|bugreport|diagnose)$/.test(subcommand))
    for (const [index, { value }] of args.entries()) if (value === '-o') put.add(args[index + 1]?.value);
  if (subcommand === 'bundle' && args[1]?.value === 'create') put.add(args[2]?.value);
  if (subcommand === 'clone' || subcommand === 'init') put.add(args.at(-1)?.value);
  return ({ value }) => put.has(value);
}
