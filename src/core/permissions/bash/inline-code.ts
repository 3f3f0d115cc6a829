// Programs that stand in a command line (`python -c`, `node -e`, awk): which of their texts may name a file.
import { commandPaths } from './command-paths';
import { interpreterName, isInterpreter, readsCode, takesInlineCode } from './runners';
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';

export interface InlineCode {
  command: SimpleCommand;
  /** What may be a path: texts in quotes, words that begin like one, the arguments. */
  names: string[];
  /** The program itself comes from a variable or a substitution. */
  unknown: boolean;
}

/** Each interpreter that a line gives its program, also behind programs that Deft does not know. */
export function inlineCodes(commands: readonly SimpleCommand[]): InlineCode[] {
  return commands.flatMap((command) => {
    const words = programWords(command);
    if (words === undefined) return [];
    const texts = command.redirections.flatMap((redirection) =>
      redirection.kind === 'text' ? [redirection.text] : [],
    );
    const printed = readsCode(words, texts.length > 0)
      ? commands
          .filter(({ words: other }) => printers.has(commandName(other) ?? ''))
          .flatMap(({ words: other }) => other.slice(1).map(({ value }) => value))
      : [];
    const args = words.slice(1);
    const given = args.flatMap(({ value }, index) =>
      codeOption.test(args[index - 1]?.value ?? '') || /\s/.test(value) ? [] : [value, value.replace(/^[^=]*=/, '')],
    );
    const names = [...given, ...[...args.map(({ value }) => value), ...texts, ...printed].flatMap(namesIn)];
    const unknown = args.some(({ kind }, index) => kind === 'dynamic' && codeOption.test(args[index - 1]?.value ?? ''));
    return [{ command, names: [...new Set(names)].filter((name) => name !== '').slice(0, maxNames), unknown }];
  });
}

/** An option says which code it runs: then its input is only data. */
export function givesCode(words: readonly ShellWord[]): boolean {
  const name = interpreterName(commandName(words) ?? '');
  const option = givingOptions.find(([names]) => names.test(name))?.[1];
  if (option === undefined) return false;
  const args = words.slice(1).map(({ value }) => value);
  const operand = args.findIndex((value) => value === '-' || !value.startsWith('-'));
  return args.slice(0, operand < 0 ? args.length : operand).some((value) => option.test(value));
}

/** The code may come right after the letter. */
const givingOptions: [RegExp, RegExp][] = [
  [/^(python|pypy)$/, /^-[bBdEiIOqsSuvVx]*c/],
  [/^(node|bun|deno)$/, /^-(e|p|pe)|^--(eval|print)\b/],
  [/^(perl|ruby)$/, /^-(?![IMmrxX])[A-Za-z\d]*[eE]/],
  [/^php$/, /^-[rRBE]|^--(run|process-(code|begin|end))/],
  [/^(lua|luajit|Rscript|osascript)$/, /^-e/],
  [/^(ba|z|da|k|fi)?sh$/, /^-[A-Za-z]*c$/],
];

const maxNames = 1000;
const codeOption = /^(-[A-Za-z\d]*[ceEpr]|--(eval|print|run)|eval)$/;
const printers = new Set(['echo', 'printf', 'cat', 'write-output', 'write-host']);
/** Their program is their first argument. */
const byOperand = new Set(['awk', 'gawk', 'mawk', 'sqlite']);

/** The words from the interpreter on, where its program stands in them or comes from the line. */
function programWords(command: SimpleCommand): ShellWord[] | undefined {
  const own = interpreterName(commandName(command.words) ?? '');
  const isOther = !isInterpreter(own) && (commandPaths(command.words) !== undefined || printers.has(own));
  const starts = isOther ? [] : isInterpreter(own) ? [0] : command.words.slice(0, maxStarts).keys();
  for (const start of starts) {
    const words = command.words.slice(start);
    const name = interpreterName(commandName(words) ?? '');
    if (
      isInterpreter(name) &&
      (byOperand.has(name) ||
        takesInlineCode(
          words,
          command.redirections.some(({ kind }) => kind === 'text'),
        ))
    )
      return words;
  }
  return undefined;
}

const maxStarts = 40;

/** Texts in any quotes, whole and by their words, and bare words that begin with a dot, a slash or a tilde. */
function namesIn(code: string): string[] {
  const text = code.slice(0, maxCode);
  const quoted = ['"', "'", '`'].flatMap((quote) => {
    const pieces = text.split(quote);
    return pieces.length === 1
      ? []
      : pieces.flatMap((piece, index) => (index % 2 === 0 ? [piece] : [piece, ...piece.split(/[\s;|&<>(),=]+/)]));
  });
  const bare = [...text.matchAll(/(?:^|[\s([{<,=|!:;])([.~/][\w./~+@-]*)/g)].map(([, name = '']) => name);
  // `q(…)`, `qw(…)`, `%w[…]`.
  const listed = [...text.matchAll(/(?:\bq[qwx]?|%[qQwWx])\s*[([{<|/!]([^)\]}>|!\n]*)/g)].flatMap(([, list = '']) =>
    list.split(/\s+/),
  );
  return [...quoted, ...bare, ...listed]
    .map((name) => name.replace(/^file:\/\//, '').replace(/\\+/g, '/'))
    .filter((name) => name !== '' && name.length < 1000 && !name.includes('\n'));
}

const maxCode = 100_000;
