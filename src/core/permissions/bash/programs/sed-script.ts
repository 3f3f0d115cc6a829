// Which sed scripts only print or replace text: others write files and run commands.

/** No editing in place, and only plain scripts. `args` without the command's name. */
export function isReadOnlySed(args: string[]): boolean {
  const call = readSedCall(args);
  return call !== undefined && !call.inPlace;
}

export interface SedCall {
  inPlace: boolean;
  files: string[];
}

/** Undefined where an option or the script is not plainly harmless (`w`, `e`, `r`, `-f`, unknown options). */
export function readSedCall(args: readonly string[]): SedCall | undefined {
  const scripts: string[] = [];
  const rest: string[] = [];
  let inPlace = false;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '--') {
      rest.push(...args.slice(index + 1));
      break;
    }
    if (isScriptOption(argument)) scripts.push(args[++index] ?? '');
    else if (argument.startsWith('--expression=')) scripts.push(argument.slice('--expression='.length));
    else if (/^(-[nErsuz]+|--(quiet|silent|regexp-extended|separate|null-data|sandbox|posix|debug))$/.test(argument))
      continue;
    else if (/^(-[nErsuz]*i(\.[\w.-]+)?|--in-place(=\.[\w.-]+)?)$/.test(argument)) inPlace = true;
    else if (argument.startsWith('-') && argument !== '-') return undefined;
    else rest.push(argument);
  }
  if (scripts.length === 0) scripts.push(rest.shift() ?? '');
  return scripts.every((script) => sedEffects(script) === 'prints') ? { inPlace, files: rest } : undefined;
}

function isScriptOption(argument: string): boolean {
  return argument === '-e' || argument === '--expression';
}

/** True where no script in the words runs a command, or reads or writes a file of its own. False for scripts in files. */
export function isTameSed(args: readonly string[]): boolean {
  const scripts = args.flatMap((argument, index) => {
    if (argument.startsWith('--expression=')) return [argument.slice('--expression='.length)];
    const before = args[index - 1] ?? '';
    return isScriptOption(before) || /^-[nErsuz]+e$/.test(before) ? [argument] : [];
  });
  const odd = args.some(
    (argument) => /^-[A-Za-z]*f|^--f/.test(argument) || (/^-[nErsuz]*e./.test(argument) && !argument.startsWith('--')),
  );
  if (odd) return false;
  if (scripts.length === 0) scripts.push(args.find((argument) => argument !== '' && !argument.startsWith('-')) ?? '');
  // Several are read as one, a line each.
  return sedEffects(scripts.join('\n')) !== 'more';
}

/** `prints`: it prints, deletes and replaces. `edits`: also what only changes the text. `more`: it may run commands, or name files. */
export function sedEffects(script: string): 'prints' | 'edits' | 'more' {
  let rest = script;
  let found: 'prints' | 'edits' = 'prints';
  let commands = 0;
  for (;;) {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') return commands === 0 ? 'edits' : found;
    const addressed = afterAddresses(rest);
    if (addressed === undefined) return 'more';
    const letter = addressed[0] ?? '';
    rest = addressed.slice(1);
    commands++;
    if (letter === '{' || letter === '}') continue;
    if (/[pdqDgGhHnNxlQ=]/.test(letter)) {
      // A number may be its exit code; nothing else follows it.
      const after = /^ *\d*[ \t]*(?=[;\n}]|$)/.exec(rest);
      if (after === null) return 'more';
      rest = rest.slice(after[0].length);
    } else if (letter === 's' || letter === 'y') {
      const after = afterPieces(rest);
      const flags = after === undefined ? undefined : /^([gpiIMm\d]*)[ \t]*(?=[;\n}]|$)/.exec(after);
      if (after === undefined || flags === null || flags === undefined) return 'more';
      rest = after.slice(flags[0].length);
    } else if (letter === ':' || /[btT]/.test(letter)) {
      found = 'edits';
      const label = /^[ \t]*[\w.-]*[ \t]*(?=[;\n}]|$)/.exec(rest);
      if (label === null) return 'more';
      rest = rest.slice(label[0].length);
    } else if (/[aic]/.test(letter)) {
      found = 'edits';
      // Its text ends with the line, unless a backslash takes it on.
      rest = rest.replace(/^(\\\n)?(\\[\s\S]|[^\\\n])*/, '');
    } else return 'more';
  }
}

/** What follows the addresses; undefined where systems may see their end elsewhere. */
function afterAddresses(text: string): string | undefined {
  const first = afterAddress(text);
  if (first === undefined) return undefined;
  let rest = first;
  if (rest !== text) {
    const comma = /^[ \t]*,[ \t]*/.exec(rest);
    if (comma !== null) {
      const second = afterAddress(rest.slice(comma[0].length));
      if (second === undefined || second === rest.slice(comma[0].length)) return undefined;
      rest = second;
    }
  }
  return rest.replace(/^[ \t]*!?[ \t]*/, '');
}

function afterAddress(text: string): string | undefined {
  const simple = /^(\d+(~\d+)?|\$|[+~]\d+)/.exec(text);
  if (simple !== null) return text.slice(simple[0].length);
  if (!text.startsWith('/')) return text.startsWith('\\') ? undefined : text;
  const end = endOfPiece(text, 1, '/');
  return end === undefined || !isPlainRegex(text.slice(1, end)) ? undefined : text.slice(end + 1).replace(/^[IM]+/, '');
}

/** What follows the last delimiter of `s/a/b/`. */
function afterPieces(text: string): string | undefined {
  const delimiter = text[0];
  if (delimiter === undefined || /[\w\s\\;{}]/.test(delimiter)) return undefined;
  const first = endOfPiece(text, 1, delimiter);
  const second = first === undefined ? undefined : endOfPiece(text, first + 1, delimiter);
  if (first === undefined || second === undefined || !isPlainRegex(text.slice(1, first))) return undefined;
  return text.slice(second + 1);
}

function endOfPiece(text: string, from: number, delimiter: string): number | undefined {
  for (let index = from; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === delimiter) return index;
  }
  return undefined;
}

/**
 * Some systems look for the end of a list in brackets first, so it must be in sight, with `[:space:]` read as a part of it and not; nor may a
 * backslash stand before that end, or the line end within.
 */
function isPlainRegex(regex: string): boolean {
  return !regex.includes('\n') && endsOutsideLists(regex, true) && endsOutsideLists(regex, false);
}

function endsOutsideLists(regex: string, classes: boolean): boolean {
  for (let index = 0; index < regex.length; index++) {
    if (regex[index] === '\\') index++;
    else if (regex[index] === '[') {
      const end = endOfList(regex, index + 1, classes);
      if (end === undefined || regex[end - 1] === '\\') return false;
      index = end;
    }
  }
  return true;
}

/** Where its `]` stands; the first one is a member of the list. */
function endOfList(regex: string, from: number, classes: boolean): number | undefined {
  let index = regex[from] === '^' ? from + 1 : from;
  if (regex[index] === ']') index++;
  for (; index < regex.length; index++) {
    if (regex[index] === ']') return index;
    const kind = regex[index + 1] ?? '';
    if (!classes || regex[index] !== '[' || !/[:.=]/.test(kind)) continue;
    const end = regex.indexOf(`${kind}]`, index + 2);
    if (end < 0) return undefined;
    index = end + 1;
  }
  return undefined;
}
