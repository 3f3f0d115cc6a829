// Reads PowerShell lines that are plain: commands with literal arguments, in sequences and pipelines. Anything else is not read.
import { type ShellWord } from '../bash/simple-command';

export interface PowerShellWord {
  value: string;
  quoted: boolean;
}

export interface PowerShellCommand {
  /** As it stands in the line. */
  text: string;
  /** The cmdlet behind an alias, in lower case; programs by their own name. */
  name: string;
  words: PowerShellWord[];
  /** It gets what a command before it in the pipeline gives out. */
  piped: boolean;
}

export type ParsedPowerShell = { ok: true; commands: PowerShellCommand[] } | { ok: false; reason: string };

/** When in doubt it is not plain: variables, subexpressions, script blocks, invocation operators, redirections, escapes. */
export function parsePowerShell(text: string): ParsedPowerShell {
  const commands: PowerShellCommand[] = [];
  let words: PowerShellWord[] = [];
  let start = 0;
  let piped = false;
  const finish = (end: number, next: 'pipe' | 'statement'): string | undefined => {
    const source = text.slice(start, end).trim();
    if (words.length === 0) {
      if (piped || next === 'pipe') return 'a pipeline has an empty part';
    } else {
      const [first] = words;
      if (first === undefined || first.quoted || !plainName.test(first.value))
        return 'it does not begin with a command name';
      if (keywords.has(first.value.toLowerCase())) return `it uses \`${first.value}\``;
      commands.push({ text: source, name: canonicalName(first.value), words, piped });
    }
    words = [];
    piped = next === 'pipe';
    return undefined;
  };

  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const separator = /^(?:\r?\n|;|&&|\|\||\|)/.exec(rest)?.[0];
    if (separator !== undefined) {
      const wrong = finish(at, separator === '|' ? 'pipe' : 'statement');
      if (wrong !== undefined) return { ok: false, reason: wrong };
      at += separator.length;
      start = at;
      continue;
    }
    // Elements of a list count one by one.
    const blank = /^[ \t,]+/.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const word = readWord(rest);
    if (typeof word === 'string') return { ok: false, reason: word };
    words.push({ value: word.value, quoted: word.quoted });
    at += word.length;
  }
  const wrong = finish(text.length, 'statement');
  if (wrong !== undefined) return { ok: false, reason: wrong };
  return commands.length === 0 ? { ok: false, reason: 'it contains no command' } : { ok: true, commands };
}

