// Writes what the user picked to take over: new files, entries and lines; nothing that is there is written over.
import { defined } from '../../shared/defined';
import { type FileSystem } from '../ports/files';
import { addServer } from '../settings/edit-server-file';
import { type SettingsEdit } from '../settings/edit-settings';
import { saveEdit } from '../settings/save-update';
import { type ImportItem } from './import-item';

/** Other programs keep much more than servers in the shared file. */
const maxBytes = 32 * 1024 * 1024;

/** A sentence where it was not written. */
export async function importItem(item: ImportItem, files: FileSystem): Promise<string | undefined> {
  const target = { file: item.to, ...defined({ inside: item.inside }) };
  const edit = (before: string): SettingsEdit => {
    switch (item.kind) {
      case 'server':
        return addServer(before, [], item.name, item.entry);
      case 'command':
        return before === ''
          ? { outcome: 'changed', text: item.text }
          : { outcome: 'refused', message: 'it already exists' };
      case 'instructions':
        return {
          outcome: 'changed',
          text: before.trim() === '' ? `${item.text}\n` : `${before.trimEnd()}\n\n${item.text}\n`,
        };
    }
  };
  const saved = await saveEdit(edit, target, files, maxBytes);
  return saved.saved ? undefined : saved.message;
}
