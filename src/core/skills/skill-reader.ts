// Reads the skills of a folder or a plugin: a file is read again only once it has changed.
import { leadsOut } from '../context/plugin-files';
import { type ProjectFileCheck } from '../context/project-file';
import { type PluginIdentity } from '../ports/plugin-identity';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { skillCommands } from './command-parts';
import { findSkillFiles, type FoundFile } from './find-skills';
import { readSkill, type ReadSkill } from './read-skill';
import { type Skill, type SkillProblem } from './skill';
import { type SkillFolder } from './skill-folders';

export interface PluginSkills {
  plugin: PluginIdentity;
  /** The user has agreed to what it runs and allows; its skills allow and run nothing by themselves without. */
  agreed: boolean;
  files: readonly FoundFile[];
  /** Asked once its files were read, where they allow or run something: why that does not count now. */
  refuses: () => Promise<string | undefined>;
}

/** What one folder or plugin contributes, before names are settled. */
export interface SkillPart {
  candidates: SkillCandidate[];
  problems: SkillProblem[];
}

export interface SkillCandidate {
  skill: Skill;
  /** Stands before the name where another one has it already. */
  prefix: string;
}

const maxFileBytes = 1_000_000;

export class SkillReader {
  readonly #files: Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>;
  readonly #known = new Map<Path, { mtimeMs: number; size: number; read: ReadSkill }>();

  constructor(files: Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>) {
    this.#files = files;
  }

  async #read(place: FoundFile, check: ProjectFileCheck): Promise<ReadSkill> {
    const left = place.source === 'project' || place.source === 'plugin' ? await check(place.file) : undefined;
    if (left !== undefined) return { problems: [left] };
    const stat = await this.#files.stat(place.file).catch(() => undefined);
    if (stat === undefined) return { problems: [] };
    const before = this.#known.get(place.file);
    if (before !== undefined && before.mtimeMs === stat.mtimeMs && before.size === stat.size) return before.read;
    const text = await this.#files.readText(place.file, maxFileBytes).catch(() => undefined);
    const found =
      text?.outcome === 'read'
        ? readSkill(text.file.text, place)
        : { problems: [text?.message ?? 'It cannot be read.'] };
    this.#known.set(place.file, { mtimeMs: stat.mtimeMs, size: stat.size, read: found });
    return found;
  }

  async folder(folder: SkillFolder, prefix: string, check: ProjectFileCheck): Promise<SkillPart> {
    const left: SkillProblem[] = [];
    const places = await findSkillFiles(folder, this.#files, (file, message) =>
      left.push({ file, message, broken: true }),
    );
    const part = await this.#places(places, prefix, check);
    return { ...part, problems: [...part.problems, ...left.sort((a, b) => (a.file < b.file ? -1 : 1))] };
  }

  async plugin({ plugin, agreed, files, refuses }: PluginSkills): Promise<SkillPart> {
    const part = await this.#places(files, '', leadsOut(plugin.root, this.#files));
    // What is compared is what was read a moment ago, or what is there since.
    const refused = agreed && part.candidates.some(({ skill }) => !isHarmless(skill)) ? await refuses() : undefined;
    if (agreed && refused === undefined) return part;
    const problems =
      refused === undefined
        ? part.problems
        : [...part.problems, { file: plugin.root, message: refused, broken: false }];
    return { problems, candidates: part.candidates.map(({ skill, prefix }) => ({ skill: harmless(skill), prefix })) };
  }

  async #places(places: readonly FoundFile[], prefix: string, check: ProjectFileCheck): Promise<SkillPart> {
    const each = await Promise.all(places.map(async (place) => ({ place, found: await this.#read(place, check) })));
    return {
      candidates: each.flatMap(({ found }) => (found.skill === undefined ? [] : [{ skill: found.skill, prefix }])),
      problems: each.flatMap(({ place, found }) =>
        found.problems.map((message) => ({ file: place.file, message, broken: found.skill === undefined })),
      ),
    };
  }
}

/** Without what would allow or run something unasked. */
function harmless(skill: Skill): Skill {
  const { hooks: _hooks, ...rest } = skill;
  return { ...rest, allowedTools: [], commandsWait: true };
}

function isHarmless({ hooks, allowedTools, body }: Skill): boolean {
  return (hooks?.entries ?? []).length === 0 && allowedTools.length === 0 && skillCommands(body).length === 0;
}
