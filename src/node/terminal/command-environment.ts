// The environment of started commands: the user's own, without Deft's credentials and the host's inner variables.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { withoutCredentials } from '../../core/text/credentials';

/** Set for every command: the output is a pipe, and nobody may be there to leave a pager or an editor. */
export const COMMAND_VARIABLES: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
};

/**
 * Settings of git for every command, behind those that the user sets in the environment: git runs no program that a
 * repository's settings name as its file monitor, and takes no folder for a repository only because it looks like one.
 */
export const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['safe.bareRepository', 'explicit'],
];

/** The same as variables, behind those that the environment sets. */
export function gitSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const known = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  const own = Number.isInteger(known) && known >= 0 && known < 10_000 ? known : 0;
  const pairs = GIT_SETTINGS.map(([key, value], index) => [
    [`GIT_CONFIG_KEY_${own + index}`, key],
    [`GIT_CONFIG_VALUE_${own + index}`, value],
  ]);
  return {
    ...(Object.fromEntries(pairs.flat()) as Record<string, string>),
    GIT_CONFIG_COUNT: String(own + GIT_SETTINGS.length),
  };
}

/**
 * Without credentials, without what VS Code and Electron set for themselves, and without what npm set where npm started us.
 * Nothing is added.
 */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const startedByNpm = environment['npm_execpath'] !== undefined;
  const noise = startedByNpm ? /^(VSCODE_|ELECTRON_|npm_|DEFT_RUN$)/ : /^(VSCODE_|ELECTRON_|npm_(?!config_)|DEFT_RUN$)/;
  return Object.fromEntries(
    Object.entries(withoutCredentials(environment)).filter(([name, value]) => value !== undefined && !noise.test(name)),
  );
}

/** Later layers win; null unsets. */
export function mergeEnvironment(
  base: NodeJS.ProcessEnv,
  ...layers: Readonly<Record<string, string | null | undefined>>[]
): NodeJS.ProcessEnv {
  const merged: NodeJS.ProcessEnv = { ...base };
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (typeof value === 'string') merged[name] = value;
    else if (value === null) delete merged[name];
  }
  return withoutCredentials(merged);
}

/** `/bin/bash`, else the first bash on the PATH; undefined where there is none, and on Windows, where PowerShell runs commands (docs/decisions/0051). */
export function findBash(environment: NodeJS.ProcessEnv, platform = process.platform): string | undefined {
  if (platform === 'win32') return undefined;
  const folders = ['/bin', '/usr/bin', ...(environment['PATH'] ?? '').split(path.delimiter)];
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, 'bash'))
    .find((file) => existsSync(file));
}
