// Which git invocations only look: known subcommands, with options that are known to write, run and reach nothing.
import { isReadOnlySetting, ownOptions } from './git-words';
import { commandName, type SimpleCommand } from './simple-command';
import { unwrap } from './shell-wrappers';
import { hasPlainOptions, plainOptions, type PlainOptions, readArguments, together } from './programs/plain-options';

/** `args` without `git`. Options before the subcommand decide where git looks and what it runs: few are let through. */
export function isReadOnlyGit(args: readonly string[]): boolean {
  const { own, settings, rest } = ownOptions(args);
  if (!own.every((option) => harmlessOwn.has(option)) || !settings.every(isReadOnlySetting)) return false;
  const [subcommand = '', ...words] = rest;
  if (subcommand === '--version' || subcommand === 'version') return words.length === 0;
  const check = subcommands.get(subcommand);
  if (check === undefined) return false;
  return typeof check === 'function' ? check(words) : hasPlainOptions(words, check);
}

/** `-C` leads to another folder, which is judged as `cd` is. */
const harmlessOwn = new Set(['-C', '-c', '--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']);

const diff = plainOptions(
  'psuWabwzR0',
  'USGIl',
  `patch no-patch unified= function-context no-function-context raw patch-with-raw patch-with-stat numstat shortstat
   dirstat? cumulative dirstat-by-file? check summary name-only name-status stat? stat-width= stat-name-width=
   stat-graph-width= stat-count= compact-summary no-compact-summary binary full-index color? no-color
   ws-error-highlight= abbrev? no-abbrev src-prefix= dst-prefix= line-prefix= no-prefix inter-hunk-context=
   output-indicator-new= output-indicator-old= output-indicator-context= break-rewrites? find-renames?
   irreversible-delete find-copies? find-copies-harder no-renames rename-empty no-rename-empty follow no-follow minimal
   ignore-all-space ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines ignore-matching-lines=
   indent-heuristic no-indent-heuristic patience histogram diff-algorithm= anchored= word-diff? word-diff-regex=
   color-words? color-moved? no-color-moved color-moved-ws= relative? no-relative text exit-code quiet no-ext-diff
   no-textconv ignore-submodules? submodule? ita-visible-in-index ita-invisible-in-index pickaxe-all pickaxe-regex
   rotate-to= skip-to= find-object= diff-filter= cc combined-all-paths cached staged merge-base no-index root base ours
   theirs no-commit-id`,
  'MCBDX',
);

const log = together(
  diff,
  plainOptions(
    'iEFPgcmtrqv',
    'nL',
    `max-count= skip= since= since-as-filter= after= until= before= max-age= min-age= author= committer= grep-reflog=
     grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty
     merges no-merges min-parents= max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not
     all branches? tags? remotes? glob= exclude= reflog single-worktree ignore-missing bisect cherry-mark cherry-pick
     left-only right-only cherry walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse
     simplify-merges ancestry-path? date-order author-date-order topo-order reverse no-walk? do-walk pretty? format=
     abbrev-commit no-abbrev-commit oneline encoding= expand-tabs? no-expand-tabs notes? no-notes standard-notes
     no-standard-notes relative-date date= parents children left-right graph no-graph show-linear-break? count
     timestamp header decorate? no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source use-mailmap
     no-use-mailmap mailmap no-mailmap log-size diff-merges= no-diff-merges remerge-diff objects no-object-names
     include-untracked only-untracked quiet`,
  ),
);

const refs = plainOptions(
  'd',
  '',
  `count= sort= format= color? shell perl python tcl points-at= merged? no-merged? contains? no-contains? ignore-case
   omit-empty exclude= head heads tags branches dereference hash? verify abbrev? quiet exists`,
  's',
);

const blame = plainOptions(
  'bcltfnsewpk',
  'L',
  `root show-stats progress no-progress score-debug show-name show-number porcelain line-porcelain incremental date=
   encoding= color-lines color-by-age minimal abbrev= first-parent reverse show-email ignore-rev= since=`,
  'MC',
);

