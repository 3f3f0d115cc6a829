// Where options send programs whose other arguments Deft does not know: into another folder, to another project file, to an output file.
import { type PathUse, knowsPathsOf } from './command-paths';
import { commandName, type ShellWord } from './simple-command';

/** Options of builders by which they work somewhere else; letters, and names that may be shortened. */
const places = new Map<string, { letters: string; long: string[] }>([
  ['make', { letters: 'CfI', long: ['--directory', '--file', '--makefile', '--include-dir'] }],
  ['gmake', { letters: 'CfI', long: ['--directory', '--file', '--makefile', '--include-dir'] }],
  ['npm', { letters: 'C', long: ['--prefix'] }],
  ['npx', { letters: 'C', long: ['--prefix'] }],
  ['pnpm', { letters: 'C', long: ['--dir', '--prefix'] }],
  ['yarn', { letters: '', long: ['--cwd'] }],
  ['bun', { letters: '', long: ['--cwd'] }],
  ['cargo', { letters: 'C', long: ['--manifest-path', '--target-dir'] }],
  ['go', { letters: 'C', long: ['-C', '-modfile', '-overlay'] }],
  ['uv', { letters: '', long: ['--directory', '--project'] }],
  ['poetry', { letters: 'C', long: ['--directory', '--project'] }],
  ['just', { letters: 'fd', long: ['--justfile', '--working-directory'] }],
  ['mvn', { letters: 'f', long: ['--file'] }],
  ['gradle', { letters: 'pb', long: ['--project-dir', '--build-file'] }],
]);

/** The folders and project files that a builder is sent to. What runs there is theirs, so it has to be in the workspace. */
export function placesByOption(words: readonly ShellWord[]): PathUse[] {
  const known = places.get(commandName(words) ?? '');
  if (known === undefined) return [];
  const end = words.findIndex(({ value }) => value === '--');
  return words.slice(1, end < 0 ? undefined : end).flatMap((word, index, args): PathUse[] => {
    const { value } = word;
    const next = args[index + 1];
    const [, name = '', given] = /^(--?[a-z][\w-]*)(?:=([\s\S]*))?$/i.exec(value) ?? [];
    if (name.length > 2 && known.long.some((option) => option.startsWith(name)))
      return given === undefined ? placeOf(next, next?.value) : placeOf(word, given);
    const at = value.startsWith('--') || !value.startsWith('-') ? -1 : lettersIn(value, known.letters);
    if (at < 0) return [];
    const rest = value.slice(at + 1);
    return rest === '' ? placeOf(next, next?.value) : placeOf(word, rest);
  });
}

function lettersIn(value: string, letters: string): number {
  return [...value].findIndex((letter, index) => index > 0 && letters.includes(letter));
}

function placeOf(word: ShellWord | undefined, path: string | undefined): PathUse[] {
  return word === undefined || path === undefined || path === '' ? [] : [{ access: 'read', word, path }];
}

/** Files that other programs are told to write: held against denials and protected files, never a question by themselves. */
export function namedWrites(words: readonly ShellWord[]): PathUse[] {
  const program = commandName(words) ?? '';
  // Which words of the options of rsync it writes, the kinds of commands do not say.
  if (knowsPathsOf(program) && program !== 'rsync') return [];
  const args = words.slice(1);
  const targets = targetsOf(program, args).map((word): PathUse => ({ access: 'write', word, path: word.value }));
  const given = args.flatMap((word, index): PathUse[] => {
    const next = args[index + 1];
    const [, short] = /^-o(.+)$/s.exec(word.value) ?? [];
    const [, name = '', given] = /^(--?[a-z][\w-]*)(?:=([\s\S]*))?$/i.exec(word.value) ?? [];
    const found: PathUse[] = [];
    if (short !== undefined) found.push({ access: 'write', word, path: short });
    if (writing.test(name)) {
      if (given !== undefined && given !== '') found.push({ access: 'write', word, path: given });
      else if (given === undefined && next !== undefined) found.push({ access: 'write', word: next, path: next.value });
    }
    return found;
  });
  return [...targets, ...given];
}

/** Which operands a program writes whose other arguments Deft does not know. Words with a colon name other machines. */
function targetsOf(program: string, args: readonly ShellWord[]): ShellWord[] {
  const operands = args.filter(({ value }) => !value.startsWith('-') && !/^[\w.@-]+:/.test(value));
  const last = args.at(-1);
  if (program === 'sponge') return operands;
  if (program === 'ssh') return args.filter((_, index) => args[index - 1]?.value === '-E');
  if (program === 'patch' || program === 'zip') return operands.slice(0, 1);
  if (last === undefined || !operands.includes(last)) return [];
  return program === 'scp' || copies.get(program)?.test(args[0]?.value ?? '') === true ? [last] : [];
}

/** Programs with a subcommand that copies. */
const copies = new Map([
  ['docker', /^cp$/],
  ['podman', /^cp$/],
  ['kubectl', /^cp$/],
  ['rclone', /^(copy|copyto|move|moveto|sync)$/],
  ['aws', /^s3$/],
  ['gsutil', /^(cp|mv|rsync)$/],
]);

/** `-o`, `-out`, `--outp`, `--index-file`, `--log-file`, `--report-dir`. */
const writing =
  /^(-[od]|--?o(ut?)?|--?out\w*([-_]\w+)*|--[\w-]*[-_](out|output|dest|destination|target)|--(index|log|report|junit|coverage|cache|dump)[-_]?(file|dir|path|directory|xml)|--(dest|destination|target)\w*)$/i;
