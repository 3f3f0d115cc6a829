// Keeps permission updates in the settings files of this window, one after the other.
import { type PermissionStore, type SaveOutcome } from '../../core/ports/permission-store';
import { type FileSystem } from '../../core/ports/files';
import { allowGrant, folderGrant, type Grant } from '../../core/settings/grant-text';
import { type SettingsTarget } from '../../core/settings/save-update';
import { type PermissionDestination, type PermissionUpdate } from '../../shared/permission';

export interface SettingsStoreOptions {
  files: FileSystem;
  /** Where a destination is in this window; undefined where it has no such file. */
  target(destination: PermissionDestination): SettingsTarget | undefined;
  /** What Deft itself writes for the user needs no second consent. */
  consent(grants: readonly Grant[]): Promise<void>;
  /** Reads all settings again. */
  reload(): Promise<void>;
}

export function createSettingsStore({ files, target, consent, reload }: SettingsStoreOptions): PermissionStore {
  const save = async (update: PermissionUpdate): Promise<SaveOutcome> => {
    const place = target(update.destination);
    if (place === undefined) return { saved: false, message: 'This window has no settings file to save to.' };
    // Only a click that saves needs it.
    const { saveUpdate } = await import('../../core/settings/save-update');
    const outcome = await saveUpdate(update, place, files);
    if (!outcome.saved) return outcome;
    await consent(place.inside === undefined ? [] : grantsOf(update, place.inside, place.file));
    await reload();
    return outcome;
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
