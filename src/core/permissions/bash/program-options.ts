// Options and subcommands with which ordinary programs (git, tar, rsync …) run another one that the command line names.
import { commandName, type ShellWord } from './simple-command';

export interface RunByOption {
  /** The word that makes it run something. A rule that spells it out covers that. */
  index: number;
  /** What is run, as a shell would read it. */
  code: string;
}

/** Empty where the words run nothing but the program itself. Names of long options may be shortened. */
export function runByOptions(words: readonly ShellWord[]): RunByOption[] {
  const name = commandName(words) ?? '';
  const values = words.map(({ value }) => value);
  if (name === 'git') return byGit(values);
  const options = programs.get(name === 'npm' && npmScripts.test(values[1] ?? '') ? 'pnpm' : name);
  if (name === 'npx') values.splice(ownOptionsEnd(values));
  return options === undefined
    ? []
    : withValues(values, 1, options).filter(({ code }) => !options.harmless?.test(code));
}

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

/** To these `-c` means nothing: it is left over for the script. Their shell is chosen as with `pnpm`. */
const npmScripts = /^(run|run-script|test|t|start|ci|install|i)$/;
const npxFlags = /^(-y|--yes|--no-install|--offline|--prefer-offline|-[^=]+=.*)$/s;

interface Options {
  /** A letter takes the rest of its word, or the next one. */
  short?: RegExp;
  long?: string[];
  /** Options of several letters, as they are. */
  exact?: string[];
  /** Values of everyday use. */
  harmless?: RegExp;
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
  harmless:
    /^((pi|un)?p?(gzip|zstd|zstdmt|bzip2|xz|lz4|lzma|lzip|lzop|brotli|pigz|pixz)( -[\dT]+)*|(echo|dot|ttyout|bell)\b.*)$/,
};

const go: Options = { exact: ['-exec', '--exec', '-toolexec', '--toolexec', '-vettool', '--vettool'] };

const programs = new Map<string, Options>([
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  [
    'rsync',
    {
      short: /^-[A-Za-z]*e(.*)$/,
      long: ['--rsh', '--rsync-path'],
      harmless: /^(ssh( -(\d|[46ACq]|[pil] ?[\w@./~-]+))*|rsync|sudo rsync)$/,
    },
  ],
  ['zip', { exact: ['-TT', '--unzip-command'] }],
  ['sort', { long: ['--compress-program'], harmless: /^(gzip|zstd|bzip2|xz|lz4|lzop)$/ }],
  ['rg', { exact: ['--pre', '--hostname-bin'] }],
  ['make', { exact: ['--eval', '-E'] }],
  ['gmake', { exact: ['--eval', '-E'] }],
  ['scp', { short: /^-[A-Za-z\d]*[SD](.*)$/ }],
  ['sftp', { short: /^-[A-Za-z\d]*[SD](.*)$/ }],
  ['npm', { exact: ['-c', '--call', '--script-shell'] }],
  ['npx', { exact: ['-c', '--call', '--script-shell'] }],
  ['pnpm', { exact: ['--script-shell'] }],
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
  ['send-email', { long: ['--sendmail-cmd', '--to-cmd', '--cc-cmd', '--header-cmd'] }],
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
  // A helper of git that runs the rest of the address.
  values.forEach(
    (value, at) => at > index && value.startsWith('ext::') && found.push({ index: at, code: value.slice(5) }),
  );
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
  return [...found, ...withValues(values, index + 1, options)];
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

function withValues(values: readonly string[], from: number, { short, long = [], exact = [] }: Options): RunByOption[] {
  const found: RunByOption[] = [];
  for (let index = from; index < values.length; index++) {
    const value = values[index] ?? '';
    if (value === '--') break;
    const [name = '', ...attached] = value.split('=');
    const next = values[index + 1] ?? '';
    if (exact.includes(name) || (name.startsWith('--') && isShortened(name, long)))
      found.push({ index, code: attached.length > 0 ? attached.join('=') : next });
    else if (!name.startsWith('--') && (value.startsWith('-') || index === from)) {
      const rest = short?.exec(value)?.[1];
      if (rest !== undefined) found.push({ index, code: rest === '' ? next : rest });
    }
  }
  return found;
}

function isShortened(name: string, long: readonly string[]): boolean {
  return name.length > 3 && long.some((option) => option === name || (option.startsWith(name) && !whole.has(name)));
}

/** Options that others begin with. */
const whole = new Set(['--checkpoint', '--check', '--exclude', '--update']);
