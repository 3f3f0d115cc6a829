// Reads settings files through the FileSystem port; what is being written at the moment is read once more.
import { type FileSystem } from '../ports/files';
import { looksWhole, maxSettingsBytes, type SettingsText } from './settings-file';
import { type SettingsPlace } from './settings-places';

/** Longer than an editor takes between emptying a file and filling it. */
const againMs = 120;

/** The files that are there, in the order of the places. One that cannot be read is among them, and says why. */
export async function readSettings(
  places: readonly SettingsPlace[],
  files: Pick<FileSystem, 'readText'>,
  sleep: (ms: number) => Promise<void>,
  /** Files that were there a moment ago: one that is being replaced may be missing for another. */
  before: ReadonlySet<string> = new Set(),
): Promise<SettingsText[]> {
  const readPlace = async (place: SettingsPlace): Promise<SettingsText | undefined> => {
    const first = await readOnce(place, files);
    const sure =
      first === undefined ? !before.has(place.file) : first.unreadable === undefined && looksWhole(first.text);
    if (sure) return first;
    await sleep(againMs);
    return readOnce(place, files);
  };
  const texts = await Promise.all(places.map(readPlace));
  return texts.filter((text) => text !== undefined);
}

async function readOnce(place: SettingsPlace, files: Pick<FileSystem, 'readText'>): Promise<SettingsText | undefined> {
  const read = await files.readText(place.file, maxSettingsBytes);
  if (read.outcome === 'read') return { ...place, text: read.file.text };
  return read.code === 'not_found' ? undefined : { ...place, text: '', unreadable: read.message };
}
