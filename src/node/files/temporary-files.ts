// Names of files that become others once they are complete: they say which process makes them, so that those of a killed one are known.
import { randomBytes } from 'node:crypto';
import path from 'node:path';

/** Beside the pid, which a later process may get again. */
const token = randomBytes(4).toString('hex');
const folders = new Set<string>();
let note: (folder: string) => Promise<void> = async () => undefined;

/** This process, as its temporary files name it. */
export const temporaryMaker = `${process.pid}-${token}`;

/** How the names of one maker begin. */
export function temporaryPrefix(maker: string): string {
  return `.deft-${maker}-`;
}

/** `take` is called with each folder before the first temporary file of this process is made there. */
export function noteTemporaryFolders(take: (folder: string) => Promise<void>): void {
  folders.clear();
  note = take;
}

/** A free name in the folder of `target`, which stays on one disk with it. */
export async function temporaryBeside(target: string): Promise<string> {
  const folder = path.dirname(target);
  if (!folders.has(folder)) {
    folders.add(folder);
    await note(folder);
  }
  return path.join(folder, `${temporaryPrefix(temporaryMaker)}${randomBytes(6).toString('hex')}.tmp`);
}
