// The settings file that a destination of a permission update means.
import { type PermissionDestination } from '../../shared/permission';
import { type SettingsTarget } from './save-update';
import { localSettings, type ProjectFolder, type SettingsPlace } from './settings-places';

/** Undefined where there is none: for the session itself, and for a project's file where no folder of a disk is open. */
export function targetOf(
  destination: PermissionDestination,
  project: ProjectFolder | undefined,
  places: readonly SettingsPlace[],
): SettingsTarget | undefined {
  switch (destination) {
    case 'session':
      return undefined;
    case 'userSettings': {
      const own = places.find(({ source }) => source === 'userSettings');
      return own === undefined ? undefined : { file: own.file };
    }
    case 'localSettings': {
      if (project === undefined) return undefined;
      const { file, root } = localSettings(project);
      return { file, inside: root };
    }
    case 'projectSettings': {
      if (project === undefined) return undefined;
      const root = project.checkout ?? project.folder;
      return { file: `${root}/.claude/settings.json`, inside: root };
    }
  }
}
