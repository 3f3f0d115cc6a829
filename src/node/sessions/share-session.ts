// Writes a copy of a session into the folder of Claude Code, because the user asked for it: a new file, once, and never again.
import { lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileErrorSentence } from '../files/file-error';

export interface SharedFile {
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Native; links resolved. */
  cwd: string;
  id: string;
  lines: readonly string[];
}

/** Longer names are cut by the other program, in a way of its own. */
const maxKeyChars = 200;

/** The file, or why there is none. */
export async function writeForClaudeCode({
  home,
  environment,
  cwd,
  id,
  lines,
}: SharedFile): Promise<{ file: string } | { problem: string }> {
  const personal = path.resolve(home, environment['CLAUDE_CONFIG_DIR'] || '.claude');
  const key = cwd.replace(/[^A-Za-z0-9]/g, '-');
  if (lines.length === 0) return { problem: 'There is no conversation to share yet.' };
  if (key.length > maxKeyChars) return { problem: `The path ${cwd} is too long to be shared.` };
  if (!(await isFolder(personal)))
    return { problem: `There is no folder ${personal}: Claude Code is not set up here.` };
  const folder = path.join(personal, 'projects', key);
  const file = path.join(folder, `${id}.jsonl`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await lstat(folder)).isSymbolicLink())
      return { problem: `${folder} is a symlink, which Deft does not follow.` };
    await writeFile(file, lines.map((line) => `${line}\n`).join(''), { flag: 'wx', mode: 0o600 }).catch(
      async (error: unknown) => {
        // Of a full disk; what was there before is somebody else's.
        if (!isThere(error)) await rm(file, { force: true });
        throw error;
      },
    );
    return { file };
  } catch (error) {
    return { problem: fileErrorSentence(error, file, 'write') };
  }
}

function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
