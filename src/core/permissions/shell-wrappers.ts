// Commands that run another command: which of them a rule sees through, and what else hides inside a command.
import { parseShell } from './bash/shell-command';
import { runByOptions } from './bash/program-options';
import { resolveVariables } from './bash/shell-variables';
import { commandName, type ShellAssignment, type ShellWord, type SimpleCommand } from './bash/simple-command';

export interface Unwrapped {
  words: readonly ShellWord[];
  /** Further arguments come from elsewhere (xargs). */
  open: boolean;
}

/** Takes off wrappers that only change how a command runs. Stops at anything that is not plainly one of them. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  let unwrapped = unwrappedWords.get(words);
  if (unwrapped === undefined) {
    unwrapped = takeOff(words);
    unwrappedWords.set(words, unwrapped);
  }
  return unwrapped;
}

/** Every check of a command asks for it. */
const unwrappedWords = new WeakMap<readonly ShellWord[], Unwrapped>();

function takeOff(words: readonly ShellWord[]): Unwrapped {
  let start = 0;
  let open = false;
  for (;;) {
    const name = words[start]?.kind === 'literal' ? (words[start]?.value ?? '') : '';
    const length = wrapperLength(name, words, start);
    if (length === 0 || start + length >= words.length)
      return { words: start === 0 ? words : words.slice(start), open };
    open ||= name === 'xargs';
    start += length;
  }
}

/** Settings of the environment that cannot change what a command does to files or what code it loads. */
export function areSafeAssignments(assignments: readonly ShellAssignment[]): boolean {
  return assignments.every(
    ({ name, value }) => safeVariables.test(name) && value.kind === 'literal' && /^[\w.,:@%+=-]*$/.test(value.value),
  );
}

export interface AllCommands {
  commands: SimpleCommand[];
  /** False where there are more, or deeper ones, than are worth looking at. */
  complete: boolean;
  /** Those that stand once more with all that their variables may be. */
  replaced: ReadonlySet<SimpleCommand>;
}

/**
 * The commands of a line and every command that they may run besides themselves: behind wrappers and runners, in
 * `find -exec`, in the text that a shell is given. For deny and ask rules, not for leave: it guesses generously.
 */
export function withHiddenCommands(written: readonly SimpleCommand[]): AllCommands {
  let all = hiddenIn.get(written);
  if (all === undefined) {
    const found = findHidden(written);
    const { commands, replaced } = resolveVariables(found.commands);
    const resolved = commands.length === 0 ? undefined : findHidden(commands);
    all = {
      commands: [...found.commands, ...(resolved?.commands ?? [])],
      complete: found.complete && resolved?.complete !== false,
      replaced,
    };
    hiddenIn.set(written, all);
  }
  return all;
}

/** A line is read once, and every check and every suggestion looks at it. */
const hiddenIn = new WeakMap<readonly SimpleCommand[], AllCommands>();

function findHidden(written: readonly SimpleCommand[]): Pick<AllCommands, 'commands' | 'complete'> {
  const line = [...written, ...pipedCommands(written)];
  const commands: SimpleCommand[] = [];
  let left = maxHidden;
  let wordsLeft = maxHiddenWords;
  let complete = true;
  for (const command of line) {
    commands.push(command);
    const seen = new Set<string>();
    let level = [command];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) {
        complete &&= level.every((one) => codeOf(commandName(one.words) ?? '', one).length === 0);
        break;
      }
      const next: SimpleCommand[] = [];
      for (const outer of level) {
        for (const one of runBy(outer, seen)) {
          if (one === 'more') {
            complete = false;
            continue;
          }
          wordsLeft -= one.words.length;
          if (left-- <= 0 || wordsLeft < 0) return { commands, complete: false };
          next.push(one);
          commands.push(one);
        }
      }
      level = next;
    }
  }
  return { commands, complete };
}

