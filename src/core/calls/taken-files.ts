// What goes along where a command removes, moves or copies a whole folder: files in it that the mode for edits does not cover.
import { basename, join } from 'pathe';
import { type TakenFolder } from '../permissions/bash/edit-commands';
import { isProtectedPath } from '../permissions/files/protected-paths';
import { elsewhereWords, isPackageFile } from '../permissions/files/steering-files';
import { type PermissionTarget } from '../permissions/rules/verdict';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { gitHooksAround, type HookFiles } from './git-hooks';

type Files = HookFiles & Pick<FileSystem, 'list'>;
type FileTarget = Extract<PermissionTarget, { kind: 'file' }>;

/** As many names are looked at; a folder that holds more is told to be unseen. */
const maxNames = 10_000;
/** One is enough to ask; the others are for rules that name one of them. */
const maxFound = 20;

/** As targets that the command writes. */
export async function takenFiles({ from, to, copied }: TakenFolder, home: string, files: Files): Promise<FileTarget[]> {
  if ((await files.stat(from))?.type !== 'directory') return [];
  const places = await Promise.all(
    to.map(async (path) => {
      const realPath = await files.realPath(path);
      return { path, realPath, isHook: await gitHooksAround(join(realPath, 'a'), home, files) };
    }),
  );
  const found: FileTarget[] = [];
  const isSeen = await everyName(from, files, async (name) => {
    for (const { path, realPath, isHook } of places) {
      const at = { path: join(path, name), realPath: join(realPath, name) };
      const hook = isHook(at.realPath);
      // The same scripts stay the same where they are moved to, and nothing runs those that are removed.
      const keepsScripts =
        isPackageFile(at.path) &&
        !copied &&
        (at.path === join(from, name) || (await files.stat(at.path)) === undefined);
      if (hook || isProtectedPath(at.realPath) || elsewhereWords(at.realPath, keepsScripts) !== undefined)
        found.push({
          kind: 'file',
          access: 'write',
          ...at,
          goesAlong: true,
          ...(hook ? { isHook: hook } : {}),
          ...(keepsScripts ? { keepsScripts } : {}),
        });
    }
    return found.length < maxFound;
  });
  if (isSeen || found.length > 0) return found;
  return [
    { kind: 'file', access: 'write', path: from, realPath: await files.realPath(from), goesAlong: true, unseen: true },
  ];
}

/** False where there are too many. Packages that are installed bring such files by the hundred, and none of those takes effect. */
async function everyName(from: Path, files: Files, look: (name: string) => Promise<boolean>): Promise<boolean> {
  let left = maxNames;
  if (basename(from) === 'node_modules') return true;
  for (const folders = ['']; folders.length > 0;) {
    const folder = folders.pop() ?? '';
    for (const { name, type } of await namesIn(join(from, folder), files)) {
      if (left-- <= 0) return false;
      const path = join(folder, name);
      if (!(await look(path))) return true;
      if (type === 'directory' && name !== 'node_modules') folders.push(path);
    }
  }
  return true;
}

async function namesIn(folder: Path, files: Files): ReturnType<Files['list']> {
  try {
    return await files.list(folder);
  } catch {
    // The command cannot read it either.
    return [];
  }
}