/** For rules that forbid or ask: the pieces of a line that is not plain, in each form that they may stand for. */
export function roughPowerShell(text: string): string[] {
  return [
    ...new Set(
      roughPieces(text)
        .map((piece) => piece.replace(/^[.'"\s]+/, '').replace(/['"]/g, ''))
        .filter((piece) => piece !== ''),
    ),
  ];
}

/** The same as commands. What is not a name of a command is none. */
export function roughCommands(text: string): PowerShellCommand[] {
  return roughPieces(text).flatMap((piece) => {
    const words = (piece.replace(/^\.\s+/, '').match(/(?:'[^']*'|"[^"]*"|[^\s,'"])+|['"][^'"]*/g) ?? []).map(
      (word) => ({ value: word.replace(/['"]/g, ''), quoted: /^['"]/.test(word) }),
    );
    const [first] = words;
    return first === undefined || first.value === ''
      ? []
      : [{ text: piece, name: canonicalName(first.value), words, piped: false }];
  });
}

/** Cut at everything that may end a command, once with backticks as cuts and once as what they are: they hide letters and line ends. */
function roughPieces(text: string): string[] {
  const whole = text.slice(0, maxRough);
  const variants = whole.includes('`') ? [whole, whole.replace(/`\r?\n/g, ' ').replace(/`(?=\S)/g, '')] : [whole];
  const pieces = variants.flatMap((variant) => variant.split(/[;|&\n(){}`=<>]+/)).map((piece) => piece.trim());
  return [...new Set(pieces.filter((piece) => piece !== ''))];
}

/** For parts that know commands of Bash: the words of a program, by its name. */
export function asShellWords({ words }: PowerShellCommand, program: string): ShellWord[] {
  return words.map(({ value }, index) => {
    const text = index === 0 ? program : value;
    return { text, value: text, kind: 'literal', tilde: false };
  });
}

const maxRough = 100_000;

/** In lower case, with the cmdlet instead of an alias, and one blank between words. */
export function canonicalText(command: string): string {
  const [first = '', ...rest] = command.trim().split(/\s+/);
  return [canonicalName(first), ...rest.map((word) => word.toLowerCase())].join(' ');
}

/** For rules that forbid or ask: "Module\Cmdlet" and "rm.exe" may be the same commands by longer names. Leave needs more. */
export function looseText(command: string): string {
  return canonicalText(
    command
      .trim()
      .replace(/^\S*[\\/]/, '')
      .replace(/^(\S+?)\.exe(?=\s|$)/i, '$1'),
  );
}

function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return aliases.get(lower) ?? lower;
}

/** What it is, or why it is not plain. Curly quotes and dashes count for PowerShell like the straight ones. */
function readWord(rest: string): { value: string; quoted: boolean; length: number } | string {
  const single = /^'((?:[^'\u2018-\u201f]|'')*)'(?=[\s,;|]|$)/.exec(rest);
  if (single) return { value: (single[1] ?? '').replaceAll("''", "'"), quoted: true, length: single[0].length };
  const double = /^"((?:[^"$`\u2018-\u201f]|"")*)"(?=[\s,;|]|$)/.exec(rest);
  if (double) return { value: (double[1] ?? '').replaceAll('""', '"'), quoted: true, length: double[0].length };
  const bare = /^(?:-[A-Za-z]+:)?[A-Za-z0-9_./\\:*?=+~^!-]+(?=[\s,;|]|$)/.exec(rest)?.[0];
  if (bare === undefined) return `\`${/^\S{1,20}/.exec(rest)?.[0] ?? rest.slice(0, 1)}\` is not a plain word`;
  if (bare === '--%') return '`--%` passes the rest on unparsed';
  return { value: bare, quoted: false, length: bare.length };
}

const plainName = /^(?:\.{1,2}[\\/])*[A-Za-z][A-Za-z0-9_./\\:-]*$/;

const keywords = new Set(
  (
    'begin break catch class clean configuration continue data do dynamicparam else elseif end enum exit ' +
    'filter finally for foreach from function hidden if in inlinescript param process return sequence switch ' +
    'throw trap try until using var while workflow'
  ).split(' '),
);

const aliases = new Map(
  Object.entries({
    'add-content': 'ac',
    'clear-content': 'clc',
    'clear-item': 'cli',
    'compare-object': 'compare diff',
    'copy-item': 'copy cp cpi',
    'foreach-object': '%',
    'format-list': 'fl',
    'format-table': 'ft',
    'format-wide': 'fw',
    'get-childitem': 'dir gci ls',
    'get-content': 'cat gc type',
    'get-history': 'ghy h history',
    'get-item': 'gi',
    'get-itemproperty': 'gp',
    'get-location': 'gl pwd',
    'get-process': 'gps ps',
    'group-object': 'group',
    'invoke-command': 'icm',
    'invoke-expression': 'iex',
    'invoke-item': 'ii',
    'invoke-restmethod': 'irm',
    'invoke-webrequest': 'curl iwr wget',
    'measure-object': 'measure',
    'move-item': 'mi move mv',
    'new-item': 'ni',
    'new-psdrive': 'mount ndr',
    'out-host': 'oh',
    'pop-location': 'popd',
    'push-location': 'pushd',
    'remove-item': 'del erase rd ri rm rmdir',
    'rename-item': 'ren rni',
    'resolve-path': 'rvpa',
    'select-object': 'select',
    'select-string': 'sls',
    'set-alias': 'sal',
    'set-content': 'sc',
    'set-item': 'si',
    'set-itemproperty': 'sp',
    'set-location': 'cd chdir sl',
    'set-variable': 'set sv',
    'sort-object': 'sort',
    'start-job': 'sajb',
    'start-process': 'saps start',
    'start-sleep': 'sleep',
    'stop-process': 'kill spps',
    'tee-object': 'tee',
    'where-object': '? where',
    'write-output': 'echo write',
  }).flatMap(([cmdlet, names]) => names.split(' ').map((name): [string, string] => [name, cmdlet])),
);
