// All settings files as one: rules of every file, values of the highest, and nothing that a folder grants unasked.
import { defined } from '../../shared/defined';
import { type PermissionMode, type PermissionRule, type RuleSource } from '../../shared/permission';
import { type HookSettings, mergeHooks } from '../hooks/hook-settings';
import { type KeyNote } from './key-notes';
import { locksOf, withinLocks } from './locks';
import { mergeValues } from './merge-values';
import { projectCommand } from './project-command';
import { type HookEntry } from '../hooks/hook-entry';
import { type Grant } from './grant-text';
import { type Agreed, withAgreed } from './project-grants';
import {
  isProjectSource,
  readSettingsFile,
  type SettingsFile,
  type SettingsProblem,
  type SettingsText,
} from './settings-file';
import { type StartStop } from './start-stops';
import { type SettingsKey, settingsKeys, type SettingsValues } from './settings-keys';

export interface LoadedSettings {
  /** Those of higher files come first. */
  rules: PermissionRule[];
  /** Never from a project's files, unless the host says so. */
  defaultMode?: PermissionMode;
  additionalDirectories: string[];
  env: Record<string, string>;
  /** Some file forbids the mode that asks for nothing. */
  bypassDisabled: boolean;
  hooks: HookSettings;
  /** Every other key that Deft knows. */
  values: SettingsValues;
  /** The command of `statusLine`, where it is a project's that counts. */
  projectStatusLine?: HookEntry;
  /** The same of `fileSuggestion`. */
  projectFileSuggestion?: HookEntry;
  problems: SettingsProblem[];
  /** Keys of the files that Deft does not read. */
  notes: KeyNote[];
  /** What keeps Deft from starting. */
  stops: StartStop[];
  /** Only an organization's rules count, and no others may be granted. */
  managedRulesOnly: boolean;
  /** The file that wants commands to run in a sandbox or not at all, where one does. */
  sandboxRequiredBy?: string;
  /** Files whose rules may be missing; goes into `PermissionContext.brokenSettings`. */
  broken: string[];
  /** What a trusted project would grant and nobody has agreed to yet. */
  pending: Grant[];
}

export interface LoadOptions {
  /** An untrusted workspace's files forbid and ask; they allow and set nothing. */
  trusted: boolean;
  /** What of a trusted project's grants the user has agreed to; all of them where it is left out. */
  agreed?: Agreed;
  /** Whether a trusted project may choose the start mode. The extension says no. */
  projectSetsMode: boolean;
}

/**
 * The source of a text gives its rank: managed, command line, local, project, user. Of several texts of one source the first
 * is the highest.
 */
export function loadSettings(texts: readonly SettingsText[], options: LoadOptions): LoadedSettings {
  const all = [...texts].sort((a, b) => rank.indexOf(a.source) - rank.indexOf(b.source)).map(readSettingsFile);
  const locks = locksOf(all);
  const accepted = new Set(all.flatMap(({ acceptedLocks }) => acceptedLocks));
  const hooks = mergeHooks(all, { trusted: options.trusted, lock: locks.hooks, forced: forcedPlugins(all) });
  const files = withinLocks(all, locks, hooks.disabled);
  const taken = files.map((file) => takenFrom(file, options));
  const granted = taken.map(({ file }) => file);
  const statusLine = projectCommand('statusLine', granted);
  const fileSuggestion = projectCommand('fileSuggestion', granted);
  const mode = granted.find((file) => file.defaultMode !== undefined && maySetMode(file, options))?.defaultMode;
  return {
    rules: granted.flatMap(({ rules }) => rules),
    ...defined({ defaultMode: mode }),
    additionalDirectories: [...new Set(granted.flatMap((file) => file.additionalDirectories))],
    env: Object.fromEntries(granted.toReversed().flatMap((file) => Object.entries(file.env))),
    bypassDisabled: files.some((file) => file.bypassDisabled),
    hooks,
    values: mergeValues(granted),
    ...defined({ projectStatusLine: statusLine, projectFileSuggestion: fileSuggestion }),
    problems: files.flatMap((file) => file.problems),
    notes: files.flatMap(({ notes }) => notes),
    stops: files.flatMap(({ stops }) => stops).filter(({ key }) => !accepted.has(key)),
    managedRulesOnly: locks.rules,
    ...defined({ sandboxRequiredBy: locks.sandboxRequiredBy }),
    broken: files.filter((file) => file.broken).map((file) => file.file),
    pending: taken.flatMap(({ pending }) => pending),
  };
}

/** Those that an organization switches on: their hooks count as its own. */
function forcedPlugins(files: readonly SettingsFile[]): string[] {
  return files.flatMap(({ source, values }) =>
    source === 'managedSettings'
      ? Object.entries(values.enabledPlugins ?? {}).flatMap(([id, on]) =>
          on === true || Array.isArray(on) ? [id] : [],
        )
      : [],
  );
}

const rank: readonly RuleSource[] = [
  'managedSettings',
  'commandLine',
  'session',
  'localSettings',
  'projectSettings',
  'userSettings',
];

/** What a file may say here, and what waits for the user. */
function takenFrom(file: SettingsFile, { trusted, agreed }: LoadOptions): { file: SettingsFile; pending: Grant[] } {
  if (!isProjectSource(file.source)) return { file, pending: [] };
  const by = (...who: string[]): SettingsValues =>
    Object.fromEntries(
      Object.entries(file.values).filter(([key]) => who.includes(settingsKeys[key as SettingsKey].by)),
    );
  if (!trusted) {
    const { defaultMode: _mode, ...rest } = file;
    const forbids = file.rules.filter(({ behavior }) => behavior !== 'allow');
    return { file: { ...rest, rules: forbids, additionalDirectories: [], env: {}, values: by('anyone') }, pending: [] };
  }
  const allowed = { ...file, values: by('anyone', 'trusted', 'agreed') };
  return agreed === undefined ? { file: allowed, pending: [] } : withAgreed(allowed, agreed);
}

/** No project may switch all questions off. */
function maySetMode(file: SettingsFile, { projectSetsMode }: LoadOptions): boolean {
  return !isProjectSource(file.source) || (projectSetsMode && file.defaultMode !== 'bypassPermissions');
}
