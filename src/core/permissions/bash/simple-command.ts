// One command of a command line: its words, assignments, redirections, and the `cd`s that ran before it.

export interface ShellWord {
  /** As written. */
  text: string;
  /** Quotes removed; only for `literal` what the command gets, otherwise a guess. */
  value: string;
  /** `glob`: file names that match; `dynamic`: expansions, whose value is unknown. */
  kind: 'literal' | 'glob' | 'dynamic';
  /** Begins with an unquoted `~`. */
  tilde: boolean;
  /** It stands for all files below the folder that it names whose names fit: a star, with an ending at most. */
  listed?: string;
}

export interface ShellAssignment {
  name: string;
  text: string;
  value: ShellWord;
  append: boolean;
}

export type ShellRedirection =
  | { kind: 'read' | 'write'; target: ShellWord }
  /** A here-document or here-string. */
  | { kind: 'text'; text: string };

export interface SimpleCommand {
  /** Assignments and words as written, one blank between them, without redirections. */
  text: string;
  assignments: ShellAssignment[];
  /** Empty where there are only assignments or redirections. */
  words: readonly ShellWord[];
  redirections: ShellRedirection[];
  /** Variables that loops around it set. */
  loops?: readonly ShellAssignment[];
  /** It runs whatever the commands before it did: what it sets, it sets for all that follow. */
  always?: true;
  /** Reads files below the folders that it names. */
  below?: true;
  /** The commands in front of it in a pipe that brings it what they print, and nothing else. */
  piped?: readonly SimpleCommand[];
  /** The `read` of a loop over lines, which are known: it sets its variable and does nothing else. */
  takesLine?: true;
  /** `certain`: this command runs only if that `cd` succeeded. */
  moves: readonly { words: readonly ShellWord[]; certain: boolean }[];
}

/** The command's name without its folder; undefined where it is not written plainly. */
export function commandName(words: readonly ShellWord[]): string | undefined {
  const [first] = words;
  if (first?.kind !== 'literal' || first.value === '') return undefined;
  return first.value.slice(first.value.lastIndexOf('/') + 1);
}

/** `cd`, `pushd` and `popd`, also behind `builtin` and `command`. */
export function movesFolder(words: readonly ShellWord[]): boolean {
  const rest = words.slice(words.findIndex((word) => !['builtin', 'command'].includes(word.value)));
  return ['cd', 'pushd', 'popd'].includes(rest[0]?.value ?? '');
}

/** In quotes, and not `"$@"`. */
export function isOneWord(text: string): boolean {
  return /^(?:"(?:[^"$`\\]|\$\w+\b|\$\{\w+\}|\$\([\w ./-]*\))*"|[\w./~@+-])*$/.test(text) && !/\$\{?\d/.test(text);
}

/** `"$DIR"/bin/make` is make, whatever the folder is. */
export function lastName({ text }: ShellWord): string | undefined {
  const name = /\/([\w.@+-]+)"?$/.exec(text)?.[1];
  return isOneWord(text.replace(/^\$(HOME|PWD|\{HOME\}|\{PWD\}|\(git rev-parse --show-toplevel\))(?=\/)/, ''))
    ? name
    : undefined;
}

/** The words as written, without assignments and redirections. */
export function textOf({ words }: Pick<SimpleCommand, 'words'>): string {
  return words.map((word) => word.text).join(' ');
}
