// The shell text that runs one command and keeps its output, exit code and last folder in files.
import { randomBytes } from 'node:crypto';
import { CREDENTIAL_VARIABLES, isCredentialVariable } from '../../core/text/credentials';
import { GIT_SETTINGS } from './command-environment';
import { type RunFiles } from './run-files';

export interface CaptureOptions {
  /** The path of bash. */
  bash: string;
  files: RunFiles;
  /** From `newEndMark()`. */
  endMark: string;
  /** Value of `DEFT_RUN`, by which the run's processes are found. */
  mark: string;
  cwd: string;
  /** The command reads the terminal, or nothing at all. Never an open pipe: some programs would read it for ever. */
  input: 'terminal' | 'nothing';
  /** What the wrapper's own standard output contains: nothing, all output, or the first part of it. */
  display: 'nothing' | 'all' | { maxBytes: number };
  /** Printed before the output. */
  title?: string;
  /** Set on the terminal first; for a terminal that nobody else has set up. */
  size?: { columns: number; rows: number };
  /** Exports that the command's shell reads first, where the file is there. */
  environmentFile?: string | undefined;
  /** `files.names` is there. */
  named?: boolean;
  /** Variables to set, or with null to unset. */
  variables: Readonly<Record<string, string | null>>;
}

const ID_BYTES = 12;

/** An invisible terminal sequence that the command cannot know beforehand. */
export function newEndMark(): string {
  return `\u001b]6973;end-${randomBytes(ID_BYTES).toString('hex')}\u0007`;
}

/** One word for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A bash script. Its parts:
 * - Start-up files may have exported credentials; they are unset by a second `exec`, so that neither the environment that
 *   the kernel shows nor that of the command holds them, and once more in the command's shell (`BASH_ENV`).
 * - Output goes through a real pipe into a writer that outlives signals. The end mark follows through the same pipe: what
 *   is before it is complete, however slow the writer.
 * - `set -m` gives the command a process group and the terminal: a signal to it leaves the wrapper alive to report, and
 *   what runs on in the background gets no SIGHUP when the wrapper ends.
 * - The first wrapper that starts claims the run: a line that was typed twice, or read late, runs its command once.
 * - The command's shell writes its pid first: no pid file proves that nothing ran.
 * - A stopped command stops the wrapper too, so that the user's shell can take both back with `fg`.
 */
