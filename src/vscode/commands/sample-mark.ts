// Whether a folder is a copy of the sample that Deft made, or that `npm start` opened: a file of that name in any repository says nothing.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** In the root of a copy of the sample; activates the extension there. */
export const sampleMark = '.deft-sample';

export interface SampleOrigin {
  /** Where Deft puts its own copies. */
  demoFolder: string;
  /** What `npm start` has written into the mark, and passed to the extension host. */
  token: string | undefined;
}

export async function isSample(folder: string, { demoFolder, token }: SampleOrigin): Promise<boolean> {
  const mark = await readFile(path.join(folder, sampleMark), 'utf8').catch(() => undefined);
  if (mark === undefined) return false;
  const below = path.relative(demoFolder, folder);
  if (below !== '' && below.split(path.sep)[0] !== '..' && !path.isAbsolute(below)) return true;
  return token !== undefined && token.trim() !== '' && mark.trim() === token.trim();
}
