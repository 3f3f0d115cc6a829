// Where this process makes temporary files, kept on disk while it lives: what a killed one left in the workspace is removed by the next.
import { unlinkSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { atExit } from './at-exit';
import { noteTemporaryFolders, temporaryMaker, temporaryPrefix } from './files/temporary-files';
import { ownerIn, ownerState, thisProcess } from './process-owner';

/** The first line names the process, each further one a folder, all in JSON. */
const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** `ledgers` is a folder of the workspace's own. Removes what killed processes left in it; a disk that takes no files is no hindrance. */
export async function openWriteLedger(ledgers: string): Promise<void> {
  const file = path.join(ledgers, temporaryMaker);
  let begun = false;
  noteTemporaryFolders(async (folder) => {
    try {
      const owner = begun ? '' : lineOf(thisProcess());
      if (!begun) {
        begun = true;
        await mkdir(ledgers, { recursive: true, mode: 0o700 });
        atExit(() => removeNow(file));
      }
      await appendFile(file, owner + lineOf(folder), { mode: 0o600 });
    } catch {
      // What a kill leaves behind now is not known later.
    }
  });
  const makers = await readdir(ledgers).catch(() => []);
  await Promise.all(makers.map((maker) => sweep(ledgers, maker).catch(() => undefined)));
}

async function sweep(ledgers: string, maker: string): Promise<void> {
  const file = path.join(ledgers, maker);
  const [first = '', ...lines] = (await readFile(file, 'utf8')).split('\n');
  const owner = ownerIn(first);
  if (owner === undefined || ownerState(owner) !== 'gone') return;
  for (const folder of lines.flatMap(folderIn)) {
    const names = await readdir(folder).catch(() => []);
    const left = names.filter((name) => name.startsWith(temporaryPrefix(maker)) && name.endsWith('.tmp'));
    await Promise.all(left.map((name) => unlink(path.join(folder, name))));
  }
  await unlink(file);
}

/** None in a line that was cut by the kill. */
function folderIn(line: string): string[] {
  try {
    const folder: unknown = JSON.parse(line);
    return typeof folder === 'string' ? [folder] : [];
  } catch {
    return [];
  }
}

function removeNow(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Gone already, or on a disk that refuses.
  }
}
