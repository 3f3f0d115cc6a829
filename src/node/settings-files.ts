// Settings files on this machine's disk: where they are for some folders, and word when one of them changes.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  managedDropIns,
  managedFolderOf,
  type ProjectFolder,
  settingsPlaces,
  type SettingsPlace,
} from '../core/settings/settings-places';
import { errorCode } from './files/file-error';
import { portPath } from './files/port-path';
import { homeFolder } from './home-folder';
import { findRepository } from './repository';

export interface DiskRequest {
  /** Native paths. */
  folders: readonly string[];
  /** Folders of a workspace that is on no disk. */
  virtualFolders?: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  home?: string;
  /** An organisation's folder; the one of this platform where it is left out. */
  managedFolder?: string;
}

export interface SettingsOnDisk {
  places: SettingsPlace[];
  projects: ProjectFolder[];
  /** All that a change can come from: files that may not exist yet, and the folder of the organisation's. */
  watched: string[];
}

export async function findSettings({
  folders,
  virtualFolders = [],
  environment,
  home = homeFolder(),
  managedFolder = managedFolderOf(process.platform),
}: DiskRequest): Promise<SettingsOnDisk> {
  const dropIns = path.join(managedFolder, managedDropIns);
  const [onDisk, managedNames] = await Promise.all([
    Promise.all(folders.map(projectOf)),
    readdir(dropIns).catch(() => []),
  ]);
  const projects = [...onDisk, ...virtualFolders.map((folder) => ({ folder }))];
  const places = settingsPlaces({
    managedFolder: portPath(managedFolder),
    managedNames,
    home: portPath(home),
    personalFolder: portPath(personalFolder(environment, home)),
    projects,
  });
  return { places, projects, watched: [...places.map(({ file }) => file), portPath(dropIns)] };
}

/** `~/.claude`, or what CLAUDE_CONFIG_DIR names. */
export function personalFolder(environment: DiskRequest['environment'], home: string): string {
  return environment['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude');
}

async function projectOf(folder: string): Promise<ProjectFolder> {
  const repository = await findRepository(folder);
  if (repository === undefined) return { folder: portPath(folder) };
  return { folder: portPath(folder), checkout: portPath(repository.root), mainCheckout: portPath(repository.mainRoot) };
}

export interface SettingsWatch {
  /** Watches exactly these from now on. Resolves when later changes are seen: who reads then misses none. */
  follow(files: readonly string[]): Promise<void>;
  dispose(): void;
}

/** Often enough that a saved file counts within a second. */
const lookMs = 800;

/** By looking now and then: that also sees files that appear, folders that appear, and files that another one replaces. */
export function watchSettings(changed: (files: readonly string[]) => void): SettingsWatch {
  let files: readonly string[] = [];
  let known: readonly string[] = [];
  let follows = 0;
  let timer: NodeJS.Timeout | undefined;
  let disposed = false;
  const look = async (): Promise<void> => {
    const before = follows;
    const looked = files;
    const now = await fingerprintsOf(looked);
    // Where somebody began to read meanwhile, what is known now is newer.
    if (before === follows && !disposed) {
      const differ = looked.filter((_file, index) => now[index] !== known[index]);
      known = now;
      if (differ.length > 0) changed(differ);
    }
    plan();
  };
  const plan = (): void => {
    if (!disposed) timer = setTimeout(() => void look(), lookMs).unref();
  };
  return {
    async follow(wanted) {
      const follow = ++follows;
      const now = await fingerprintsOf(wanted);
      if (follow !== follows || disposed) return;
      files = wanted;
      known = now;
      if (timer === undefined) plan();
    },
    dispose() {
      disposed = true;
      clearTimeout(timer);
    },
  };
}

async function fingerprintsOf(files: readonly string[]): Promise<string[]> {
  const each = files.map((file) =>
    stat(file, { bigint: true }).then(
      ({ mtimeNs, ctimeNs, size, ino }) => [mtimeNs, ctimeNs, size, ino].join(),
      (error: unknown) => errorCode(error) ?? '',
    ),
  );
  return Promise.all(each);
}
