// The settings of a run: files of the machine, the user and the project, --settings, and the rules of the command line.
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DeftError } from '../core/text/errors';
import { isToolDenied } from '../core/permissions/rules/tool-rules';
import { parseRule } from '../core/permissions/rules/rule-syntax';
import { keyNoteLines } from '../core/settings/key-notes';
import { readSettings } from '../core/settings/read-settings';
import { ruleWarning } from '../core/settings/rule-warnings';
import { loadSettings, type LoadedSettings, type LoadOptions } from '../core/settings/load-settings';
import { type SettingsTarget } from '../core/settings/save-update';
import { type SettingsProblem, type SettingsText } from '../core/settings/settings-file';
import { targetOf } from '../core/settings/settings-target';
import { fileErrorSentence } from '../node/files/file-error';
import { createNodeFileSystem } from '../node/files/node-file-system';
import { portPath } from '../node/files/port-path';
import { findSettings } from '../node/settings-files';
import {
  type PermissionDestination,
  type PermissionMode,
  type PermissionRule,
  type RuleBehavior,
} from '../shared/permission';
import { type ModeLimits } from './control/refused-mode';
import { type RunOptions } from './command-line/run-options';
import { isRead } from './read-sources';

export interface RunSettings extends Omit<LoadedSettings, 'additionalDirectories'> {
  /** `additionalDirectories` that exist, links resolved. */
  folders: string[];
  /** A bare deny rule takes the tool away. */
  isDenied: (toolName: string) => boolean;
  /** The settings file that a destination means; undefined where there is none. */
  target: (destination: PermissionDestination) => SettingsTarget | undefined;
}

export interface RunSettingsRequest {
  options: Pick<
    RunOptions,
    | 'settings'
    | 'settingSources'
    | 'managedSettings'
    | 'permissions'
    | 'trustProject'
    | 'pluginDirectories'
    | 'mcpConfig'
    | 'agents'
    | 'programServers'
  >;
  cwd: string;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  warn(message: string): void;
}

/**
 * Nobody can be asked whether the folder is trusted, so it is not, unless --trust-project says so: of the project's files only deny
 * and ask rules count. A project never chooses the mode.
 * A file that does not parse is named by a warning, and then nothing but reading is allowed; a broken --settings ends the
 * run with a DeftError, as do a rule on the command line that is none and a mode that is switched off.
 */
export async function readRunSettings(request: RunSettingsRequest): Promise<RunSettings> {
  const { options, cwd, warn } = request;
  const home = portPath(request.home);
  const given = await givenSettings(options.settings, '--settings', cwd, home);
  const managed = await givenSettings(options.managedSettings, '--managed-settings', cwd, home);
  for (const one of [given, managed]) {
    const alone = one && loadSettings([one], untrusted);
    if (alone !== undefined && alone.broken.length > 0)
      throw new DeftError('settings', alone.problems.map(sentence).join(' '), { audience: 'user' });
  }
  const { places, projects } = await findSettings({
    folders: [cwd],
    environment: request.environment,
    home: request.home,
  });
  const read = places.filter(({ source }) => isRead('settings', source, options.settingSources));
  const found = await readSettings(read, createNodeFileSystem(), (ms) => setTimeout(ms));
  // The files of an organization come before what a program says in its place.
  const organization = found.filter(({ source }) => source === 'managedSettings');
  const others = found.filter(({ source }) => source !== 'managedSettings');
  const texts = [...(given === undefined ? [] : [given]), ...organization, ...(managed ? [managed] : []), ...others];
  const loaded = loadSettings(texts, { trusted: options.trustProject, projectSetsMode: false });
  for (const problem of loaded.problems) warn(sentence(problem));
  // What other programs read, and what an organization forbids, is nobody's mistake.
  const mistakes = loaded.notes.filter(({ kind }) => kind === 'unknown' || kind === 'misplaced');
  for (const line of keyNoteLines(mistakes)) warn(line);
  const { problemCommands = [] } = loadSettings(texts, { trusted: true, projectSetsMode: false }).values;
  if (problemCommands.length > (loaded.values.problemCommands ?? []).length)
    warn(
      "The project's problemCommands are not used: nobody can be asked to trust the folder. Start the run with --trust-project, or name them in your own settings.",
    );
  refuseFlags(options, loaded);
  const off = switchedOff(loaded, options.permissions.mode ?? loaded.defaultMode);
  if (off !== undefined) throw new DeftError('mode-disabled', off, { audience: 'user' });
  const allowed = options.permissions.allowed.map((text) => commandLineRule('allow', '--allowedTools', text, cwd));
  const disallowed = options.permissions.disallowed.map((text) =>
    commandLineRule('deny', '--disallowedTools', text, cwd),
  );
  for (const rule of [...disallowed, ...allowed]) {
    const warning = ruleWarning(rule);
    if (warning !== undefined) warn(`${rule.file}: ${warning}`);
  }
  if (loaded.managedRulesOnly && allowed.length > 0)
    warn('--allowedTools is ignored: only the rules of your organization allow anything here.');
  const rules = [
    // What a flag forbids still holds.
    ...disallowed,
    ...(loaded.managedRulesOnly ? [] : allowed),
    ...loaded.rules,
  ];
  const folders = await existingFolders(loaded.additionalDirectories, warn);
  return {
    ...loaded,
    ...{ rules, folders },
    isDenied: (toolName) => isToolDenied(rules, toolName),
    target: (destination) => targetOf(destination, projects[0], places),
  };
}

