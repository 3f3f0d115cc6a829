// How a program is started on Windows: scripts by the command interpreter with quoted words, all else without it.
import path from 'node:path';

export interface WindowsStart {
  command: string;
  args: string[];
  shell: boolean;
}

interface Place {
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string | undefined;
}

const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/** The files that a name may stand for, the first that is there counts. A bare name is never looked for in the folder it starts in. */
export function windowsCandidates(command: string, { environment, cwd }: Place): string[] {
  const valueOf = (name: string): string | undefined =>
    Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1];
  const extensions = (valueOf('PATHEXT') ?? usualExtensions)
    .split(';')
    .filter((extension) => /^\.\w+$/.test(extension));
  const hasOne = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const names = hasOne ? [command] : extensions.map((extension) => command + extension.toLowerCase());
  if (/[\\/:]/.test(command)) return names.map((name) => path.win32.resolve(cwd ?? '.', name));
  const folders = (valueOf('PATH') ?? '').split(';').map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  return folders
    .filter((folder) => path.win32.isAbsolute(folder))
    .flatMap((folder) => names.map((name) => path.win32.join(folder, name)));
}

/** A sentence where the interpreter would read the words as something else. */
export function windowsStart(file: string, args: readonly string[]): WindowsStart | string {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { command: file, args: [...args], shell: false };
  if ([file, ...args].some((word) => /[%"\r\n\0]/.test(word)))
    return `\`${file}\` is a script, which cannot take arguments with %, " or a line break. Name the program that it starts instead.`;
  return { command: quoted(file), args: args.map(quoted), shell: true };
}

/** A program takes a backslash in front of a quote for one that belongs to it. */
function quoted(word: string): string {
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}
