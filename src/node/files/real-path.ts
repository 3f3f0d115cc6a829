// Resolves symbolic links, also in the parents of a path that does not exist yet and in links that lead nowhere.
import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

const maxLinks = 40;

/** Where a file of this path would be read or written. Never throws: what cannot be resolved stays as it is. */
export async function resolveLinks(native: string, links = 0): Promise<string> {
  const absolute = path.resolve(native);
  try {
    return await realpath(absolute);
  } catch {
    const parent = path.dirname(absolute);
    if (parent === absolute || links >= maxLinks) return absolute;
    const place = path.join(await resolveLinks(parent, links), path.basename(absolute));
    const target = await readlink(place).catch(() => undefined);
    return target === undefined ? place : resolveLinks(path.resolve(path.dirname(place), target), links + 1);
  }
}