/** Flags that bring in what an organization has not looked at. */
function refuseFlags(
  { pluginDirectories, mcpConfig, agents, programServers }: RunSettingsRequest['options'],
  { values }: Pick<LoadedSettings, 'values'>,
): void {
  const given = [
    ...(pluginDirectories.length > 0 ? ['--plugin-dir'] : []),
    ...(mcpConfig.length > 0 ? ['--mcp-config'] : []),
    ...(agents === undefined ? [] : ['--agents']),
    ...(programServers.length > 0 ? ['MCP servers of the program that runs Deft'] : []),
  ];
  if (values.disableSideloadFlags === true && given.length > 0)
    throw new DeftError(
      'flag-locked',
      `Your organization's settings do not allow ${given.join(', ')} (disableSideloadFlags).`,
      { audience: 'user' },
    );
}

const untrusted: LoadOptions = { trusted: false, projectSetsMode: false };

/** The sentence that refuses a mode which a settings file forbids. */
function switchedOff(
  loaded: Pick<LoadedSettings, 'bypassDisabled' | 'values'>,
  mode: PermissionMode | undefined,
): string | undefined {
  const key =
    mode === 'bypassPermissions' && loaded.bypassDisabled
      ? 'disableBypassPermissionsMode'
      : mode === 'auto' && loaded.values.disableAutoMode === 'disable'
        ? 'disableAutoMode'
        : undefined;
  return key && `The permission mode ${mode} is switched off by a settings file (${key}).`;
}

export function modeLimits({
  settings,
  options: { permissions },
}: {
  settings: Pick<LoadedSettings, 'bypassDisabled' | 'values'>;
  options: Pick<RunOptions, 'permissions'>;
}): ModeLimits {
  return {
    switchedOff: (mode) => switchedOff(settings, mode),
    bypassStarted: permissions.mode === 'bypassPermissions' || permissions.mayBypass,
  };
}

type Place = Omit<SettingsText, 'text'>;

/** JSON where it begins like an object, else a file. */
async function givenSettings(
  value: string | undefined,
  option: '--settings' | '--managed-settings',
  cwd: string,
  home: string,
): Promise<SettingsText | undefined> {
  if (value === undefined) return undefined;
  const source = option === '--settings' ? 'commandLine' : 'managedSettings';
  const place: Place = { source, file: option, root: portPath(cwd), home };
  if (value.trimStart().startsWith('{')) return { ...place, text: value };
  const file = path.resolve(cwd, value);
  try {
    return { ...place, file: portPath(file), text: await readFile(file, 'utf8') };
  } catch (error) {
    throw new DeftError('settings', `${option}: ${fileErrorSentence(error, file, 'read')}`, {
      audience: 'user',
      cause: error,
    });
  }
}

async function existingFolders(folders: readonly string[], warn: RunSettingsRequest['warn']): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const real = await realpath(folder).catch(() => undefined);
      if (real === undefined) warn(`additionalDirectories: ${folder} does not exist and is ignored.`);
      return real === undefined ? [] : [portPath(real)];
    }),
  );
  return found.flat();
}

function commandLineRule(behavior: RuleBehavior, option: string, text: string, cwd: string): PermissionRule {
  const value = parseRule(text);
  if (value === undefined) {
    throw new DeftError(
      'rule',
      `${option}: ${JSON.stringify(text)} is not a rule. Rules look like Edit or Bash(npm test).`,
      { audience: 'user' },
    );
  }
  return { behavior, value, source: 'commandLine', root: portPath(cwd), file: option };
}

function sentence({ file, line, column, message }: SettingsProblem): string {
  return `${file}, line ${line}, column ${column}: ${message}`;
}
