// Which git invocations only look: known subcommands, without options that write, run programs or reach elsewhere.

/** `args` without `git`. Options before the subcommand decide where git looks and what it runs: few are let through. */
export function isReadOnlyGit(args: string[]): boolean {
  let index = 0;
  while (['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs'].includes(args[index] ?? '')) index++;
  const [subcommand = '', ...rest] = args.slice(index);
  if (subcommand === '--version' || subcommand === 'version') return rest.length === 0;
  const check = subcommands.get(subcommand);
  return check !== undefined && !rest.some(isDangerous) && check(rest);
}

/** git takes shortened long options, as long as they are unique. */
function isDangerous(argument: string): boolean {
  if (!argument.startsWith('--') || argument === '--') return false;
  const [name = ''] = argument.split('=');
  if (harmless.has(name)) return false;
  return dangerous.some((option) => option.startsWith(name));
}

const dangerous = [
  '--output',
  '--output-directory',
  '--ext-diff',
  '--textconv',
  '--filters',
  '--open-files-in-pager',
  '--exec',
  '--upload-pack',
  '--recurse-submodules',
  '--index-info',
  '--update',
  '--stdin',
];
const harmless = new Set([
  '--text',
  '--exit-code',
  '--oneline',
  '--others',
  '--format',
  '--find-renames',
  '--full-index',
  '--first-parent',
  '--stat',
]);

const listingOptions =
  /^(-[arvliq]+|-vv|--(list|all|remotes|verbose|show-current|no-color|color(=\w+)?|no-column|column|ignore-case|(format|sort|points-at)=.*))$/;
const listingWithCommit = /^--(no-)?(contains|merged)(=.*)?$/;

const always = (): boolean => true;
const none = (args: string[]): boolean => args.length === 0;

const subcommands = new Map<string, (args: string[]) => boolean>([
  ...[
    'status',
    'diff',
    'log',
    'show',
    'shortlog',
    'rev-parse',
    'rev-list',
    'ls-files',
    'ls-tree',
    'describe',
    'blame',
    'annotate',
    'cat-file',
    'name-rev',
    'merge-base',
    'show-ref',
    'for-each-ref',
    'diff-tree',
    'diff-index',
    'diff-files',
    'count-objects',
    'check-ignore',
    'check-attr',
    'cherry',
    'range-diff',
    'whatchanged',
    'show-branch',
    'var',
  ].map((name): [string, (args: string[]) => boolean] => [name, always]),
  ['grep', (args) => !args.some((argument) => /^-[A-Za-z]*O/.test(argument))],
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
      none(args) ||
      (args.length === 1 && /^(-v|--verbose)$/.test(args[0] ?? '')) ||
      (args[0] === 'get-url' && args.length === 2),
  ],
  ['stash', (args) => args[0] === 'list' || args[0] === 'show'],
  ['worktree', (args) => args[0] === 'list'],
  ['reflog', (args) => none(args) || args[0] === 'show' || /^-/.test(args[0] ?? '')],
  ['config', isConfigQuestion],
]);

/** Names make a branch or tag, unless they are patterns of a listing or commits to look for. */
function isListing(args: string[], listFlags: string[]): boolean {
  const lists = args.some((argument) => listFlags.includes(argument));
  return args.every((argument, index) => {
    if (listingOptions.test(argument) || listingWithCommit.test(argument)) return true;
    if (argument.startsWith('-')) return false;
    return lists || listingWithCommit.test(args[index - 1] ?? '');
  });
}

function isConfigQuestion(args: string[]): boolean {
  const question = args.find(
    (argument) =>
      !/^--(global|local|system|worktree|show-origin|show-scope|name-only|type=\w+|bool|int|path|includes|no-includes|null)$/.test(
        argument,
      ),
  );
  if (!['--get', '--get-all', '--get-regexp', '--list', '-l', 'get', 'list'].includes(question ?? '')) return false;
  return !args.some((argument) =>
    /^(-f|--file|--blob|--edit|-e|--add|--unset|--replace|--rename|--remove)/.test(argument),
  );
}