const grep = plainOptions(
  'aiwvhHEFGPnclLzoqrIWp0',
  'ABCme',
  `cached no-index untracked no-untracked exclude-standard no-exclude-standard invert-match ignore-case word-regexp text
   recursive no-recursive max-depth= extended-regexp basic-regexp fixed-strings perl-regexp line-number no-line-number
   column no-column full-name no-full-name files-with-matches name-only files-without-match null only-matching count
   color? no-color break heading no-heading context= before-context= after-context= threads= show-function
   function-context and or not quiet all-match max-count=`,
);

const subcommands = new Map<string, PlainOptions | ((args: string[]) => boolean)>([
  ...['log', 'show', 'whatchanged', 'rev-list', 'diff-tree', 'diff-index', 'diff-files'].map(
    (name): [string, PlainOptions] => [name, log],
  ),
  ['diff', diff],
  ['range-diff', together(log, plainOptions('', '', 'creation-factor= dual-color no-dual-color'))],
  ['shortlog', together(log, plainOptions('se', '', 'numbered summary email group= committer', 'w'))],
  [
    'status',
    plainOptions(
      'sbvz',
      '',
      `short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column
       ahead-behind no-ahead-behind renames no-renames find-renames?`,
      'u',
    ),
  ],
  [
    'rev-parse',
    plainOptions(
      'q',
      '',
      `show-toplevel git-dir git-common-dir absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository
       is-shallow-repository abbrev-ref? short? verify quiet symbolic symbolic-full-name show-prefix show-cdup
       show-superproject-working-tree all branches? tags? remotes? git-path= revs-only no-revs flags no-flags sq not
       default= path-format= show-object-format? since= until= after= before= disambiguate= exclude= glob=`,
    ),
  ],
  [
    'ls-files',
    plainOptions(
      'cdmoisukztvf',
      'x',
      `cached deleted modified others ignored stage unmerged killed directory no-empty-directory eol exclude=
       exclude-standard error-unmatch full-name abbrev? debug deduplicate sparse format= with-tree=`,
    ),
  ],
  ['ls-tree', plainOptions('drtlz', '', 'name-only name-status object-only full-name full-tree abbrev? long format=')],
  [
    'describe',
    plainOptions(
      '',
      '',
      'all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?',
    ),
  ],
  ['blame', blame],
  ['annotate', blame],
  ['cat-file', plainOptions('epts', '', 'batch? batch-check? batch-all-objects unordered buffer follow-symlinks')],
  ['name-rev', plainOptions('', '', 'tags refs= exclude= all name-only no-undefined always')],
  ['merge-base', plainOptions('a', '', 'all octopus independent is-ancestor fork-point')],
  ['show-ref', refs],
  ['for-each-ref', refs],
  ['count-objects', plainOptions('vH', '', 'verbose human-readable')],
  ['check-ignore', plainOptions('qvnz', '', 'quiet verbose non-matching no-index')],
  ['check-attr', plainOptions('az', '', 'all cached')],
  ['cherry', plainOptions('v', '', 'abbrev?')],
  [
    'show-branch',
    plainOptions(
      'ar',
      '',
      `all remotes current topo-order date-order sparse more= list merge-base independent no-name sha1-name topics
       color? no-color`,
    ),
  ],
  ['var', plainOptions('l')],
  ['grep', grep],
  ['branch', (args) => isListing(args, ['-l', '--list'])],
  [
    'tag',
    (args) =>
      isListing(
        args.filter((argument) => !/^-n\d*$/.test(argument)),
        ['-l', '--list'],
      ),
  ],
  [
    'remote',
    (args) =>
      args.length === 0 ||
      (args.length === 1 && /^(-v|--verbose)$/.test(args[0] ?? '')) ||
      (args[0] === 'get-url' && hasPlainOptions(args.slice(1), plainOptions('', '', 'all push'))),
  ],
  ['stash', ([verb, ...args]) => (verb === 'list' || verb === 'show') && hasPlainOptions(args, log)],
  [
    'worktree',
    ([verb, ...args]) => verb === 'list' && hasPlainOptions(args, plainOptions('vz', '', 'porcelain verbose')),
  ],
  ['reflog', (args) => /^(show|HEAD(@\{\w*\})?|-.*|)$/.test(args[0] ?? '') && hasPlainOptions(args, log)],
  ['config', isConfigQuestion],
]);

