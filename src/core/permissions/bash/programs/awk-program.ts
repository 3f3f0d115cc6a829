// Which awk programs only print what they are given to read: others run commands, and name files of their own.

export interface AwkCall {
  files: string[];
}

/** Undefined where an option or the program is not plainly harmless. `args` without the command's name. */
export function readAwkCall(args: readonly string[]): AwkCall | undefined {
  let index = 0;
  for (; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '--') {
      index++;
      break;
    }
    if (!argument.startsWith('-')) break;
    if (/^-[Fv]./s.test(argument)) continue;
    if (!/^-[Fv]$/.test(argument)) return undefined;
    index++;
  }
  const program = args[index];
  if (program === undefined || !isTameAwk(program)) return undefined;
  // What has a `=` in it sets a variable, which may be one of awk's own.
  return { files: args.slice(index + 1) };
}

export function isReadOnlyAwk(args: readonly string[]): boolean {
  return readAwkCall(args) !== undefined;
}

/** Names that run a command, read a file, show the environment or lead to names that do. */
const reaching =
  /^(system|getline|close|fflush|ENVIRON|ARGV|ARGC|ARGIND|SYMTAB|FUNCTAB|PROCINFO|include|load|namespace)$/;

/** After these words a slash begins a pattern. */
const keywords = /^(print|printf|return|in|if|while|do|else|delete|exit|case|BEGIN|END|BEGINFILE|ENDFILE)$/;

/** True where no part of it writes, runs or opens something. What is not understood is not tame. */
export function isTameAwk(program: string): boolean {
  let rest = program;
  const place = { afterValue: false, printing: false, depth: 0, complete: true };
  while (rest !== '') {
    const blank = /^([ \t\r]|\\\n)+/.exec(rest);
    if (blank !== null) {
      rest = rest.slice(blank[0].length);
      continue;
    }
    const token = tokenOf(rest, place.afterValue);
    if (token === undefined || reaching.test(token)) return false;
    rest = rest.slice(token.length);
    // A slash after them divides or begins a pattern: only where nothing else could end one does that not matter.
    if (/^(\)|\+\+|--|length)$/.test(token) && /^\s*\/.*["/]/s.test(rest)) return false;
    // In parentheses it compares.
    if (token === '>' && place.printing && place.depth <= 0) return false;
    move(place, token);
  }
  return true;
}

interface Place {
  /** A value stands before: then a slash divides. */
  afterValue: boolean;
  printing: boolean;
  depth: number;
  /** A statement may end here. */
  complete: boolean;
}

function move(place: Place, token: string): void {
  if (token.startsWith('#')) return;
  // Behind a comma or an operator, a line break ends nothing.
  if (/^[;{}]$/.test(token) || (token === '\n' && place.complete)) Object.assign(place, { printing: false, depth: 0 });
  if (/^printf?$/.test(token)) place.printing = true;
  if (/^[([]$/.test(token)) place.depth++;
  if (/^[)\]]$/.test(token)) place.depth--;
  place.afterValue = /[\w.)\]"/]$/.test(token) && token !== '/' && !keywords.test(token);
  place.complete = token === '\n' ? place.complete : place.afterValue || /^([;{}]|printf?|\+\+|--)$/.test(token);
}

function tokenOf(rest: string, afterValue: boolean): string | undefined {
  const first = rest[0] ?? '';
  if (first === '"') return /^"(?:[^"\\\n]|\\[^\n])*"/.exec(rest)?.[0];
  if (first === '#') return /^#[^\n]*/.exec(rest)?.[0];
  if (first === '/' && !afterValue) return /^\/(?:[^/\\\n[\]]|\\[^\n]|\[[^\]\\/\n[]+\])+\//.exec(rest)?.[0];
  const name = /^(?:[A-Za-z_]\w*|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)/.exec(rest)?.[0];
  if (name !== undefined) return name;
  // No pipes, no appending, and nothing of one system alone.
  return /^(?:\|\||&&|[-+*/%^=!<>]=|!~|\+\+|--|\*\*|[-+*/%^=!<>~?:,;\n(){}[\]$])/.exec(rest)?.[0];
}