/** What a shell of the line reads from those that print: `echo rm x | sh`. Which pipe leads where is not asked. */
function pipedCommands(line: readonly SimpleCommand[]): SimpleCommand[] {
  const reads = line.some(({ words }) => {
    const starts = runners.has(commandName(words) ?? '')
      ? words.slice(0, maxStarts).map((_, index) => words.slice(index))
      : [words];
    return starts.some((inner) => pipeShell.test(interpreterName(commandName(inner) ?? '')) && readsCode(inner, false));
  });
  if (!reads) return [];
  return line.flatMap(({ words, redirections }) => {
    const name = commandName(unwrap(words).words) ?? '';
    const texts = redirections.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
    if (name === 'echo' || name === 'printf')
      texts.push(
        unwrap(words)
          .words.slice(1)
          .map(({ value }) => value)
          .filter((value) => !/^-[neE]+$/.test(value))
          .join(' ')
          .replaceAll('\\n', '\n'),
      );
    return texts.flatMap((text) => parseShell(text).commands.map((command) => ({ ...command, moves: [] })));
  });
}

const maxStarts = 12;
const pipeShell = /^(ba|z|da|k|fi)?sh$/;

/** What one command runs, without what that runs in turn; words that were `seen` are left out. `more`: not all of it. */
function* runBy(command: SimpleCommand, seen: Set<string>): Generator<SimpleCommand | 'more'> {
  const { words } = command;
  const name = commandName(words) ?? '';
  for (const start of startsOf(name, words)) {
    const part = words.slice(start);
    const text = textOf(part);
    if (part.length === 0 || seen.has(text)) continue;
    seen.add(text);
    yield { ...command, words: part, assignments: [], text };
  }
  const { code: given, complete } = optionCode(name, words);
  for (const code of [...codeOf(name, command), ...given]) yield* parseShell(code).commands;
  if (!complete) yield 'more';
}

/** Commands in the values of options. */
function optionCode(name: string, words: readonly ShellWord[]): { code: string[]; complete: boolean } {
  const code = runByOptions(words).map((one) => one.code);
  const attached = name === 'env' ? splitString : isFd(name) ? fdAction : undefined;
  if (attached === undefined) return { code, complete: true };
  for (const [index, { value }] of words.entries()) {
    const text = attached.exec(value)?.[1] ?? '';
    if (text === '') continue;
    if (code.length >= maxCodes) return { code, complete: false };
    code.push([text, ...words.slice(index + 1).map((word) => word.value)].join(' '));
  }
  return { code, complete: true };
}

/** What stands behind the first of them belongs to what it runs; one in front may be the value of another option. Each is read with all that follows it. */
const maxCodes = 4;

const splitString = /^(?:-[A-Za-z]*S|--split-string=)\s*([\s\S]*)$/;
const fdAction = /^(?:-[A-Za-z\d]*?[xX]|--exec(?:-batch)?=)(.*)$/;

export function isFd(name: string): boolean {
  return name === 'fd' || name === 'fdfind';
}

/** Where in the words another command may begin. */
function startsOf(name: string, words: readonly ShellWord[]): number[] {
  const starts: number[] = [];
  const finds = name === 'find' || isFd(name);
  words.forEach(({ value }, index) => {
    if (runners.has(name) && index > 0 && !value.startsWith('-')) starts.push(index);
    if (finds && /^-(exec|execdir|ok|okdir|-exec|-exec-batch)$/.test(value)) starts.push(index + 1);
    if (isFd(name) && /^-[A-Za-z\d]*[xX]$/.test(value)) starts.push(index + 1);
  });
  return starts;
}

