// What a project's settings would allow, and what of it the user has agreed to.
import { allowGrant, folderGrant, type Grant, visible } from './grant-text';
import { type SettingsFile } from './settings-file';
import { type SettingsKey, settingsKeys } from './settings-keys';

/** Whether the user has agreed to a grant. */
export type Agreed = (grant: Grant) => boolean;

export interface AgreedFile {
  file: SettingsFile;
  /** Grants of the project that count only once the user agrees. */
  pending: Grant[];
}

/** A project's file without the grants that the user has not agreed to. */
export function withAgreed(file: SettingsFile, agreed: Agreed): AgreedFile {
  const pending: Grant[] = [];
  const passes = (text: string): boolean => {
    const grant = { root: file.root, file: file.file, text };
    if (agreed(grant)) return true;
    pending.push(grant);
    return false;
  };
  const rules = file.rules.filter(({ behavior, value }) => behavior !== 'allow' || passes(allowGrant(value)));
  const additionalDirectories = file.additionalDirectories.filter((folder) => passes(folderGrant(folder)));
  const env = Object.fromEntries(
    Object.entries(file.env).filter(([name, value]) => passes(`set ${visible(`${name}=${value}`)}`)),
  );
  const values = Object.fromEntries(
    Object.entries(file.values).filter(
      ([name, value]) =>
        settingsKeys[name as SettingsKey].by !== 'agreed' || passes(`${name}: ${visible(JSON.stringify(value))}`),
    ),
  );
  return { file: { ...file, rules, additionalDirectories, env, values }, pending };
}
