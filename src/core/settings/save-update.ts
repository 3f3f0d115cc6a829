// Writes a permission update into a settings file: never a file that does not parse, never out of the project.
import { type FileSystem } from '../ports/files';
import { type SaveOutcome } from '../ports/permission-store';
import { type PermissionUpdate } from '../../shared/permission';
import { editSettings, type SettingsEdit } from './edit-settings';
import { maxSettingsBytes } from './settings-file';

export interface SettingsTarget {
  file: string;
  /** The file has to be in it once links are followed; left out for the user's own file, which may be a link to anywhere. */
  inside?: string;
}

type Files = Pick<FileSystem, 'realPath' | 'readText' | 'writeText'>;

/** Another program may write the file at the same moment. */
const tries = 4;

export function saveUpdate(update: PermissionUpdate, target: SettingsTarget, files: Files): Promise<SaveOutcome> {
  return saveEdit((text) => editSettings(text, update), target, files);
}

/** `edit` gets what the file holds now, also where another program has written it meanwhile. */
export async function saveEdit(
  edit: (text: string) => SettingsEdit,
  { file, inside }: SettingsTarget,
  files: Files,
  maxBytes = maxSettingsBytes,
): Promise<SaveOutcome> {
  for (let left = tries; left > 0; left--) {
    const realPath = await files.realPath(file);
    if (inside !== undefined && !realPath.startsWith(`${await files.realPath(inside)}/`)) {
      return refused(`${file} points outside the project, to ${realPath}: nothing was saved.`);
    }
    const read = await files.readText(file, maxBytes);
    if (read.outcome === 'refused' && read.code !== 'not_found') return refused(`${read.message} Nothing was saved.`);
    const base = read.outcome === 'read' ? read.file : undefined;
    const edited = edit(base?.text ?? '');
    if (edited.outcome === 'refused') return refused(`${file} was not changed: ${edited.message}.`);
    if (edited.outcome === 'same') return { saved: true };
    const written = await files.writeText({ path: file, realPath, base, text: edited.text, approved: true });
    if (written.outcome === 'written') return { saved: true };
    if (written.outcome === 'refused') return refused(written.message);
  }
  return refused(`${file} kept changing: nothing was saved.`);
}

function refused(message: string): SaveOutcome {
  return { saved: false, message };
}
