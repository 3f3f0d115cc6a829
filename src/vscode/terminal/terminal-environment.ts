// The environment of commands in VS Code: the login shell's, then VS Code's settings, the Python extension and Deft's settings.
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { messageOf } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';
import { cleanEnvironment, mergeEnvironment } from '../../node/terminal/command-environment';
import { type ShellNames } from '../../core/permissions/bash/shell-names';
import { noNames } from '../../node/terminal/shell-definitions';
import { loginEnvironment } from '../../node/terminal/login-environment';

type Variables = Record<string, string | null>;

export interface TerminalEnvironment {
  /** Starts asking the login shell, so that the first command need not wait for it. */
  prepare(): void;
  /** Complete, for a process of Deft's own. */
  complete(): Promise<NodeJS.ProcessEnv>;
  /** The same as it was made last. */
  last(): NodeJS.ProcessEnv | undefined;
  /** Aliases and functions of the login shell. */
  names(): Promise<ShellNames>;
}

/** `last` has the last word. */
export function createTerminalEnvironment(log: Log, last: () => Variables): TerminalEnvironment {
  let login: ReturnType<typeof askLoginShell> | undefined;
  let made: NodeJS.ProcessEnv | undefined;
  const ask = () =>
    (login ??= askLoginShell(log).then((asked) => {
      if (made === undefined) made = asked.environment;
      return asked;
    }));
  return {
    prepare: () => void ask(),
    last: () => made,
    names: async () => (await ask()).names,
    complete: async () => {
      const environment = mergeEnvironment((await ask()).environment, integratedVariables());
      made = mergeEnvironment(environment, await chosenPython(environment, log), last());
      return made;
    },
  };
}

async function askLoginShell(log: Log): Promise<{ environment: NodeJS.ProcessEnv; names: ShellNames }> {
  const asked = await loginEnvironment(process.env);
  if (asked.outcome === 'asked') return asked;
  log.info(`Commands use VS Code's own environment: ${asked.message}`);
  return { environment: cleanEnvironment(process.env), names: noNames };
}

/** Empty where the Python extension is not at work. */
async function chosenPython(environment: NodeJS.ProcessEnv, log: Log): Promise<Variables> {
  const extension = vscode.extensions.getExtension<unknown>('ms-python.python');
  if (!extension?.isActive) return {};
  const { hasEnvironments, pythonVariables } = await import('./python-environment');
  if (!hasEnvironments(extension.exports)) return {};
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return pythonVariables(extension.exports.environments, folder, environment['PATH'] ?? '').catch((error: unknown) => {
    log.info('Commands run without the Python environment of the Python extension.', messageOf(error));
    return {};
  });
}

/** What `terminal.integrated.env.*` sets; null unsets. */
function integratedVariables(): Variables {
  const system = process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'osx' : 'linux';
  return resolved(vscode.workspace.getConfiguration('terminal.integrated').get<Variables>(`env.${system}`, {}));
}

/** What `deft.terminal.env` sets; null unsets. The last word in both strategies. */
export function deftVariables(): Variables {
  return resolved(vscode.workspace.getConfiguration('deft').get<Variables>('terminal.env', {}));
}

function resolved(variables: Variables): Variables {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const replace = (text: string) =>
    text
      .replace(/\$\{env:([^}]+)\}/g, (_match, name: string) => process.env[name] ?? '')
      .replaceAll('${workspaceFolder}', folder)
      .replaceAll('${userHome}', homeFolder());
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? replace(value) : null]),
  );
}