/** True where an interpreter takes its program from its input: what that is does not show in its words. */
export function readsCode(words: readonly ShellWord[], hasInput: boolean): boolean {
  if (!interpreters.has(interpreterName(commandName(words) ?? ''))) return false;
  const args = words.slice(1);
  if (runsScript(words)) return false;
  // `bash -s stable`: the operands are for what it reads.
  const options = args.slice(
    0,
    Math.max(
      0,
      args.findIndex(({ value }) => !value.startsWith('-')),
    ),
  );
  if (
    pipeShell.test(interpreterName(commandName(words) ?? '')) &&
    options.some(({ value }) => /^-[abefhmnptuvxs]*s[a-z]*$/.test(value))
  )
    return true;
  if (args.some(({ value }) => /^\/(dev|proc\/[^/]+)\/(stdin|fd\/0)$/.test(value))) return true;
  return (
    hasInput ||
    args.some((word) => word.value === '-') ||
    args.every((word) => word.value.startsWith('-') && !versionOption.test(word.value))
  );
}

/** A file stands right behind the interpreter: whatever follows is for that program. */
function runsScript(words: readonly ShellWord[]): boolean {
  const script = words[1];
  if (
    !/^(python|pypy|node|ruby|perl|php|lua|luajit|Rscript|bash|sh|zsh|dash|ksh)$/.test(
      interpreterName(commandName(words) ?? ''),
    )
  )
    return false;
  return script?.kind === 'literal' && /^[\w./@]/.test(script.value) && !/^\/(dev|proc)\//.test(script.value);
}

/** True where the command reads code from its arguments or its input. */
export function takesInlineCode(words: readonly ShellWord[], hasInput: boolean): boolean {
  const name = interpreterName(commandName(words) ?? '');
  if (name === 'eval' || name === 'source' || name === '.') return true;
  if (!interpreters.has(name)) return false;
  if (readsCode(words, hasInput)) return true;
  if (runsScript(words)) return false;
  const own = codeOptions.find(([names]) => names.test(name))?.[1];
  if (/^(deno|bun)$/.test(name) && words.slice(1).some(({ value }) => /^(eval|exec|repl)$/.test(value))) return true;
  return words
    .slice(1)
    .some(
      ({ kind, value }) =>
        kind === 'dynamic' ||
        /^(-[A-Za-z]*[ceEpr]|--(eval|print|require|import)(=.*)?)$/s.test(value) ||
        own?.test(value) === true,
    );
}

/** The program may stand right behind the letter. */
const codeOptions: [RegExp, RegExp][] = [
  [/^(python|pypy)$/, /^-[bBdEiIOqsSuvVx]*c/],
  [/^(node|bun|deno)$/, /^-(e|p|pe|r)/],
  [/^(perl|ruby)$/, /^-(?![IMmrxX])[A-Za-z\d]*[eE]/],
  [/^php$/, /^-[rRBE]|^--(run|process-(code|begin|end))/],
  [/^(lua|luajit|Rscript|osascript)$/, /^-e/],
];

const versionOption = /^--?(version|help|V|v|h)$/;

export function isInterpreter(name: string): boolean {
  return interpreters.has(name);
}

/** Commands that run what they are given: no general rule should cover them. */
export function isRunner(name: string): boolean {
  return (
    runners.has(name) || interpreters.has(interpreterName(name)) || name === 'eval' || name === 'source' || name === '.'
  );
}

/** Never covered by a prefix rule: what they run stays hidden behind their options. */
export const opaqueRunners: ReadonlySet<string> = new Set(['watch', 'setsid', 'ionice', 'flock']);

const maxDepth = 4;
/** For a whole line. */
const maxHidden = 200;
/** Of all hidden commands together: `sudo a b c …` may run each tail of a long line. */
const maxHiddenWords = 20_000;

