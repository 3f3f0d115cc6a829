// Where skills and commands are: the `.claude` folders of an organisation, the user and the project.
import { dirname, join } from 'pathe';
import { type Path } from '../ports/path';
import { type SkillSource } from './skill';

export interface SkillFolder {
  source: SkillSource;
  /** The `.claude` folder itself. */
  path: Path;
  /** The folder that it is in. */
  root: Path;
}

export interface SkillFoldersRequest {
  /** Where an organisation puts its files. */
  managedFolder: Path;
  /** `~/.claude`, or what CLAUDE_CONFIG_DIR names. */
  personalFolder: Path;
  /** Folders of the workspace, each with the root of the checkout around it. */
  projects: readonly { folder: Path; checkout?: Path }[];
}

/** The highest first. A folder of the project that is the user's own stays theirs. */
export function skillFolders({ managedFolder, personalFolder, projects }: SkillFoldersRequest): SkillFolder[] {
  const own = (source: SkillSource, path: Path): SkillFolder => ({ source, path, root: dirname(path) });
  const all = [
    own('managed', join(managedFolder, '.claude')),
    own('personal', personalFolder),
    ...projects.flatMap(({ folder, checkout }) =>
      upTo(folder, checkout ?? folder).map((root) => own('project', join(root, '.claude'))),
    ),
  ];
  const seen = new Set<Path>();
  return all.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** The folder and those above it, up to the last one. */
function upTo(folder: Path, last: Path): Path[] {
  const isBelow = folder === last || folder.startsWith(last.endsWith('/') ? last : `${last}/`);
  if (!isBelow) return [folder];
  const found: Path[] = [];
  for (let at = folder; ; at = dirname(at)) {
    found.push(at);
    if (at === last || at === dirname(at)) return found;
  }
}

/** Folders between a touched file and the folder of the workspace that it is in, that one left out: the nearest first. */
export function foldersBetween(file: Path, folders: readonly Path[]): { root: Path; workspace: Path }[] {
  const workspace = folders.filter((folder) => file.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
  if (workspace === undefined) return [];
  return upTo(dirname(file), workspace)
    .filter((root) => root !== workspace)
    .map((root) => ({ root, workspace }));
}
