// A program's harmless options, spelled out: any other one asks, as does a long one that is shortened.

/** What an option does is known only where it is listed, under the whole of its name. */
export interface PlainOptions {
  /** Letters that take no value. `0` stands for any number: `-5`. */
  flags: string;
  /** Letters that take the rest of their word, or the next one. */
  valued: string;
  /** Letters that may take the rest of their word. */
  attached: string;
  /** By name: whether a value must follow (`=`), may follow after `=` (`?`), or may not. */
  long: ReadonlyMap<string, '' | '=' | '?'>;
}

/** `long`: names, each with `=` or `?` behind it where it has a value. */
export function plainOptions(flags: string, valued = '', long = '', attached = ''): PlainOptions {
  const names = long.split(/\s+/).filter((name) => name !== '');
  return {
    flags,
    valued,
    attached,
    long: new Map(
      names.map((name) => [name.replace(/[=?]$/, ''), name.endsWith('=') ? '=' : name.endsWith('?') ? '?' : '']),
    ),
  };
}

/** What either of them has. */
export function together(...all: readonly PlainOptions[]): PlainOptions {
  return {
    flags: all.map(({ flags }) => flags).join(''),
    valued: all.map(({ valued }) => valued).join(''),
    attached: all.map(({ attached }) => attached).join(''),
    long: new Map(all.flatMap(({ long }) => [...long])),
  };
}

export interface ReadArguments {
  operands: string[];
  /** Names without dashes. */
  options: { name: string; value: string | undefined }[];
}

/** Undefined where one of the words may be an option that is not listed. */
export function readArguments(args: readonly string[], plain: PlainOptions): ReadArguments | undefined {
  const found: ReadArguments = { operands: [], options: [] };
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '--') {
      found.operands.push(...args.slice(index + 1));
      return found;
    }
    if (!argument.startsWith('-') || argument === '-') {
      found.operands.push(argument);
      continue;
    }
    const next = args[index + 1];
    const taken = argument.startsWith('--')
      ? readLong(argument, next, plain, found)
      : readLetters(argument, next, plain, found);
    if (taken === undefined) return undefined;
    index += taken;
  }
  return found;
}

export function hasPlainOptions(args: readonly string[], plain: PlainOptions): boolean {
  return readArguments(args, plain) !== undefined;
}

/** How many of the next words it takes. */
function readLong(
  argument: string,
  next: string | undefined,
  { long }: PlainOptions,
  { options }: ReadArguments,
): number | undefined {
  const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(argument) ?? [];
  const kind = long.get(name);
  if (kind === undefined || (kind === '' && value !== undefined)) return undefined;
  const takesNext = kind === '=' && value === undefined;
  if (takesNext && !isValue(next)) return undefined;
  options.push({ name, value: takesNext ? next : value });
  return takesNext ? 1 : 0;
}

function readLetters(
  argument: string,
  next: string | undefined,
  { flags, valued, attached }: PlainOptions,
  { options }: ReadArguments,
): number | undefined {
  if (flags.includes('0') && /^-\d+$/.test(argument)) return 0;
  for (let at = 1; at < argument.length; at++) {
    const name = argument[at] ?? '';
    const rest = argument.slice(at + 1);
    if (valued.includes(name)) {
      if (rest === '' && !isValue(next)) return undefined;
      options.push({ name, value: rest === '' ? next : rest });
      return rest === '' ? 1 : 0;
    }
    const takesRest = attached.includes(name);
    if (!takesRest && !flags.includes(name)) return undefined;
    options.push({ name, value: takesRest && rest !== '' ? rest : undefined });
    if (takesRest) return 0;
  }
  return 0;
}

/** Systems disagree about which letters take the next word: one that may be an option is none. */
function isValue(next: string | undefined): boolean {
  return next !== undefined && (!next.startsWith('-') || /^-\d*$/.test(next));
}
