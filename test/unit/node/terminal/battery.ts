// Command shapes that captures have got wrong, each with what plain bash does with it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandEnd } from '../../../../src/core/ports/command-end';
import { type CommandResult } from '../../../../src/core/ports/terminal';

export interface Shape {
  name: string;
  command: string;
  /** The command reads the terminal: with nobody there it waits, which a test must not. */
  readsInput?: boolean;
  /** Output from the background may come at any time: only the exit code is compared. */
  unordered?: boolean;
}

const shape = (name: string, command: string, more: Partial<Shape> = {}): Shape => ({ name, command, ...more });

const pattern = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' 'x'`;

/** Without a tty on standard output and standard input: what the wrapper promises in every strategy. */
export const SHAPES: readonly Shape[] = [
  shape('echo', 'echo hello'),
  shape('no final newline', "printf 'no newline'"),
  shape('nothing printed', 'true'),
  shape('false', 'false'),
  shape('exit 5', 'echo before; exit 5; echo after'),
  shape('exit 255', 'exit 255'),
  shape('exit 143 in order', 'exit 143'),
  shape('subshell', '(exit 7)'),
  shape('subshell with output', '(echo in; exit 3); echo "code $?"'),
  shape('group', '{ echo a; echo b >&2; }'),
  shape('stderr order', 'for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done'),
  shape('heredoc', "cat <<'END'\nline one\n\tafter a tab\n$HOME stays\nEND"),
  shape('heredoc with variable', 'x=42\ncat <<END\nvalue $x\nEND'),
  shape('here string', 'cat <<<"one line"'),
  shape('multi-line for', 'for i in a b c\ndo\n  echo "item $i"\ndone'),
  shape('while read', 'printf \'1\\n2\\n3\' | while read -r n; do echo "got $n"; done'),
  shape('function', 'f() { echo "in $1"; return 4; }; f x'),
  shape('set -e', 'set -e; echo one; false; echo two'),
  shape('set -u', 'set -u; echo "$undefined_name"; echo after'),
  shape('pipefail', 'set -o pipefail; false | true'),
  shape('pipeline', 'seq 1 100 | grep 7 | wc -l'),
  shape('head closes the pipe', 'yes | head -n 3'),
  shape('comment only', '# nothing here'),
  shape('empty', ''),
  shape('blank lines', '\n\n  \n'),
  shape('leading blank', '   echo indented'),
  shape('trailing backslash', 'echo one \\\n  two'),
  shape('CRLF', "printf 'a\\r\\nb\\r\\n'"),
  shape('syntax error', 'if true; then echo x'),
  shape('unclosed quote', 'echo "open'),
  shape('stray parenthesis', 'echo a )'),
  shape('not found', 'no_such_command_here'),
  shape('not executable', '/etc/passwd'),
  shape('quotes', `echo 'single "in" it' "double 'in' it" \\"`),
  shape('dollars', 'echo \'$HOME\' \\$HOME "\\$(ls)"'),
  shape('backticks', 'echo `echo old`'),
  shape('exclamation', "echo 'wow!!' !x"),
  shape('glob', 'cd /; echo et?'),
  shape('brace', 'echo {a,b}{1,2}'),
  shape('unicode', "echo 'äöü 漢字 🎉 ﷽'"),
  shape('unicode cut', "printf '\\xf0\\x9f'; printf '\\x8e\\x89\\n'"),
  shape('invalid utf8', "printf 'a\\xff\\xfeb\\n'"),
  shape('binary', 'head -c 2000 /bin/bash'),
  shape('NUL bytes', "printf 'a\\0b\\0c'"),
  shape('colours', "printf '\\033[31mred\\033[0m plain\\n'"),
  shape('progress', 'for i in 1 2 3 4 5; do printf "\\r%d%%" $((i * 20)); done; echo'),
  shape('title sequence', "printf '\\033]0;a title\\007text\\n'"),
  shape('end mark lookalike', "printf '\\033]6973;end-00\\007 not the end\\n'"),
  shape('clear screen', "printf '\\033[2J\\033[H'; echo top"),
  shape('bell and backspace', "printf 'ab\\bc\\a\\n'"),
  shape('long line', `${pattern(100_000)}; echo`),
  shape('many lines', 'seq 1 20000'),
  shape('1 MB', `${pattern(1_000_000)}; exit 9`),
  shape('burst then exit', 'seq 1 5000; exit 6'),
  shape('long command', `x='${'y'.repeat(200_000)}'; echo "\${#x}"`),
  shape('many commands', Array.from({ length: 300 }, (_, index) => `echo ${index}`).join('\n')),
  shape('to /dev/stdout', 'echo a; echo b > /dev/stdout; echo c'),
  shape('to /dev/stderr', 'echo a; echo b > /dev/stderr; echo c'),
  shape('tee /dev/stderr', 'echo x; echo y | tee /dev/stderr; echo z'),
  shape('own redirection', 'exec 3>&1; echo via3 >&3; exec 3>&-; echo after'),
  shape('exec output away', 'echo seen; exec >/dev/null; echo hidden'),
  shape('closed output', 'exec >&- 2>&-; true'),
  shape('process substitution', 'cat <(echo sub) <(echo two)'),
  shape('coproc', 'coproc { echo co; }; read -r line <&"${COPROC[0]}"; echo "got $line"'),
  shape('exec a program', 'exec sh -c "echo from exec; exit 8"'),
  shape('EXIT trap', 'trap "echo bye" EXIT; echo hi; exit 2'),
  shape('ERR trap', 'trap "echo failed" ERR; false; true'),
  shape('TERM trap', 'trap "echo got term; exit 3" TERM; kill -TERM $$; sleep 1'),
  shape('INT trap', 'trap "echo got int; exit 42" INT; kill -INT $$; sleep 1'),
  shape('kill -9 self', 'echo before; kill -9 $$'),
  shape('kill -TERM self', 'kill -TERM $$; sleep 1'),
  shape('kill -HUP self', 'kill -HUP $$; sleep 1'),
  shape('kill -9 child', 'sh -c "kill -9 \\$\\$"; echo "child $?"'),
  shape('kill -SEGV child', 'sh -c "kill -SEGV \\$\\$"; echo "child $?"'),
  shape('SIGPIPE child', 'sh -c "kill -PIPE \\$\\$"; echo "child $?"'),
  shape('ulimit', 'ulimit -n 64; ulimit -n'),
  shape('umask', 'umask 077; umask'),
  shape('background and wait', '(sleep 0.05; echo bg) & wait; echo done'),
  shape('background left alone', 'sleep 0.3 & echo started'),
  shape('background silent', 'sleep 0.3 >/dev/null 2>&1 & echo started'),
  shape('background late output', '(sleep 0.2; echo late) & echo now', { unordered: true }),
  shape('nohup', 'nohup sleep 0.3 >/dev/null 2>&1 & echo ok'),
  shape('setsid daemon', 'setsid sleep 0.3 & echo ok'),
  shape('disown', 'sleep 0.3 & disown; echo ok'),
  shape('bare wait', 'wait; echo waited'),
  shape('wait for a code', '(exit 6) & wait $!; echo "code $?"'),
  shape('jobs', 'sleep 0.1 & jobs | grep -c sleep'),
  shape('job control', 'set -m; sleep 0.05 & fg >/dev/null; echo back'),
  shape('timeout program', 'timeout 0.1 sleep 2; echo "code $?"'),
  shape('nested bash', 'bash -c \'echo nested; exit 4\'; echo "code $?"'),
  shape('nested login bash', "bash -lc 'echo login' 2>/dev/null"),
  shape('nested sh', 'sh -c \'echo "$0"; exit 11\''),
  shape('script file', 'f=$(mktemp); printf "echo from file\\nexit 12\\n" >"$f"; bash "$f"; c=$?; rm "$f"; exit $c'),
  shape('source', 'f=$(mktemp); echo "sourced=yes" >"$f"; . "$f"; rm "$f"; echo $sourced'),
  shape('alias not expanded', "alias hi='echo hi'; hi"),
  shape('shopt aliases', "shopt -s expand_aliases; alias hi='echo hi'\nhi"),
  shape('arithmetic', 'echo $((6 * 7)); ((0))'),
  shape('arrays', 'a=(1 2 3); echo "${a[@]:1}"'),
  shape('test false', '[ 1 = 2 ]'),
  shape('grep without match', 'echo a | grep b'),
  shape('diff', 'diff <(echo a) <(echo b)'),
  shape('select PS variables', 'echo "$# $0 ${1-none}" | sed "s#.*bash#bash#"'),
  shape('dollar dollar', '[ "$$" -gt 1 ] && echo number'),
  shape('cd and pwd', 'cd /usr && pwd'),
  shape('cd to a missing folder', 'cd /no/such/folder; echo "code $?"'),
  shape('pushd', 'pushd /usr >/dev/null; pwd; popd >/dev/null'),
  shape('IFS', 'IFS=,; x="a,b"; echo $x'),
  shape('printf -v', 'printf -v x "%03d" 7; echo $x'),
  shape('readonly', 'readonly r=1; r=2; echo after'),
  shape('big environment', `export BIG=$(head -c 50000 /dev/zero | tr '\\0' e); sh -c 'echo \${#BIG}'`),
  shape('stdout is no tty', '[ -t 1 ] && echo tty || echo pipe'),
  shape('xargs', 'seq 3 | xargs -n1 echo item'),
  shape('find exec', 'find /etc/hostname -exec echo found {} \\;'),
  shape('awk', "echo '1 2' | awk '{ print $1 + $2 }'"),
  shape('sed in place', 'f=$(mktemp); echo a >"$f"; sed -i s/a/b/ "$f"; cat "$f"; rm "$f"'),
  shape('git', 'git --version | cut -d" " -f1-2'),
  shape('node', 'node -e "process.stdout.write(\'from node\'); process.exitCode = 3"'),
  shape('node large', 'node -e "process.stdout.write(\'z\'.repeat(300000))"'),
  shape('node throws', 'node -e "process.exit(process.stdout.isTTY ? 1 : 0)"'),
  shape('pager', 'git -c core.pager=less --no-pager log -1 2>/dev/null; echo past'),
  shape('dev null input', 'wc -c </dev/null'),
  shape('fifo', 'd=$(mktemp -d); mkfifo "$d/f"; (echo through >"$d/f") & cat "$d/f"; rm -r "$d"'),
  shape('read', 'read -r x; echo "code $? [$x]"', { readsInput: true }),
  shape('cat stdin', 'cat; echo end', { readsInput: true }),
  shape('sort stdin', 'sort', { readsInput: true }),
  shape('bash stdin', 'bash', { readsInput: true }),
  shape('node stdin', 'node', { readsInput: true }),
  shape('stdin in the background', 'cat & wait; echo ok', { readsInput: true }),
];

