// All settings files as one: rules of every file, values of the highest, and nothing that an untrusted folder grants.
import { type PermissionMode, type PermissionRule, type RuleSource } from '../../shared/permission';
import { type HookSettings, mergeHooks } from '../hooks/hook-settings';
import { readSettingsFile, type SettingsFile, type SettingsProblem, type SettingsText } from './settings-file';

export interface LoadedSettings {
  /** Of the higher files first. */
  rules: PermissionRule[];
  /** Never from a project's files, unless the host says so. */
  defaultMode?: PermissionMode;
  additionalDirectories: string[];
  env: Record<string, string>;
  /** How long questions to the person wait; missing where they wait for ever. */
  questionTimeoutMs?: number;
  /** Some file forbids the mode that asks for nothing. */
  bypassDisabled: boolean;
  hooks: HookSettings;
  problems: SettingsProblem[];
  /** Files whose rules may be missing; goes into `PermissionContext.brokenSettings`. */
  broken: string[];
}

export interface LoadOptions {
  /** An untrusted workspace's files forbid and ask; they allow and set nothing. */
  trusted: boolean;
  /** Whether a trusted project may choose the start mode. The extension says no. */
  projectSetsMode: boolean;
}

/** `texts` in any order; their source gives the rank: managed, command line, local, project, user. */
export function loadSettings(texts: readonly SettingsText[], options: LoadOptions): LoadedSettings {
  const files = [...texts].sort((a, b) => rank.indexOf(a.source) - rank.indexOf(b.source)).map(readSettingsFile);
  const granting = files.filter((file) => options.trusted || !isProject(file));
  const mode = granting.find((file) => file.defaultMode !== undefined && maySetMode(file, options))?.defaultMode;
  const wait = granting.find((file) => file.questionTimeoutMs !== undefined)?.questionTimeoutMs ?? 0;
  return {
    rules: files.flatMap((file) => (granting.includes(file) ? file.rules : file.rules.filter(({ behavior }) => behavior !== 'allow'))),
    ...(mode === undefined ? {} : { defaultMode: mode }),
    additionalDirectories: [...new Set(granting.flatMap((file) => file.additionalDirectories))],
    env: mergedEnv(granting),
    ...(wait === 0 ? {} : { questionTimeoutMs: wait }),
    bypassDisabled: files.some((file) => file.bypassDisabled),
    hooks: mergeHooks(files, options.trusted),
    problems: files.flatMap((file) => file.problems),
    broken: files.filter((file) => file.broken).map((file) => file.file),
  };
}

const rank: readonly RuleSource[] = ['managedSettings', 'commandLine', 'session', 'localSettings', 'projectSettings', 'userSettings'];

/** Both files lie in the folder: whoever wrote the project may have written them. */
function isProject({ source }: SettingsFile): boolean {
  return source === 'projectSettings' || source === 'localSettings';
}

/** No project may switch all questions off. */
function maySetMode(file: SettingsFile, { projectSetsMode }: LoadOptions): boolean {
  return !isProject(file) || (projectSetsMode && file.defaultMode !== 'bypassPermissions');
}

function mergedEnv(files: readonly SettingsFile[]): Record<string, string> {
  return Object.fromEntries(files.toReversed().flatMap((file) => Object.entries(file.env)));
}
