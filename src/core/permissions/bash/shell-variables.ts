// Commands with what their variables stand for, where the line itself says so: `X=rm; $X y` is `rm y`, too.
import {
  commandName,
  isOneWord,
  type ShellAssignment,
  type ShellRedirection,
  type ShellWord,
  type SimpleCommand,
} from './simple-command';

export interface Resolved {
  /** With known words in place of variables and braces; what nobody knows stays as it is. */
  commands: SimpleCommand[];
  /** Those whose variables can stand for nothing else. */
  replaced: ReadonlySet<SimpleCommand>;
  /** What each of them may be. */
  alternatives: ReadonlyMap<SimpleCommand, readonly SimpleCommand[]>;
}

/** `all`: every command of the line, hidden ones among them. */
export function resolveVariables(all: readonly SimpleCommand[]): Resolved {
  const commands: SimpleCommand[] = [];
  const replaced = new Set<SimpleCommand>();
  const alternatives = new Map<SimpleCommand, readonly SimpleCommand[]>();
  const unknown = all.filter(
    ({ words, redirections }) =>
      words.some(isDynamic) || redirections.some((one) => one.kind !== 'text' && isDynamic(one.target)),
  );
  if (unknown.length === 0) return { commands, replaced, alternatives };
  const { variables, sure } = variablesOf(all);
  const everyLoop = [...new Set(all.flatMap(({ loops }) => loops ?? []))];
  for (const command of unknown) {
    if (commands.length >= maxCommands) break;
    const known = new Variables(variables, command.loops ?? [], everyLoop);
    const found = alternativesOf(command, known);
    commands.push(...found);
    alternatives.set(command, found);
    if (found.length > 0 && sure && known.sure) replaced.add(command);
  }
  return { commands, replaced, alternatives };
}

const maxCommands = 200;
const maxAlternatives = 24;
const maxWords = 1000;
const maxDepth = 4;
const maxText = 1000;

function isDynamic({ kind }: ShellWord): boolean {
  return kind === 'dynamic';
}

interface Variable {
  values: ShellWord[];
  /** Nothing else sets it. */
  sure: boolean;
}