export function captureWrapper(options: CaptureOptions): string {
  const { files, bash, environmentFile } = options;
  const inner = [
    `echo $$ >${quote(files.pid)} || exit 125`,
    `unset BASH_EXECUTION_STRING ${CREDENTIAL_VARIABLES.join(' ')}`,
    `trap ${quote(`{ echo $?; pwd -P; } 2>/dev/null >${quote(files.farewell)}`)} EXIT`,
    ...(environmentFile === undefined
      ? []
      : [
          `[ ! -r ${quote(environmentFile)} ] || . ${quote(environmentFile)} >/dev/null 2>&1; unset ${CREDENTIAL_VARIABLES.join(' ')}`,
        ]),
    ...(options.named === true ? [`. ${quote(files.names)} >/dev/null 2>&1`] : []),
    `eval "$(<${quote(files.command)})"`,
  ].join('; ');
  const lines = [
    '# Deft runs one command and keeps its output and exit code.',
    ...again(options),
    `unset ${CREDENTIAL_VARIABLES.join(' ')}`,
    `(set -C; : >${quote(files.claim)}) 2>/dev/null || exit 125`,
    ...Object.entries(options.variables).flatMap(([name, value]) => assignment(name, value)),
    ...gitSettings(),
    ...(options.size ? [`stty sane cols ${options.size.columns} rows ${options.size.rows}`] : []),
    ...(options.title === undefined ? [] : [`printf '%s\\n' ${quote(options.title)}`]),
    'exec 2>/dev/null',
    `cd -- ${quote(options.cwd)} || exit 125`,
    'trap : INT QUIT HUP TERM',
    `exec 9> >(trap '' INT QUIT HUP TERM PIPE TTOU; PATH=/usr/bin:/bin:$PATH; exec 9>&-; ${writer(options)})`,
    'writer=$!',
    'set -m',
    `DEFT_RUN=${quote(options.mark)} ${quote(bash)} -c ${quote(inner)} ${options.input === 'nothing' ? '</dev/null ' : ''}>&9 2>&1 9>&-`,
    'code=$?',
    // A writer that was killed must not take the exit code with it.
    "trap '' PIPE",
    'PATH=/usr/bin:/bin:$PATH',
    'while [ $code -gt 128 ] && [ -n "$(jobs -s)" ]; do',
    // Shown output ends here for whoever waits; where the user continues the command, another mark follows.
    `  printf '%s' ${quote(options.endMark)} >&9; echo stopped >${quote(files.stopped)}; kill -STOP $$; rm -f ${quote(files.stopped)}; fg >/dev/null; code=$?`,
    'done',
    `printf '%s' ${quote(options.endMark)} >&9`,
    'exec 9>&-',
    `echo $code >${quote(`${files.exitCode}.part`)} && mv ${quote(`${files.exitCode}.part`)} ${quote(files.exitCode)}`,
    // The prompt of the user's shell comes after the last line of output, unless something holds the pipe open.
    ...(options.display === 'nothing'
      ? []
      : ['i=0; while kill -0 $writer && [ $i -lt 20 ]; do i=$((i + 1)); sleep 0.01; done']),
    'exit $code',
  ];
  return lines.join('\n') + '\n';
}

/** bash finds the terminal only where job control is on from the start; with its errors sent away it would not find it later. */
function again({ bash, files, input }: CaptureOptions): string[] {
  const anyKey = `-n "${CREDENTIAL_VARIABLES.map((name) => `\${${name}+x}`).join('')}"`;
  const condition = input === 'terminal' ? '[ -z "${1-}" ]' : `[ -z "\${1-}" ] && [ ${anyKey} ]`;
  const flag = input === 'terminal' ? ' -m' : '';
  return [
    `if ${condition}; then`,
    `  unset ${CREDENTIAL_VARIABLES.join(' ')}; exec ${quote(bash)}${flag} ${quote(files.wrapper)} again`,
    'fi',
  ];
}

function writer({ display, files }: CaptureOptions): string {
  const output = quote(files.output);
  if (display === 'nothing') return `exec cat >>${output}`;
  if (display === 'all') return `exec tee -a ${output}`;
  // Unbuffered, or a prompt without a newline would not be seen. Without stdbuf everything is shown.
  return [
    `tee -a ${output} | if command -v stdbuf >/dev/null; then stdbuf -o0 head -c ${display.maxBytes};`,
    `if [ "$(head -c 1 | wc -c)" -gt 0 ]; then printf '\\n[... more output; it is not shown here, the agent gets all of it]\\n'; cat >/dev/null; fi;`,
    'else cat; fi',
  ].join(' ');
}

/** Only here it is known how many pairs there are: start-up files may have set some. */
function gitSettings(): string[] {
  return [
    'deft_count=${GIT_CONFIG_COUNT:-0}; case $deft_count in *[!0-9]* | ?????*) deft_count=0 ;; esac; deft_count=$((10#$deft_count))',
    ...GIT_SETTINGS.map(([key, value], index) => {
      const number = `$((deft_count + ${index}))`;
      return `export "GIT_CONFIG_KEY_${number}=${key}" "GIT_CONFIG_VALUE_${number}=${value}"`;
    }),
    `export GIT_CONFIG_COUNT=$((deft_count + ${GIT_SETTINGS.length}))`,
    'unset deft_count',
  ];
}

function assignment(name: string, value: string | null): string[] {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || isCredentialVariable(name)) return [];
  return [value === null ? `unset ${name}` : `export ${name}=${quote(value)}`];
}
