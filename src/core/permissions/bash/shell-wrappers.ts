// Wrappers that only change how a command runs, and settings of the environment that change nothing: rules see through both.
import { type ShellAssignment, type ShellWord } from './simple-command';

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

const safeVariables =
  /^(NODE_ENV|CI|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|CGO_ENABLED)$/;

/** How many words from `start` on belong to the wrapper; 0 where the first of them is none. */
function wrapperLength(name: string, words: readonly ShellWord[], start: number): number {
  const optionsOf = wrappers.get(name);
  if (optionsOf === undefined) return 0;
  const value = (index: number): string => {
    const word = words[start + index];
    return word?.kind === 'literal' ? word.value : '-?';
  };
  const length = optionsOf(value);
  return value(length).startsWith('-') || value(length) === '' ? 0 : length;
}

/** By name: how many words stand before the command that it runs; 0 where its options are not plain. */
const wrappers = new Map<string, (value: (index: number) => string) => number>([
  ...['nohup', 'builtin', 'noglob', 'command', 'xargs'].map((name): [string, () => number] => [name, () => 1]),
  ['time', (value) => (value(1) === '-p' ? 2 : 1)],
  [
    'nice',
    (value) => {
      if (value(1) === '-n' && /^-?\d+$/.test(value(2))) return 3;
      return /^(-n?-?\d+|--adjustment=-?\d+)$/.test(value(1)) ? 2 : 1;
    },
  ],
  [
    'stdbuf',
    (value) => {
      let index = 1;
      while (/^-[ioe](L|\d+[KMG]?)$/.test(value(index))) index++;
      return index === 1 ? 0 : index;
    },
  ],
  [
    'timeout',
    (value) => {
      let index = 1;
      for (let taken = 1; taken > 0; index += taken) taken = timeoutOption(value(index), value(index + 1));
      return /^\d+(\.\d+)?[smhd]?$/.test(value(index)) ? index + 1 : 0;
    },
  ],
]);

/** Rules look behind these, so a rule for one of them alone says nothing of what runs. */
export const wrapperNames: ReadonlySet<string> = new Set(wrappers.keys());

/** How many words the option takes up; 0 where it is none. */
function timeoutOption(option: string, next: string): number {
  if (/^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=\w+|-[sk]\w+)$/.test(option)) return 1;
  return /^-[sk]$/.test(option) && /^[\w.]+$/.test(next) ? 2 : 0;
}