const listingOptions =
  /^(-[arvliq]+|-vv|--(list|all|remotes|verbose|show-current|no-color|color(=\w+)?|no-column|column|ignore-case|(format|sort|points-at)=.*))$/;
const listingWithCommit = /^--(no-)?(contains|merged)(=.*)?$/;

/** Names make a branch or tag, unless they are patterns of a listing or commits to look for. */
function isListing(args: string[], listFlags: string[]): boolean {
  const lists = args.some((argument) => listFlags.includes(argument));
  return args.every((argument, index) => {
    if (listingOptions.test(argument) || listingWithCommit.test(argument)) return true;
    if (argument.startsWith('-')) return false;
    return lists || listingWithCommit.test(args[index - 1] ?? '');
  });
}

const config = plainOptions(
  'lz',
  '',
  `global local system worktree show-origin show-scope name-only type= bool int bool-or-int path includes no-includes
   null list get get-all get-regexp get-urlmatch default= all regexp`,
);

/** A key alone is read; with a value behind it, it is set. */
function isConfigQuestion(args: string[]): boolean {
  const found = readArguments(args, config);
  if (found === undefined) return false;
  const [first = ''] = found.operands;
  if (found.options.some(({ name }) => /^(l|list|get|get-all|get-regexp|get-urlmatch)$/.test(name))) return true;
  if (first === 'get' || first === 'list') return true;
  return found.operands.length === 1 && first.includes('.');
}

/** Settings, stashes, branches and worktrees are the repository's: all its worktrees share them. */
const shared: ReadonlyMap<string, (args: readonly string[]) => boolean> = new Map([
  ...['stash', 'config', 'remote', 'worktree', 'update-ref', 'symbolic-ref', 'gc', 'prune', 'repack', 'replace'].map(
    (name) => [name, () => true] as const,
  ),
  ...['reflog', 'maintenance', 'pack-refs', 'filter-branch', 'filter-repo'].map((name) => [name, () => true] as const),
  ['branch', changing(/^(-[a-zA-Z]*[dDmMcCfu]|--(delete|move|copy|force|set-up|unset-up|edit-d))/)],
  ['tag', changing(/^(-[a-zA-Z]*[df]|--(delete|force))/)],
  ['checkout', changing(/^(-B|--ignore-other)/)],
  ['switch', changing(/^(-C|--force-c|--ignore-other)/)],
  ['rebase', changing(/^--update-r/)],
  // Into a branch of this repository.
  ['fetch', changing(/^[^-].*:/)],
  ['pull', changing(/^(?!\w+:\/\/|[\w.-]+@)[^-].*:/)],
  ['push', (args) => /^(\.|\/|~|file:)/.test(args.find((one) => !one.startsWith('-')) ?? '')],
]);

function changing(option: RegExp): (args: readonly string[]) => boolean {
  return (args) => args.some((one) => option.test(one));
}

/** It may change what the user's checkout shares with a worktree. */
export function changesShared(command: SimpleCommand): boolean {
  const { words } = unwrap(command.words);
  if (commandName(words) !== 'git') return false;
  const args = words.slice(1).map(({ value }) => value);
  const [name = '', ...rest] = ownOptions(args).rest;
  return shared.get(name)?.(rest) === true && !isReadOnlyGit(args);
}
