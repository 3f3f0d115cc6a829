// Where settings files are: one list for every host, the highest first.
import { join } from 'pathe';
import { type RuleSource } from '../../shared/permission';

/** A settings file that may exist. */
export interface SettingsPlace {
  source: RuleSource;
  file: string;
  /** What `/` in its path rules means. */
  root: string;
  home: string;
}

/** A folder to work in, and the git checkout around it. */
export interface ProjectFolder {
  folder: string;
  /** The root of the checkout that the folder is in. */
  checkout?: string;
  /** The main checkout, of which that one may be a further worktree: what is kept for the user alone is there. */
  mainCheckout?: string;
}

export interface PlacesRequest {
  /** Where an organisation puts its files. */
  managedFolder: string;
  /** The files in its `managed-settings.d`, in any order. */
  managedNames: readonly string[];
  home: string;
  /** Where the user's own files are: `~/.claude`, or what CLAUDE_CONFIG_DIR names. */
  personalFolder: string;
  projects: readonly ProjectFolder[];
}

export const managedDropIns = 'managed-settings.d';

export function settingsPlaces({
  managedFolder,
  managedNames,
  home,
  personalFolder,
  projects,
}: PlacesRequest): SettingsPlace[] {
  const place = (source: RuleSource, root: string, file: string): SettingsPlace => ({ source, root, file, home });
  const managed = [...managedNames].filter(isDropIn).sort().reverse();
  const all = [
    // Later ones add to earlier ones, and to the single file.
    ...managed.map((name) => place('managedSettings', managedFolder, join(managedFolder, managedDropIns, name))),
    place('managedSettings', managedFolder, join(managedFolder, 'managed-settings.json')),
    ...projects
      .flatMap(localFolders)
      .map((root) => place('localSettings', root, join(root, '.claude/settings.local.json'))),
    ...projects
      .flatMap(checkedInFolders)
      .map((root) => place('projectSettings', root, join(root, '.claude/settings.json'))),
    place('userSettings', personalFolder, join(personalFolder, 'settings.json')),
  ];
  // A session in the home folder, or in a repository of it, has one file in two places: it stays the user's own.
  const own = all.at(-1)?.file;
  const seen = new Set<string>();
  return all.filter(({ source, file }) => {
    if (seen.has(file) || (file === own && source !== 'userSettings')) return false;
    seen.add(file);
    return true;
  });
}

/** Where "Always allow" is kept for a project: next to the main checkout's `.git`. */
export function localSettings({ folder, checkout, mainCheckout }: ProjectFolder): { file: string; root: string } {
  const root = mainCheckout ?? checkout ?? folder;
  return { root, file: join(root, '.claude/settings.local.json') };
}

/** Where an organisation's files are on this platform. */
export function managedFolderOf(platform: string): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  return platform === 'win32' ? 'C:/Program Files/ClaudeCode' : '/etc/claude-code';
}

function isDropIn(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.');
}

function localFolders({ folder, checkout, mainCheckout }: ProjectFolder): string[] {
  return [folder, checkout, mainCheckout].filter((root) => root !== undefined);
}

function checkedInFolders({ folder, checkout }: ProjectFolder): string[] {
  return [folder, checkout].filter((root) => root !== undefined);
}