const runners = new Set([
  'sudo',
  'doas',
  'su',
  'runuser',
  'env',
  'nice',
  'nohup',
  'timeout',
  'stdbuf',
  'time',
  'command',
  'builtin',
  'exec',
  'noglob',
  'xargs',
  'watch',
  'setsid',
  'ionice',
  'flock',
  'parallel',
  'chroot',
  'unshare',
  'nsenter',
  'strace',
  'ltrace',
  'script',
  'ssh',
  'busybox',
  'toybox',
  'setarch',
  'fakeroot',
  'unbuffer',
  'gtimeout',
  'genv',
  'dbus-run-session',
  'xvfb-run',
  'proxychains',
  'proxychains4',
  'torsocks',
  'torify',
  'firejail',
  'prlimit',
  'numactl',
  'chrt',
  'taskset',
  'systemd-run',
  'pkexec',
  'caffeinate',
  'trap',
  'entr',
]);

const interpreters = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'csh',
  'tcsh',
  'pwsh',
  'powershell',
  'cmd',
  'python',
  'node',
  'deno',
  'bun',
  'ruby',
  'perl',
  'php',
  'lua',
  'luajit',
  'pypy',
  'awk',
  'gawk',
  'mawk',
  'osascript',
  'tclsh',
  'expect',
  'Rscript',
  'irb',
  'psql',
  'mysql',
  'sqlite',
]);

const shells = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'csh',
  'tcsh',
  'pwsh',
  'powershell',
  'tmux',
  'screen',
  'su',
  'ssh',
  'busybox',
  'script',
  'flock',
  'watch',
  'trap',
  'entr',
]);

const safeVariables =
  /^(NODE_ENV|CI|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|CGO_ENABLED)$/;

/** `python3.12` is python. */
export function interpreterName(name: string): string {
  return name.replace(/(?<=[A-Za-z])[\d.]+$/, '').replace(/\.exe$/i, '');
}

/** How many words from `start` on belong to the wrapper; 0 where the first of them is none. */
function wrapperLength(name: string, words: readonly ShellWord[], start: number): number {
  const value = (index: number): string => {
    const word = words[start + index];
    return word?.kind === 'literal' ? word.value : '-?';
  };
  const isCommand = (index: number): number => (value(index).startsWith('-') || value(index) === '' ? 0 : index);
  switch (name) {
    case 'nohup':
    case 'builtin':
    case 'noglob':
    case 'command':
    case 'xargs':
      return isCommand(1);
    case 'time':
      return isCommand(value(1) === '-p' ? 2 : 1);
    case 'nice': {
      if (value(1) === '-n' && /^-?\d+$/.test(value(2))) return isCommand(3);
      return isCommand(/^(-n?-?\d+|--adjustment=-?\d+)$/.test(value(1)) ? 2 : 1);
    }
    case 'stdbuf': {
      let index = 1;
      while (/^-[ioe](L|\d+[KMG]?)$/.test(value(index))) index++;
      return index === 1 ? 0 : isCommand(index);
    }
    case 'timeout': {
      let index = 1;
      for (;;) {
        if (/^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=\w+|-[sk]\w+)$/.test(value(index)))
          index++;
        else if (/^-[sk]$/.test(value(index)) && /^[\w.]+$/.test(value(index + 1))) index += 2;
        else break;
      }
      return /^\d+(\.\d+)?[smhd]?$/.test(value(index)) ? isCommand(index + 1) : 0;
    }
    default:
      return 0;
  }
}

/** Text that a shell reads as commands. */
export function codeOf(name: string, command: SimpleCommand): string[] {
  if (name === 'eval')
    return [
      command.words
        .slice(1)
        .map((word) => word.value)
        .join(' '),
    ];
  if (!shells.has(interpreterName(name))) return [];
  const isCode = (word: ShellWord, index: number): boolean =>
    /\s/.test(word.value) || (word.kind === 'dynamic' && /^-[a-z]*c$/.test(command.words[index]?.value ?? ''));
  const texts = command.words
    .slice(1)
    .filter(isCode)
    .map((word) => word.value);
  const input = command.redirections.flatMap((redirection) => (redirection.kind === 'text' ? [redirection.text] : []));
  return [...texts, ...input];
}

function textOf(words: readonly ShellWord[]): string {
  return words.map((word) => word.text).join(' ');
}
