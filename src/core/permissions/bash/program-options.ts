// Options and subcommands with which ordinary programs (git, tar, rsync …) run another one that the command line names.
import { type RunByOption, runsByFind, runsByMake, setsByExport } from './run-by-words';
import { commandName, type ShellWord } from './simple-command';

/** Empty where the words run nothing but the program itself. Names of long options may be shortened. */
export function runByOptions(words: readonly ShellWord[]): RunByOption[] {
  const name = commandName(words) ?? '';
  const values = words.map(({ value }) => value);
  const own = name === 'npx' ? ownOptionsEnd(values) : name === 'ssh' ? remoteCommand(words) : words.length;
  const chosen = name === 'git' || name === 'curl' || programs.has(name) ? chosenByLine(words.slice(0, own)) : [];
  if (name === 'git') return [...byGit(values), ...chosen];
  if (name === 'find') return runsByFind(words);
  if (/^g?make$/.test(name)) chosen.push(...runsByMake(values));
  if (/^(export|declare|typeset|readonly)$/.test(name)) return setsByExport(words);
  const options = programs.get(name === 'npm' && npmScripts.test(values[1] ?? '') ? 'pnpm' : name);
  if (options === undefined) return chosen;
  values.splice(own);
  return [
    ...withValues(values, 1, options).filter(({ name: option, code }) => !isHarmless(option, code, options)),
    ...chosen,
  ];
}

/** It has options that make it run another program. */
export function mayRunByOption(name: string): boolean {
  return name === 'git' || programs.has(name);
}

function isHarmless(option: string, code: string, { harmless, harmlessOf = [] }: Options): boolean {
  const own = harmlessOf.find(([names]) => names.test(option));
  return (own === undefined ? harmless : own[1])?.test(code) === true;
}

/** What the line itself puts in place of a word may be an option: `tar $(echo --to-command=x)`, `tar -{x,I}`. */
function chosenByLine(words: readonly ShellWord[]): RunByOption[] {
  const end = words.findIndex(({ value }) => value === '--');
  return words.slice(0, end < 0 ? undefined : end).flatMap(({ kind, text, value }, index) => {
    const may =
      index > 0 &&
      kind === 'dynamic' &&
      /^["']?(-[^=\s]*)?(\$\(|`|\{|\$\{\w+:?[-+=/])/.test(text) &&
      !valuedWords.has(words[index - 1]?.value ?? '');
    return may ? [{ index, code: value }] : [];
  });
}

/** The next word is their value, whatever is in it, as long as it is one word. */
const valuedWords = new Set('-m -am --message -b -B -F --author --date -t --title --body -n'.split(' '));

/** Where the command of `npx` begins: what follows it is that command's. A word after an option may be its value. */
function ownOptionsEnd(values: readonly string[]): number {
  const at = values.findIndex(
    (value, index) =>
      index > 0 &&
      !value.startsWith('-') &&
      (index === 1 || npxFlags.test(values[index - 1] ?? '') || !(values[index - 1] ?? '').startsWith('-')),
  );
  return at < 0 ? values.length : at;
}

/** Where the command for the other machine begins: behind the machine, and further options. A word that is not plain may be one. */
function remoteCommand(words: readonly ShellWord[]): number {
  let machines = 0;
  for (let index = 1; index < words.length; index++) {
    const { kind = 'literal', value = '' } = words[index] ?? {};
    if (kind !== 'literal') continue;
    if (!value.startsWith('-')) {
      if (++machines > 1) return index;
    } else if (/^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOoPpQRSWw]$/.test(value)) index++;
  }
  return words.length;
}

/** To these `-c` means nothing: it is left over for the script. Their shell is chosen as with `pnpm`. */
const npmScripts = /^(run|run-script|test|t|start|ci|install|i)$/;
const npxFlags = /^(-y|--yes|--no-install|--offline|--prefer-offline|-[^=]+=.*)$/s;

interface Options {
  /** A letter takes the rest of its word, or the next one. */
  short?: RegExp;
  long?: string[];
  /** Options of several letters, as they are. */
  exact?: string[];
  /** Values of everyday use, whole. */
  harmless?: RegExp;
  /** The same for some options alone. */
  harmlessOf?: [names: RegExp, values: RegExp][];
}

