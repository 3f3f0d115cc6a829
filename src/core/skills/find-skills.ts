// Finds the files of skills and commands below one `.claude` folder.
import { type SkillFiles } from '../context/plugin-files';
import { type Path } from '../ports/path';
import { type SkillPlace } from './read-skill';
import { type SkillFolder } from './skill-folders';
import { join } from 'pathe';

/** Skills, and commands, of one folder: more than anybody keeps. A folder that was linked by mistake must not hold a prompt up. */
export const maxPerFolder = 5_000;

const maxDepth = 6;

export type FoundFile = SkillPlace;

/** For the user, of what is not used. */
export type FoundProblem = (file: Path, message: string) => void;

/** In the order of their names; skills before commands. Never rejects: what cannot be listed is not there. */
export async function findSkillFiles(
  { path, root, source }: SkillFolder,
  files: SkillFiles,
  problem?: FoundProblem,
): Promise<FoundFile[]> {
  const [skills, commands] = await Promise.all([
    skillFilesIn(join(path, 'skills'), { root, source }, files, problem),
    commandFilesIn(join(path, 'commands'), { root, source }, files, problem),
  ]);
  return [...skills, ...commands];
}

function atMost<Item>(items: readonly Item[], folder: Path, problem: FoundProblem | undefined): readonly Item[] {
  if (items.length > maxPerFolder)
    problem?.(folder, `It has ${items.length} files: only the first ${maxPerFolder}, by name, are used.`);
  return items.slice(0, maxPerFolder);
}

/** What all files of one folder have. */
type Owner = Pick<SkillPlace, 'root' | 'source' | 'plugin'>;

const tooDeepText = 'It is nested too deeply: move its folder directly into `skills`.';

/** `problem` also receives each SKILL.md in a folder of a folder, where skills are not looked for, and each text that lies next to the folders. */
export async function skillFilesIn(
  folder: Path,
  owner: Owner,
  files: SkillFiles,
  problem?: FoundProblem,
): Promise<FoundFile[]> {
  const entries = await listed(folder, files);
  const folders = entries.filter(({ type }) => type === 'directory');
  for (const { name, type } of entries)
    if (type === 'file' && /\.md$/i.test(name) && !documents.test(name)) problem?.(join(folder, name), strayText);
  const names = atMost(folders, folder, problem);
  const found = await Promise.all(
    names.map(async ({ name }): Promise<FoundFile[]> => {
      const own = join(folder, name);
      const file = join(own, 'SKILL.md');
      const stat = await files.stat(file).catch(() => undefined);
      if (stat?.type === 'file') return [{ name, kind: 'skill', ...owner, file, folder: own }];
      if (problem !== undefined)
        for (const deeper of await skillFilesIn(own, owner, files)) problem(deeper.file, tooDeepText);
      return [];
    }),
  );
  return found.flat();
}

/** For readers, not for the model. */
const documents = /^(?:readme|license|changelog|contributing|notice)\b/i;
const strayText =
  'It is not used: a skill is a folder with a SKILL.md in it. If this is an agent, move it to `agents`; if a command, to `commands`.';

export async function commandFilesIn(
  folder: Path,
  owner: Owner,
  files: SkillFiles,
  problem?: FoundProblem,
): Promise<FoundFile[]> {
  return [...atMost(await commandsBelow(folder, owner, files, '', 0), folder, problem)];
}

async function commandsBelow(
  folder: Path,
  owner: Owner,
  files: SkillFiles,
  within: string,
  depth: number,
): Promise<FoundFile[]> {
  if (depth > maxDepth) return [];
  const entries = await listed(folder, files);
  const own = entries.flatMap(({ name, type }): FoundFile[] =>
    type === 'file' && /\.md$/i.test(name)
      ? [
          {
            name: name.slice(0, -3),
            kind: 'command',
            ...owner,
            file: join(folder, name),
            folder,
            ...(within === '' ? {} : { within }),
          },
        ]
      : [],
  );
  const deeper = await Promise.all(
    entries
      .filter(({ type }) => type === 'directory')
      .map(({ name }) =>
        commandsBelow(join(folder, name), owner, files, within === '' ? name : `${within}:${name}`, depth + 1),
      ),
  );
  return [...own, ...deeper.flat()];
}

async function listed(folder: string, files: SkillFiles): Promise<Awaited<ReturnType<SkillFiles['list']>>> {
  const entries = await files.list(folder).catch(() => []);
  return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
}
