// The skills of one host, looked for anew at each question: a file is read again only once it has changed.
import { projectFileCheck, type ProjectFileCheck } from '../context/project-file';
import { leadsOut } from '../context/plugin-files';
import { type PluginIdentity } from '../ports/plugin-identity';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { bundledSkills } from './bundled-skills';
import { skillCommands } from './command-parts';
import { findSkillFiles, type FoundFile, tooDeepText } from './find-skills';
import { readSkill, type ReadSkill } from './read-skill';
import { type Skill, type SkillList, type SkillProblem, skillSources } from './skill';
import { foldersBetween, type SkillFolder } from './skill-folders';

export interface SkillCatalogueOptions {
  files: Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>;
  /** Asked at each look, the highest first. */
  folders: () => Promise<readonly SkillFolder[]> | readonly SkillFolder[];
  /** Those that are on. */
  plugins?: () => Promise<readonly PluginSkills[]>;
  /** Workspace folders: files below them bring the skills of their own folders. */
  workspace: () => readonly Path[];
  /** What a project says counts. */
  trusted: () => boolean;
  /** What deny rules hide: a project's file among it is not read. */
  isHidden?: (path: Path) => boolean;
  /** `skillOverrides` of the settings. */
  overrides?: () => Readonly<Record<string, unknown>> | undefined;
}

export interface PluginSkills {
  plugin: PluginIdentity;
  /** The user has agreed to what it runs and allows; its skills allow and run nothing by themselves without. */
  agreed: boolean;
  files: readonly FoundFile[];
  /** Asked once its files were read, where they allow or run something: why that does not count now. */
  refuses: () => Promise<string | undefined>;
}

export interface SkillCatalogue {
  /** All that can be used now. Never rejects. */
  list(): Promise<SkillList>;
  /** Looks for skills in the folders of these files too from now on. True where one of them has some. */
  touch(paths: readonly Path[]): Promise<boolean>;
}

const maxFileBytes = 1_000_000;

export function createSkillCatalogue(options: SkillCatalogueOptions): SkillCatalogue {
  const known = new Map<Path, { mtimeMs: number; size: number; read: ReadSkill }>();
  const nested = new Map<Path, { folder: SkillFolder; prefix: string }>();
  const looked = new Set<Path>();

  const read = async (place: FoundFile, check: ProjectFileCheck): Promise<ReadSkill> => {
    const left = place.source === 'project' || place.source === 'plugin' ? await check(place.file) : undefined;
    if (left !== undefined) return { problems: [left] };
    const stat = await options.files.stat(place.file).catch(() => undefined);
    if (stat === undefined) return { problems: [] };
    const before = known.get(place.file);
    if (before !== undefined && before.mtimeMs === stat.mtimeMs && before.size === stat.size) return before.read;
    const text = await options.files.readText(place.file, maxFileBytes).catch(() => undefined);
    const found =
      text?.outcome === 'read'
        ? readSkill(text.file.text, place)
        : { problems: [text?.message ?? 'It cannot be read.'] };
    known.set(place.file, { mtimeMs: stat.mtimeMs, size: stat.size, read: found });
    return found;
  };

  const readFolder = async (folder: SkillFolder, prefix: string, check: ProjectFileCheck): Promise<Part> => {
    const deep: Path[] = [];
    const part = await readPlaces(
      await findSkillFiles(folder, options.files, (file) => deep.push(file)),
      prefix,
      check,
    );
    return {
      ...part,
      problems: [...part.problems, ...deep.sort().map((file) => ({ file, message: tooDeepText, broken: true }))],
    };
  };
  const readPlugin = async ({ plugin, agreed, files, refuses }: PluginSkills): Promise<Part> => {
    const part = await readPlaces(files, '', leadsOut(plugin.root, options.files));
    // What is compared is what was read a moment ago, or what stands there since.
    const refused = agreed && part.candidates.some(({ skill }) => !isHarmless(skill)) ? await refuses() : undefined;
    if (agreed && refused === undefined) return part;
    const problems =
      refused === undefined
        ? part.problems
        : [...part.problems, { file: plugin.root, message: refused, broken: false }];
    return { problems, candidates: part.candidates.map(({ skill, prefix }) => ({ skill: harmless(skill), prefix })) };
  };

  const readPlaces = async (places: readonly FoundFile[], prefix: string, check: ProjectFileCheck): Promise<Part> => {
    const each = await Promise.all(places.map(async (place) => ({ place, found: await read(place, check) })));
    return {
      candidates: each.flatMap(({ place, found }) =>
        found.skill === undefined ? [] : [{ skill: found.skill, prefix: prefix === '' ? place.within : prefix }],
      ),
      problems: each.flatMap(({ place, found }) =>
        found.problems.map((message) => ({ file: place.file, message, broken: found.skill === undefined })),
      ),
    };
  };

  return {
    async list() {
      const trusted = options.trusted();
      const folders = [...(await options.folders()).map((folder) => ({ folder, prefix: '' })), ...nested.values()];
      const usable = folders.filter(({ folder }) => trusted || folder.source !== 'project');
      // The folders above one of the workspace reach up to its checkout.
      const roots = [
        ...options.workspace(),
        ...folders.flatMap(({ folder }) => (folder.source === 'project' ? [folder.root] : [])),
      ];
      const check = projectFileCheck({ files: options.files, roots, isHidden: options.isHidden });
      const plugins = (await options.plugins?.()) ?? [];
      const parts = await Promise.all([
        ...usable.map(({ folder, prefix }) => readFolder(folder, prefix, check)),
        ...plugins.map(readPlugin),
      ]);
      const { skills, problems } = named([
        ...parts.flatMap(({ candidates }) => candidates),
        ...bundledSkills.map((skill) => ({ skill, prefix: '' })),
      ]);
      const inert = trusted
        ? []
        : await inertProblems(folders.filter(({ folder }) => folder.source === 'project').map(({ folder }) => folder));
      return {
        skills: overridden(skills, options.overrides?.() ?? {}),
        problems: [...parts.flatMap((part) => part.problems), ...problems, ...inert],
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

interface Part {
  candidates: Candidate[];
  problems: SkillProblem[];
}

/** Without what would allow or run something unasked. */
function harmless(skill: Skill): Skill {
  const { hooks: _hooks, ...rest } = skill;
  return { ...rest, allowedTools: [], commandsWait: true };
}

function isHarmless({ hooks, allowedTools, body }: Skill): boolean {
  return (hooks?.entries ?? []).length === 0 && allowedTools.length === 0 && skillCommands(body).length === 0;
}

interface Candidate {
  skill: Skill;
  /** Stands before the name where another one has it already. */
  prefix: string;
}

/** Each name once: by source, then skills before commands, then in the order found. What is hidden by another is told. */
function named(candidates: readonly Candidate[]): { skills: Skill[]; problems: SkillProblem[] } {
  const sorted = [...candidates].sort((a, b) => rank(a.skill) - rank(b.skill));
  const taken = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  for (const { skill, prefix } of sorted) {
    const other = taken.get(skill.name);
    const name = other === undefined ? skill.name : prefix === '' ? undefined : `${prefix}:${skill.name}`;
    if (name !== undefined && !taken.has(name))
      taken.set(
        name,
        name !== skill.name ? { ...skill, name } : prefix === '' ? skill : { ...skill, longName: `${prefix}:${name}` },
      );
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