const tar: Options = {
  short: /^-?[A-Za-z]*?[IF](.*)$/,
  long: [
    '--to-command',
    '--checkpoint-action',
    '--use-compress-program',
    '--rsh-command',
    '--rmt-command',
    '--info-script',
    '--new-volume-script',
  ],
  harmless: /^((pi|un)?p?(gzip|zstd|zstdmt|bzip2|xz|lz4|lzma|lzip|lzop|brotli|pigz|pixz)( -[\dT]+)*)$/,
  harmlessOf: [[/^--ch/, /^(echo|ttyout)(=[^`$]*)?$|^(dot|bell|totals|sleep=\d+)$/]],
};

const go: Options = {
  exact: ['-exec', '--exec', '-toolexec', '--toolexec', '-vettool', '--vettool', '-ldflags', '--ldflags'],
  harmlessOf: [[/ldflags/, /^(?!.*ext)/s]],
};

/** Files that say which programs it runs are the same as those programs. */
const npm: Options = {
  exact: ['-c'],
  long: [
    '--call',
    '--script-shell',
    '--shell',
    '--node-options',
    '--userconfig',
    '--globalconfig',
    '--git',
    '--editor',
    '--browser',
    '--viewer',
    '--init-module',
    '--config',
  ],
  // `--browser` and its like are options of scripts, too, where no program is named.
  harmlessOf: [[/^--(browser|git|config|editor|viewer|shell)$/, /^(true|false|[\w-]+\.[\w.-]+|)$/]],
};

const make: Options = { short: /^-[A-DF-Za-eg-z]*E(.*)$/, long: ['--eval'] };

/** Settings of ssh, and files of them. */
const sshSettings: [names: RegExp, values: RegExp][] = [
  [
    /^-[A-Za-z]*o/,
    /^(StrictHostKeyChecking|BatchMode|ConnectTimeout|Port|User|UserKnownHostsFile|LogLevel|ServerAlive\w+|IdentitiesOnly|IdentityFile|PreferredAuthentications|PasswordAuthentication|RequestTTY|ForwardAgent|Compression)[= ][\w./~-]+$/i,
  ],
  [/^-[A-Za-z]*F/, /^(~\/\.ssh\/config|\/dev\/null|none)$/],
];

const secureCopy: Options = { short: /^-[A-Za-bd-hj-np-z\d]*[SDoF](.*)$/, harmlessOf: sshSettings };

/** Letters that take no value come before. */
const secureShell: Options = { short: /^-[46AaCfGgKkMNnqsTtVvXxYy]*[oFI](.*)$/, harmlessOf: sshSettings };

const pager = /^(never|always|auto|cat|less( -[A-Za-z]+)*|more)$/;
const pagers: Options = { long: ['--pager'], harmless: pager };

const compiler: Options = { exact: ['-wrapper', '-specs', '--specs', '-fplugin', '-load', '-Xclang', '-B'] };

const programs = new Map<string, Options>([
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  [
    'rsync',
    {
      short: /^-[A-Za-z]*e(.*)$/,
      long: ['--rsh', '--rsync-path', '--config'],
      harmless: /^(ssh( -(\d|[46ACq]|[pil] ?[\w@./~-]+))*|rsync|sudo rsync)$/,
    },
  ],
  ['zip', { short: /^-[A-Za-z]*TT(.*)$/, long: ['--unzip-command'] }],
  ['sort', { long: ['--compress-program'], harmless: /^(gzip|zstd|bzip2|xz|lz4|lzop)$/ }],
  ['rg', { exact: ['--pre', '--hostname-bin'] }],
  ['make', make],
  ['gmake', make],
  ['ssh', secureShell],
  ['scp', secureCopy],
  ['sftp', secureCopy],
  // `-H` alone opens a browser.
  ['man', { short: /^-[A-Za-z]*?[PHC](.*)$/, long: ['--pager', '--html', '--config-file'], harmless: pager }],
  ['split', { long: ['--filter'] }],
  ['ag', pagers],
  ['ack', pagers],
  ['bat', pagers],
  ['batcat', pagers],
  ['tcpdump', { short: /^-[A-Za-z]*?z(.*)$/, long: ['--postrotate-command'] }],
  ['kubectl', { long: ['--kubeconfig'], harmless: /^~\/\.kube\/[\w.-]+$/ }],
  ['helm', { long: ['--kubeconfig', '--post-renderer'], harmless: /^~\/\.kube\/[\w.-]+$/ }],
  ['wget', { short: /^-[A-Za-z]*?e(.*)$/, long: ['--execute', '--use-askpass', '--config'] }],
  ['npm', npm],
  ['npx', npm],
  ['pnpm', { ...npm, exact: [] }],
  ['yarn', { long: ['--script-shell', '--use-yarnrc'] }],
  ['cargo', { long: ['--config'] }],
  ['gcc', compiler],
  ['g++', compiler],
  ['cc', compiler],
  ['clang', compiler],
  ['clang++', compiler],
  ['go', go],
]);

/** For each subcommand of git; `rest`: what follows this word is the command. */
const gitOptions = new Map<string, Options & { rest?: string }>([
  ['submodule', { rest: 'foreach' }],
  ['bisect', { rest: 'run' }],
  ['rebase', { short: /^-[a-z]*x(.*)$/, long: ['--exec'] }],
  ['difftool', { short: /^-[a-z]*x(.*)$/, long: ['--extcmd'] }],
  ['grep', { short: /^-[A-Za-z]*O(.*)$/, long: ['--open-files-in-pager'] }],
  ['clone', { short: /^-[a-z]*[uc](.*)$/, long: ['--upload-pack', '--config', '--template'] }],
  ['init', { long: ['--template'] }],
  ['fetch', { long: ['--upload-pack'] }],
  ['pull', { long: ['--upload-pack'] }],
  ['ls-remote', { long: ['--upload-pack', '--exec'] }],
  ['fetch-pack', { long: ['--upload-pack', '--exec'] }],
  ['push', { long: ['--receive-pack', '--exec'] }],
  ['send-pack', { long: ['--receive-pack', '--exec'] }],
  ['archive', { long: ['--exec'] }],
  [
    'filter-branch',
    {
      exact: [
        '--setup',
        '--env-filter',
        '--tree-filter',
        '--index-filter',
        '--parent-filter',
        '--msg-filter',
        '--commit-filter',
        '--tag-name-filter',
      ],
    },
  ],
  [
    'send-email',
    {
      long: ['--sendmail-cmd', '--to-cmd', '--cc-cmd', '--header-cmd', '--smtp-server'],
      // A server is no program, a path is one.
      harmlessOf: [[/^--sm/, /^[\w.-]+$/]],
    },
  ],
  ['instaweb', { short: /^-[a-z]*d(.*)$/, long: ['--httpd'] }],
]);

/** Settings whose value git runs. */
const runSettings =
  /^(alias\.|core\.(pager|editor|sshcommand|fsmonitor|askpass|alternaterefscommand|gitproxy)=|diff\.external=|sequence\.editor=|[\w.-]+\.(textconv|command|cmd|path|clean|smudge|process|helper|program|driver|exec|uploadpack|receivepack)=)/i;

function byGit(values: readonly string[]): RunByOption[] {
  const found: RunByOption[] = [];
  let index = 1;
  for (; index < values.length; index++) {
    const value = values[index] ?? '';
    if (!value.startsWith('-')) break;
    if (value === '-c' && runSettings.test(values[index + 1] ?? ''))
      found.push({ index, code: (values[index + 1] ?? '').replace(/^[^=]*=!?/, '') });
    if (gitValued.has(value)) index++;
  }
  const options = gitOptions.get(values[index] ?? '');
  // A helper of git that runs the rest of the address; it has a command of its own, too.
  values.forEach((value, at) => {
    const [, code] = /^(?:--?[\w-]+=)?ext::(.*)/s.exec(value) ?? [];
    if (at > index && code !== undefined) found.push({ index: at, code });
  });
  if (values[index] === 'remote-ext') found.push({ index, code: values.slice(index + 2).join(' ') });
  if (options === undefined) return found;
  const rest = options.rest === undefined ? -1 : values.indexOf(options.rest, index + 1);
  if (rest > 0)
    found.push({
      index: rest,
      code: values
        .slice(rest + 1)
        .filter((value, at) => at > 0 || !value.startsWith('-'))
        .join(' '),
    });
  const named = withValues(values, index + 1, options).filter(({ name, code }) => !isHarmless(name, code, options));
  return [...found, ...named];
}

/** Options of git itself whose next word is their value. */
export const gitValued: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
  '--super-prefix',
  '--attr-source',
]);

function withValues(
  values: readonly string[],
  from: number,
  { short, long = [], exact = [] }: Options,
): (RunByOption & { name: string })[] {
  const found: (RunByOption & { name: string })[] = [];
  for (let index = from; index < values.length; index++) {
    const value = values[index] ?? '';
    if (value === '--') break;
    const [name = '', ...attached] = value.split('=');
    const next = values[index + 1] ?? '';
    // `--no` alone is the opposite of `--yes`.
    const denies = value === '--no';
    if (exact.includes(name) || (!denies && name.startsWith('--') && isShortened(name, long)))
      found.push({ index, name, code: attached.length > 0 ? attached.join('=') : next });
    else if (!name.startsWith('--') && (value.startsWith('-') || index === from)) {
      const rest = short?.exec(value)?.[1];
      if (rest !== undefined)
        found.push({ index, name: value.slice(0, value.length - rest.length), code: rest === '' ? next : rest });
    }
  }
  return found;
}

function isShortened(name: string, long: readonly string[]): boolean {
  return name.length > 2 && long.some((option) => option === name || (option.startsWith(name) && !whole.has(name)));
}

/** Options that others begin with. */
const whole = new Set(['--checkpoint', '--exclude', '--update']);
