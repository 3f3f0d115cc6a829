// Programs that run what they are given: runners, interpreters and shells, and where their program stands.
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';

export const pipeShell = /^(ba|z|da|k|fi)?sh$/;

export function isFd(name: string): boolean {
  return name === 'fd' || name === 'fdfind';
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

/** A file comes right after the interpreter: whatever follows is for that program. */
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

/** The program may come right after the letter. */
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

export const runners = new Set(
  (
    'sudo doas su runuser env nice nohup timeout stdbuf time command builtin exec noglob xargs watch setsid ' +
    'ionice flock parallel chroot unshare nsenter strace ltrace script ssh busybox toybox setarch fakeroot ' +
    'unbuffer gtimeout genv dbus-run-session xvfb-run proxychains proxychains4 torsocks torify firejail ' +
    'prlimit numactl chrt taskset systemd-run pkexec caffeinate trap entr'
  ).split(' '),
);

const interpreters = new Set(
  (
    'sh bash zsh dash ksh fish csh tcsh pwsh powershell cmd python node deno bun ruby perl php lua luajit pypy ' +
    'awk gawk mawk osascript tclsh expect Rscript irb psql mysql sqlite'
  ).split(' '),
);

const shells = new Set(
  (
    'sh bash zsh dash ksh fish csh tcsh pwsh powershell tmux screen su ssh busybox script flock watch trap ' + 'entr'
  ).split(' '),
);

/** `python3.12` is python. */
export function interpreterName(name: string): string {
  return name.replace(/(?<=[A-Za-z])[\d.]+$/, '').replace(/\.exe$/i, '');
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
