// Keeps permission updates in settings files, one after the other.
import { type FileSystem } from '../ports/files';
import { type PermissionStore, type SaveOutcome } from '../ports/permission-store';
import { allowGrant, folderGrant, type Grant } from './grant-text';
import { type SettingsTarget } from './save-update';
import { type PermissionDestination, type PermissionUpdate } from '../../shared/permission';

export interface SettingsStoreOptions {
  files: FileSystem;
  /** Where a destination is; undefined where there is no such file. */
  target(destination: PermissionDestination): SettingsTarget | undefined;
  /** What Deft itself writes for the user needs no second consent. */
  consent?(grants: readonly Grant[]): Promise<void>;
  /** Reads all settings again; left out where they are read once. */
  reload?(): Promise<void>;
  /** Only an organization's rules count: one that is saved elsewhere would do nothing. */
  locked(): boolean;
}

export function createSettingsStore({ files, target, consent, reload, locked }: SettingsStoreOptions): PermissionStore {
  const save = async (update: PermissionUpdate): Promise<SaveOutcome> => {
    if (locked() && (update.type === 'addRules' || update.type === 'replaceRules'))
      return { saved: false, message: "The rule was not saved: only your organization's rules count here." };
    const place = target(update.destination);
    if (place === undefined) return { saved: false, message: 'There is no settings file to save to.' };
    // Only a click that saves needs it.
    const { saveUpdate } = await import('./save-update');
    const outcome = await saveUpdate(update, place, files);
    if (!outcome.saved) return outcome;
    await consent?.(place.inside === undefined ? [] : grantsOf(update, place.inside, place.file));
    await reload?.();
    return reload === undefined ? { saved: true, forLater: true } : outcome;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    save(update) {
      const saved = last.then(() => save(update));
      last = saved.catch(() => undefined);
      return saved;
    },
  };
}

function grantsOf(update: PermissionUpdate, root: string, file: string): Grant[] {
  const grant = (text: string): Grant => ({ root, file, text });
  if ((update.type === 'addRules' || update.type === 'replaceRules') && update.behavior === 'allow')
    return update.rules.map((rule) => grant(allowGrant(rule)));
  return update.type === 'addDirectories' ? update.directories.map((folder) => grant(folderGrant(folder))) : [];
}