/** `sure`: nothing in the line may set or split them in ways that are not looked at. */
function variablesOf(all: readonly SimpleCommand[]): { variables: Map<string, Variable>; sure: boolean } {
  const variables = new Map<string, Variable>();
  const add = (name: string, value: ShellWord, sure: boolean): void => {
    const variable = variables.get(name) ?? { values: [], sure: true };
    const many = variable.values.length > maxAlternatives;
    if (!many && !variable.values.some(({ text }) => text === value.text)) variable.values.push(value);
    variable.sure &&= sure && !many;
    variables.set(name, variable);
  };
  const set: string[] = [];
  let lineSure = true;
  for (const { assignments, words } of all) {
    for (const { name, value, append } of assignments) {
      add(name, value, !append);
      // In front of a command it counts for that one alone: `IFS= read line`.
      if (name === 'IFS' && words.length === 0) lineSure = false;
    }
    for (const { text } of words) for (const [, assigned = ''] of text.matchAll(/\$\{(\w+):?=/g)) set.push(assigned);
    const name = commandName(words) ?? '';
    if (name === 'source' || name === '.') lineSure = false;
    if (declaring.has(name)) {
      for (const { text } of words.slice(1)) {
        const { declared, plain } = declarationOf(text);
        lineSure &&= plain;
        if (typeof declared === 'string') set.push(declared);
        else if (declared !== undefined) add(declared.name, declared.value, true);
      }
    } else if (setting.has(name)) set.push(...words.slice(1).map(({ value }) => value.replace(/^-v/, '')));
  }
  for (const name of set) {
    const variable = variables.get(name);
    if (variable !== undefined) variable.sure = false;
  }
  return { variables, sure: lineSure };
}

/** What a word of `export` and its like sets: a value, or a name whose value nobody knows. Not `plain`: other words may change by it. */
function declarationOf(text: string): { declared?: { name: string; value: ShellWord } | string; plain: boolean } {
  // `-l` and `-u` change the text, `-n` makes it another's name.
  if (/^[-+]/.test(text)) return { plain: /^-[xrg]+$/.test(text) };
  const [, name, value] = /^([A-Za-z_]\w*)=([^()]*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    return { declared: text.replace(/\W.*$/s, ''), plain: /^\w/.test(text) };
  return {
    declared: { name, value: { text: value, value, kind: 'dynamic', tilde: value.startsWith('~') } },
    plain: name !== 'IFS',
  };
}

const declaring = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const setting = new Set(['read', 'mapfile', 'readarray', 'printf', 'getopts', 'let', 'unset']);

class Variables {
  sure = true;

  constructor(
    private variables: ReadonlyMap<string, Variable>,
    private loops: NonNullable<SimpleCommand['loops']>,
    /** Their variables keep the last value behind them. */
    private everyLoop: NonNullable<SimpleCommand['loops']>,
  ) {}

  /** Where a loop goes through what a pattern finds, the word is such a file: one word only in quotes. */
  ofFiles(word: ShellWord, choices: ShellWord[][] | undefined): ShellWord[][] | undefined {
    const lines = this.loops.filter(({ value }) => value.listed !== undefined);
    if (lines.some(({ name }) => new RegExp(`\\$\\{?${name}\\b`).test(word.text))) {
      const own = lines.filter(({ name }) => [`"$${name}"`, `"\${${name}}"`].includes(word.text));
      // Of anything that the line makes of it, and of what else may set it, nobody knows what it is.
      if (own.length > 0 && own.every(({ name }) => this.isOnlyLine(name))) return own.map(({ value }) => [value]);
      this.sure = false;
      return undefined;
    }
    const names = this.loops.filter(({ value }) => value.kind === 'glob').map(({ name }) => name);
    if (![...word.text.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => names.includes(name))) return choices;
    if (!isOneWord(word.text)) this.sure = false;
    return choices?.map((words) =>
      words.map((one) => (/[*?[]/.test(one.value) ? { ...one, text: one.value, kind: 'glob', tilde: false } : one)),
    );
  }

  isOnlyLine(name: string): boolean {
    const others = [...this.loops, ...this.everyLoop].filter((loop) => loop.name === name);
    return (
      !this.variables.has(name) &&
      others.every(({ value }) => value.listed !== undefined && this.loops.some((loop) => loop.value === value))
    );
  }

  /** The texts that it may stand for; undefined where the line does not say. */
  valuesOf(name: string, depth: number): string[] | undefined {
    const looped = this.loops.filter((loop) => loop.name === name);
    const variable = this.variables.get(name);
    const others = this.everyLoop.filter((loop) => loop.name === name && !looped.includes(loop));
    if (looped.length === 0 && others.length > 0) this.sure = false;
    const values = [...[...looped, ...others].map(({ value }) => value), ...(variable?.values ?? [])];
    if (values.length === 0 || depth > maxDepth) return undefined;
    if (variable?.sure === false || looped.some(({ append }) => append)) this.sure = false;
    const texts = values.map((value) =>
      value.kind === 'literal' && !value.tilde
        ? [value.value]
        : expand(value, this, depth + 1)?.map((pieces) => pieces.map(({ text }) => text).join('')),
    );
    if (texts.includes(undefined)) this.sure = false;
    const known = [...new Set(texts.flatMap((text) => text ?? []))];
    return known.length === 0 || known.length > maxAlternatives ? undefined : known;
  }
}

/** A part of a word; an unquoted variable may expand to several words. */
interface Piece {
  text: string;
  splits: boolean;
  /** Unquoted, so that a star in it is a pattern. */
  bare: boolean;
}

function alternativesOf(command: SimpleCommand, variables: Variables): SimpleCommand[] {
  let found: ShellWord[][] = [[]];
  let changed = false;
  if (command.words.length > maxWords) return [];
  for (const word of command.words) {
    const choices = isDynamic(word) ? variables.ofFiles(word, choicesOf(word, variables)) : undefined;
    changed ||= choices !== undefined;
    const next = found.flatMap((words) => (choices ?? [[word]]).map((choice) => [...words, ...choice]));
    if (next.length > maxAlternatives || next.length * command.words.length > maxWords) {
      variables.sure = false;
      return [];
    }
    found = next;
  }
  const redirections = command.redirections.map((one): ShellRedirection[] => {
    const choices =
      one.kind === 'text' || !isDynamic(one.target)
        ? undefined
        : variables.ofFiles(one.target, choicesOf(one.target, variables));
    changed ||= choices !== undefined;
    return choices === undefined || one.kind === 'text'
      ? [one]
      : choices.flatMap((words) => words.map((target) => ({ ...one, target })));
  });
  if (!changed) return [];
  return found.map((words) => ({
    ...command,
    words,
    assignments: [],
    redirections: redirections.flat(),
    text: words.map(({ text }) => text).join(' '),
  }));
}

/** Each the words that it may become; undefined where nobody knows. */
function choicesOf(word: ShellWord, variables: Variables): ShellWord[][] | undefined {
  // The parser has read these quotes.
  if (word.text.includes("$'") && !/\$(?!')|[`{]/.test(word.text)) return [[plainWord(word.value, false)]];
  if (/^[^"'`$\\\s]*\{[^"'`$\\\s]*$/.test(word.text)) {
    const words = withoutBraces(word.text);
    return words === undefined ? undefined : [words.map((text) => plainWord(text, true))];
  }
  return expand(word, variables, 0)?.map(wordsOf);
}

function plainWord(value: string, bare: boolean): ShellWord {
  const text = /^[\w./@%+=:,~*?[\]-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
  return { text, value, kind: bare && /[*?[]/.test(value) ? 'glob' : 'literal', tilde: bare && /^~(\/|$)/.test(value) };
}

function wordsOf(pieces: readonly Piece[]): ShellWord[] {
  const words: { value: string; bare: boolean }[] = [];
  let open = false;
  for (const { text, splits, bare } of pieces) {
    for (const [index, part] of (splits ? text.split(/\s+/) : [text]).entries()) {
      if (index > 0) open = false;
      const last = words.at(-1);
      if (open && last !== undefined) words[words.length - 1] = { value: last.value + part, bare: last.bare || bare };
      else if (part !== '' || !splits) words.push({ value: part, bare });
      open = part !== '' || open || !splits;
    }
  }
  return words.map(({ value, bare }) => plainWord(value, bare));
}

/** Something of the same name stands on both sides. */
function isInside(text: string, from: number, to: number): boolean {
  return from > 0 && to < text.length && !/[/"]/.test(text[from - 1] ?? '/') && !/[/"]/.test(text[to] ?? '/');
}

/** The word in pieces, once for each value; undefined for anything but quotes and plain variables. */
function expand(word: ShellWord, variables: Variables, depth: number): Piece[][] | undefined {
  const { text } = word;
  let found: Piece[][] = [[]];
  let quoted = false;
  if (text.length > maxText) return undefined;
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const match = token.exec(rest);
    if (match === null) return undefined;
    const [all, quote, single, escape, name, braced, operation, other] = match;
    at += all.length;
    if (quote !== undefined) {
      quoted = !quoted;
      // Quotes make a word of nothing, too.
      found = found.map((pieces) => [...pieces, { text: '', splits: false, bare: false }]);
      continue;
    }
    if (single !== undefined && quoted) return undefined;
    const variable = name ?? braced;
    const values =
      variable === undefined
        ? [single ?? escape ?? all]
        : valuesIn(variable, operation, other, {
            variables,
            depth,
            inside: isInside(text, at - all.length, at),
            quoted,
            first: at === all.length || text.slice(0, at - all.length) === '"',
          });
    if (values === undefined) return undefined;
    const bare = !quoted && single === undefined && escape === undefined;
    const next = found.flatMap((pieces) =>
      values.map((value): Piece[] => [
        ...pieces,
        { text: value, splits: variable !== undefined && !quoted, bare: bare || value.startsWith('~') },
      ]),
    );
    if (next.length > maxAlternatives) return undefined;
    found = next;
  }
  return found;
}

interface Spot {
  variables: Variables;
  depth: number;
  /** Other characters of a name stand right before and after it. */
  inside: boolean;
  quoted: boolean;
  /** The word begins with it. */
  first: boolean;
}

function valuesIn(
  name: string,
  operation: string | undefined,
  other: string | undefined,
  { variables, depth, inside, quoted, first }: Spot,
): string[] | undefined {
  const own = variables.valuesOf(name, depth);
  // It may have come with the environment.
  if (operation !== undefined && own === undefined && !operation.endsWith('+')) variables.sure = false;
  if (operation !== undefined) return operation.endsWith('+') ? [other ?? '', ''] : [...(own ?? []), other ?? ''];
  if (own !== undefined) return own;
  if (name === 'HOME' && first) return ['~'];
  if (name === 'PWD' && first) return ['.'];
  if (name === 'IFS' && !quoted) return [' '];
  // In the middle of a name it is likely to be nothing.
  if (!inside) return undefined;
  variables.sure = false;
  return [''];
}

/** A quote, `'…'`, `\x`, `$X`, `${X}` and `${X:-y}`, or other characters. */
const token =
  /^(?:(")|'([^']*)'|\\([\s\S])|\$([A-Za-z_]\w*|[@*\d])|\$\{([A-Za-z_]\w*|[@*\d])(?:(:?[-=+])([^"'`${}\\]*))?\}|[^"'`\\${}]+|[{}](?![^{}]*,))/;

/** `{a,b}` written out; undefined where it is much or of another kind. */
function withoutBraces(text: string): string[] | undefined {
  let texts = [text];
  for (;;) {
    const next = texts.flatMap((one) => {
      const match = /\{([^{}]*,[^{}]*)\}/.exec(one);
      return match === null
        ? [one]
        : (match[1] ?? '')
            .split(',')
            .map((piece) => one.slice(0, match.index) + piece + one.slice(match.index + match[0].length));
    });
    if (next.length > maxAlternatives) return undefined;
    if (next.length === texts.length)
      return next.some((one) => one.includes('{')) ? undefined : next.filter((one) => one !== '');
    texts = next;
  }
}

/** Small letters, or one of the short names that lines use for their own files. */
export function isPlainVariable(name: string): boolean {
  return own.test(name) && !special.has(name);
}

const own = /^(?!npm_|\w+_proxy$)([a-z_][a-z\d_]*|[A-Z]|FILES?|DIRS?|SRC|NAMES?|PATTERN)$/;

/** Names of the shells themselves: in zsh, `path=./bin` sets PATH, and `commands` says what a word runs. */
const special = new Set(
  (
    'path fpath cdpath manpath mailpath module_path fignore prompt psvar watch histchars auto_resume argv status pipestatus ' +
    'signals options aliases galiases saliases functions commands builtins reswords patchars parameters modules dirstack ' +
    'nameddirs userdirs usergroups history historywords jobdirs jobstates jobtexts termcap terminfo keymaps widgets ' +
    'funcstack functrace funcfiletrace funcsourcetrace zsh_eval_context dis_aliases dis_functions dis_builtins dis_reswords ' +
    'dis_galiases dis_saliases dis_patchars functions_source dis_functions_source'
  ).split(' '),
);

/** Without a command behind them; what they are made of is judged where it stands. */
export function setsPlainVariables(assignments: readonly ShellAssignment[]): boolean {
  return assignments.every(({ name }) => isPlainVariable(name));
}
