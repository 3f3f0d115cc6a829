// The skills of one host, looked up again for each question.
import { projectFileCheck } from '../context/project-file';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { bundledSkills } from './bundled-skills';
import { findSkillFiles } from './find-skills';
import { shortenedProblems } from './skill-list-text';
import { type Skill, type SkillList, type SkillProblem, skillSources } from './skill';
import { foldersBetween, type SkillFolder } from './skill-folders';
import { type PluginSkills, type SkillCandidate, SkillReader } from './skill-reader';

export interface SkillCatalogueOptions {
  files: Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>;
  /** Asked at each look, the highest first. */
  folders: () => Promise<readonly SkillFolder[]> | readonly SkillFolder[];
  /** Those that are on. */
  plugins?: () => Promise<readonly PluginSkills[]>;
  /** Workspace folders: files below them add the skills of their own folders. */
  workspace: () => readonly Path[];
  /** What a project says counts. */
  trusted: () => boolean;
  /** What deny rules hide: a project's file among it is not read. */
  isHidden?: (path: Path) => boolean;
  /** Only an organization and plugins supply any. */
  pluginOnly?: () => boolean;
  /** Those that come with Deft are left out. */
  withoutBundled?: () => boolean;
  /** `skillOverrides` of the settings. */
  overrides?: () => Readonly<Record<string, unknown>> | undefined;
}

export interface SkillCatalogue {
  /** All that can be used now. Never rejects. */
  list(): Promise<SkillList>;
  /** Looks for skills in the folders of these files too from now on. True where one of them has some. */
  touch(paths: readonly Path[]): Promise<boolean>;
}

export function createSkillCatalogue(options: SkillCatalogueOptions): SkillCatalogue {
  const reader = new SkillReader(options.files);
  const nested = new Map<Path, { folder: SkillFolder; prefix: string }>();
  const looked = new Set<Path>();

  return {
    async list() {
      const trusted = options.trusted();
      const folders = [...(await options.folders()).map((folder) => ({ folder, prefix: '' })), ...nested.values()];
      const locked = options.pluginOnly?.() === true;
      const usable = folders.filter(
        ({ folder: { source } }) => source === 'managed' || (!locked && (trusted || source !== 'project')),
      );
      // The folders above one of the workspace reach up to its checkout.
      const roots = [
        ...options.workspace(),
        ...folders.flatMap(({ folder }) => (folder.source === 'project' ? [folder.root] : [])),
      ];
      const check = projectFileCheck({ files: options.files, roots, isHidden: options.isHidden });
      const plugins = (await options.plugins?.()) ?? [];
      const parts = await Promise.all([
        ...usable.map(({ folder, prefix }) => reader.folder(folder, prefix, check)),
        ...plugins.map((plugin) => reader.plugin(plugin)),
      ]);
      const { skills: all, problems } = named([
        ...parts.flatMap(({ candidates }) => candidates),
        ...(options.withoutBundled?.() === true ? [] : bundledSkills.map((skill) => ({ skill, prefix: '' }))),
      ]);
      const inert = trusted
        ? []
        : await inertProblems(folders.filter(({ folder }) => folder.source === 'project').map(({ folder }) => folder));
      const skills = overridden(all, options.overrides?.() ?? {});
      return {
        skills,
        problems: [...parts.flatMap((part) => part.problems), ...problems, ...inert, ...shortenedProblems(skills)],
      };
    },
    async touch(paths) {
      let found = false;
      for (const { root, workspace } of paths.flatMap((path) => foldersBetween(path, options.workspace()))) {
        if (looked.has(root) && !nested.has(root)) continue;
        const path = `${root}/.claude`;
        const has = (
          await Promise.all(
            [`${path}/skills`, `${path}/commands`].map((folder) => options.files.stat(folder).catch(() => undefined)),
          )
        ).some((stat) => stat?.type === 'directory');
        looked.add(root);
        if (!has) continue;
        nested.set(root, { folder: { source: 'project', path, root }, prefix: root.slice(workspace.length + 1) });
        found = true;
      }
      // A folder may get skills later: it is looked at again once many others were.
      if (looked.size > maxLooked) looked.clear();
      return found;
    },
  };

  async function inertProblems(folders: readonly SkillFolder[]): Promise<SkillProblem[]> {
    const places = (await Promise.all(folders.map((folder) => findSkillFiles(folder, options.files)))).flat();
    return places.map(({ file }) => ({ file, message: 'It is inert: this workspace is not trusted.', broken: true }));
  }
}

const maxLooked = 2_000;

/** Each name once: by source, then skills before commands, then in the order found. What is hidden by another is reported. */
function named(candidates: readonly SkillCandidate[]): { skills: Skill[]; problems: SkillProblem[] } {
  const sorted = [...candidates].sort((a, b) => rank(a.skill) - rank(b.skill));
  const taken = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  for (const { skill, prefix } of sorted) {
    const other = taken.get(skill.name);
    const name = other === undefined ? skill.name : prefix === '' ? undefined : `${prefix}:${skill.name}`;
    if (name !== undefined && !taken.has(name)) taken.set(name, name === skill.name ? skill : { ...skill, name });
    else if (skill.source !== 'bundled')
      problems.push({
        file: skill.file,
        message: `Another skill named \`${skill.name}\` takes precedence: ${other?.file ?? ''}`,
        broken: true,
      });
  }
  return { skills: [...taken.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

function rank({ source, kind }: Skill): number {
  return skillSources.indexOf(source) * 2 + (kind === 'skill' ? 0 : 1);
}

/** "on", "name-only", "user-invocable-only" or "off", by the skill's name. */
function overridden(skills: readonly Skill[], overrides: Readonly<Record<string, unknown>>): Skill[] {
  return skills.flatMap((skill): Skill[] => {
    const value = Object.hasOwn(overrides, skill.name) ? overrides[skill.name] : undefined;
    if (value === 'off' || value === false) return [];
    if (value === 'name-only') return [{ ...skill, nameOnly: true }];
    return value === 'user-invocable-only' ? [{ ...skill, forModel: false }] : [skill];
  });
}
