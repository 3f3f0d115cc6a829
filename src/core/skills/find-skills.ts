// Finds the files of skills and commands below one `.claude` folder.
import { type SkillFiles } from '../context/plugin-files';
import { type Path } from '../ports/path';
import { type SkillPlace } from './read-skill';
import { type SkillFolder } from './skill-folders';
import { join } from 'pathe';

/** More than anybody keeps; a folder that was linked by mistake must not hold a prompt up. */
const maxPerFolder = 500;

const maxDepth = 6;

export interface FoundFile extends SkillPlace {
  /** For a command in a subfolder: "frontend", for a second name where the first is taken. */
  within: string;
}

/** In the order of their names; skills before commands. Never rejects: what cannot be listed is not there. `tooDeep` as in skillFilesIn(). */
export async function findSkillFiles(
  { path, root, source }: SkillFolder,
  files: SkillFiles,
  tooDeep?: (file: Path) => void,
): Promise<FoundFile[]> {
  const [skills, commands] = await Promise.all([
    skillFilesIn(join(path, 'skills'), { root, source }, files, tooDeep),
    commandFilesIn(join(path, 'commands'), { root, source }, files),
  ]);
  return [...skills, ...commands].slice(0, maxPerFolder);
}

/** What all files of one folder have. */
type Owner = Pick<SkillPlace, 'root' | 'source' | 'plugin'>;

/** For the user, of a SKILL.md that is one folder too deep. */
export const tooDeepText = 'It is nested too deeply: move its folder directly into `skills`.';

/** `tooDeep` receives each SKILL.md in a folder of a folder, where skills are not looked for. */
export async function skillFilesIn(
  folder: Path,
  owner: Owner,
  files: SkillFiles,
  tooDeep?: (file: Path) => void,
): Promise<FoundFile[]> {
  const names = (await listed(folder, files)).filter(({ type }) => type === 'directory').slice(0, maxPerFolder);
  const found = await Promise.all(
    names.map(async ({ name }): Promise<FoundFile[]> => {
      const own = join(folder, name);
      const file = join(own, 'SKILL.md');
      const stat = await files.stat(file).catch(() => undefined);
      if (stat?.type === 'file') return [{ name, kind: 'skill', ...owner, file, folder: own, within: '' }];
      if (tooDeep !== undefined) for (const deeper of await skillFilesIn(own, owner, files)) tooDeep(deeper.file);
      return [];
    }),
  );
  return found.flat();
}

export async function commandFilesIn(
  folder: Path,
  owner: Owner,
  files: SkillFiles,
  within = '',
  depth = 0,
): Promise<FoundFile[]> {
  if (depth > maxDepth) return [];
  const entries = await listed(folder, files);
  const own = entries.flatMap(({ name, type }): FoundFile[] =>
    type === 'file' && /\.md$/i.test(name)
      ? [{ name: name.slice(0, -3), kind: 'command', ...owner, file: join(folder, name), folder, within }]
      : [],
  );
  const deeper = await Promise.all(
    entries
      .filter(({ type }) => type === 'directory')
      .map(({ name }) =>
        commandFilesIn(join(folder, name), owner, files, within === '' ? name : `${within}:${name}`, depth + 1),
      ),
  );
  return [...own, ...deeper.flat()];
}

async function listed(folder: string, files: SkillFiles): Promise<Awaited<ReturnType<SkillFiles['list']>>> {
  const entries = await files.list(folder).catch(() => []);
  return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
}
