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
    if (argument === '-e' || argument === '--expression') scripts.push(args[++index] ?? '');
    else if (argument.startsWith('--expression=')) scripts.push(argument.slice('--expression='.length));
    else if (/^(-[nErsuz]+|--(quiet|silent|regexp-extended|separate|null-data|sandbox|posix|debug))$/.test(argument)) continue;
    else if (/^(-[nErsuz]*i(\.[\w.-]+)?|--in-place(=\.[\w.-]+)?)$/.test(argument)) inPlace = true;
    else if (argument.startsWith('-') && argument !== '-') return undefined;
    else rest.push(argument);
  }
  if (scripts.length === 0) scripts.push(rest.shift() ?? '');
  return scripts.every(isPlainScript) ? { inPlace, files: rest } : undefined;
}

/** One command per script: print, delete, quit, line number, or a substitution that neither writes nor runs. */
function isPlainScript(script: string): boolean {
  const command = script.trim().replace(/^(\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?)(,(\d+|\$|\+\d+|\/(?:[^/\\\n]|\\.)*\/I?))?\s*!?\s*/, '');
  if (/^[pdq=]?$/.test(command)) return command !== '';
  const delimiter = command[1];
  if (!command.startsWith('s') || delimiter === undefined || /[\w\s\\;{}]/.test(delimiter)) return false;
  const pieces = splitUnescaped(command.slice(2), delimiter);
  return pieces.length === 3 && !pieces[0]?.includes('\n') && /^[gpiI\d]*$/.test(pieces[2] ?? 'w');
}

function splitUnescaped(text: string, delimiter: string): string[] {
  const pieces = [''];
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '\\') pieces[pieces.length - 1] += character + (text[++index] ?? '');
    else if (character === delimiter) pieces.push('');
    else pieces[pieces.length - 1] += character;
  }
  return pieces;
}