export interface Truth {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** What plain bash does with the command: both streams into one real pipe, no input. Waits until nobody writes any more. */
export async function plainSpawn(command: string, cwd: string, environment = process.env): Promise<Truth> {
  const folder = mkdtempSync(path.join(tmpdir(), 'deft-truth-'));
  const pipe = path.join(folder, 'pipe');
  try {
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const descriptor = openSync(pipe, 'w');
    const child = spawn('/bin/bash', bashArguments(command, folder), {
      cwd,
      env: environment,
      stdio: ['ignore', descriptor, descriptor],
      detached: true,
    });
    const exit = once(child, 'exit');
    closeSync(descriptor);
    await once(reader, 'close');
    const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null];
    return { code, signal, output: Buffer.concat(chunks).toString('utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One argument holds 128 KiB at most. */
function bashArguments(command: string, folder: string): string[] {
  if (command.length < 100_000) return ['-c', command];
  const file = path.join(folder, 'command');
  writeFileSync(file, command);
  return ['-c', `eval "$(<'${file}')"`];
}

/** What may differ without harm: bash names its own messages after the way in which it got the text. */
export function normalise(output: string): string {
  return output
    .replace(/bash: (?:-c: |eval: )?line \d+: /g, 'bash: ')
    .replace(/ +\d+(?= (?:Killed|Terminated|Segm))/g, ' PID');
}

/** Empty where the result is the truth; else what differs. */
export function difference(shape: Shape, truth: Truth, { end, output, incomplete }: CommandResult): string {
  const expected = truth.signal ? `signal ${truth.signal}` : `code ${truth.code}`;
  if (endOf(end) !== expected) return `${shape.name}: ${JSON.stringify(end)} instead of ${expected}`;
  if (incomplete) return `${shape.name}: incomplete`;
  if (shape.unordered || normalise(output) === normalise(truth.output)) return '';
  return `${shape.name}: ${JSON.stringify(output.slice(0, 300))} instead of ${JSON.stringify(truth.output.slice(0, 300))}`;
}

/** A signal's number differs between systems; its name does not. */
export function endOf(end: CommandEnd): string {
  if (end.state === 'signalled') return `signal ${end.signal}`;
  return end.state === 'exited' ? `code ${end.code}` : end.state;
}

/** Runs shapes side by side, some at a time; the differences from plain bash. */
export async function differences(
  shapes: readonly Shape[],
  cwd: string,
  run: (command: string) => Promise<CommandResult>,
): Promise<string[]> {
  const rest = [...shapes];
  const found: string[] = [];
  const work = async () => {
    for (let shape = rest.shift(); shape; shape = rest.shift()) {
      const [truth, result] = await Promise.all([plainSpawn(shape.command, cwd), run(shape.command)]);
      found.push(difference(shape, truth, result));
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return found.filter((text) => text !== '');
}
