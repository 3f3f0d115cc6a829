// What an organization reserves for its own files: the files of everybody else without it.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type HookLock, type HookSettings } from '../hooks/hook-settings';
import { isProjectSource, type SettingsFile } from './settings-file';
import { pluginOnly } from './plugin-only';
import { type SettingsKey, settingsKeys, type SettingsValues } from './settings-keys';

export interface Locks {
  /** Rules of no other file, of no flag and of no session count. */
  rules: boolean;
  hooks?: HookLock;
  /** The first file that wants commands to run in a sandbox or not at all. */
  sandboxRequiredBy?: string;
}

/** `files` from the highest to the lowest. */
export function locksOf(files: readonly SettingsFile[]): Locks {
  const managed = files.filter(isManaged);
  const sets = (key: 'allowManagedPermissionRulesOnly' | 'allowManagedHooksOnly'): boolean =>
    managed.some(({ values }) => values[key] === true);
  const hooks: HookLock | undefined = sets('allowManagedHooksOnly')
    ? 'managed'
    : managed.some(({ values }) => pluginOnly(values, 'hooks'))
      ? 'plugins'
      : undefined;
  const requiring = files.find(({ values }) => values.sandbox?.['failIfUnavailable'] !== undefined);
  return {
    rules: sets('allowManagedPermissionRulesOnly'),
    ...defined({ hooks, sandboxRequiredBy: requiring?.file }),
  };
}

/** Each file without what it may not say: nothing of a managed one is taken away. */
export function withinLocks(
  files: readonly SettingsFile[],
  locks: Locks,
  disabled: HookSettings['disabled'],
): SettingsFile[] {
  const managed = files.filter(isManaged);
  const onlyServers = managed.some(({ values }) => values.allowManagedMcpServersOnly === true);
  const onlyDomains = locksSandbox(managed, 'network', 'allowManagedDomainsOnly');
  const onlyPaths = locksSandbox(managed, 'filesystem', 'allowManagedReadPathsOnly');
  return files.map((file) => {
    if (isManaged(file)) return disabled === 'all' ? { ...file, values: without(file.values, runsLikeHooks) } : file;
    const own = (Object.keys(file.values) as SettingsKey[]).filter((key) => settingsKeys[key].by === 'managed');
    const taken: SettingsKey[] = [
      ...own,
      ...(locks.hooks === 'managed' || isSwitchedOff(file, disabled) ? runsLikeHooks : []),
      ...(onlyServers ? (['allowedMcpServers'] as const) : []),
    ];
    const values = without(file.values, taken);
    const sandbox = values.sandbox === undefined ? {} : { sandbox: ownSandbox(values.sandbox, onlyDomains, onlyPaths) };
    return { ...file, values: { ...values, ...sandbox }, ...(locks.rules ? { rules: [] } : {}) };
  });
}

/** What runs by itself, like a hook, is switched off with the hooks. */
const runsLikeHooks: readonly SettingsKey[] = ['statusLine', 'fileSuggestion'];

function isSwitchedOff({ source }: SettingsFile, disabled: HookSettings['disabled']): boolean {
  return disabled === 'project' ? isProjectSource(source) : disabled !== 'none';
}

function isManaged({ source }: SettingsFile): boolean {
  return source === 'managedSettings';
}

function without(values: SettingsValues, keys: readonly SettingsKey[]): SettingsValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key as SettingsKey)));
}

/** Anything but `false` locks: a mistake in a lock opens nothing. */
function locksSandbox(managed: readonly SettingsFile[], part: string, key: string): boolean {
  return managed.some(({ values }) => {
    const value = objectOf(values.sandbox?.[part])[key];
    return value !== undefined && value !== false;
  });
}

function ownSandbox(
  sandbox: Record<string, unknown>,
  onlyDomains: boolean,
  onlyPaths: boolean,
): Record<string, unknown> {
  const part = (name: string, dropped: readonly string[]): Record<string, unknown> =>
    isObject(sandbox[name])
      ? { [name]: Object.fromEntries(Object.entries(sandbox[name]).filter(([key]) => !dropped.includes(key))) }
      : {};
  return {
    ...sandbox,
    ...part('network', ['allowManagedDomainsOnly', ...(onlyDomains ? ['allowedDomains'] : [])]),
    ...part('filesystem', ['allowManagedReadPathsOnly', ...(onlyPaths ? ['allowRead'] : [])]),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
