// Finds an installed VS Code: its program itself where that can be determined, because only that can be ended again.
import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';

export type InstalledVscode = {
  readonly program: string;
  /** True for the `code` command, which returns at once unless an option makes it wait. */
  readonly isCommand: boolean;
};

/** Where the program lies, from the folder of the `code` command: Linux, Windows, macOS under its two names. */
const PROGRAMS = ['../code', '../Code.exe', '../../../MacOS/Electron', '../../../MacOS/Code'];

/** Looks on PATH first, then in the usual places. */
export function findInstalledVscode(
  platform: string = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): InstalledVscode | undefined {
  for (const command of commandPlaces(platform, env)) {
    if (!isExecutable(command)) continue;
    const folder = path.dirname(realpathSync(command));
    const program = PROGRAMS.map((relative) => path.resolve(folder, relative)).find(isExecutable);
    if (program) return { program, isCommand: false };
    // A batch file cannot be started without a shell, so on Windows only the program itself will do.
    if (platform !== 'win32') return { program: command, isCommand: true };
  }
  return undefined;
}

function commandPlaces(platform: string, env: NodeJS.ProcessEnv): string[] {
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  if (platform === 'win32') {
    const installed = [path.join(env['LOCALAPPDATA'] ?? '', 'Programs'), env['PROGRAMFILES'] ?? ''].map((root) =>
      path.join(root, 'Microsoft VS Code', 'bin'),
    );
    return [...onPath, ...installed].map((folder) => path.join(folder, 'code.cmd'));
  }
  const applications = ['/Applications', `${env['HOME'] ?? ''}/Applications`].map(
    (root) => `${root}/Visual Studio Code.app/Contents/Resources/app/bin`,
  );
  return [...onPath, ...(platform === 'darwin' ? applications : ['/usr/share/code/bin', '/snap/bin'])].map((folder) =>
    path.join(folder, 'code'),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
