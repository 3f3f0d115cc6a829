// Tells a session's model which skills there are: all at first, and those that belong to files once calls have touched them.
import { relative } from 'pathe';
import { type ContextNote } from '../context/context-source';
import { type Path } from '../ports/path';
import { globMatcher } from '../search/glob-pattern';
import { textHash } from '../text-hash';
import { type Skill } from './skill';
import { type SkillCatalogue } from './skill-catalogue';
import { listText } from './skill-text';

const heading =
  'Skills: instructions for particular tasks, by name. Where one fits what the user asks, call the Skill tool with its name before you begin, instead of working it out yourself.';

export interface SkillContext {
  present(): Promise<ContextNote[]>;
  touched(paths: readonly Path[]): Promise<ContextNote[]>;
}

export function createSkillContext(catalogue: SkillCatalogue): SkillContext {
  /** Skills with `paths` whose files were touched. */
  const awake = new Set<string>();
  const isTold = (skill: Skill): boolean => skill.paths.length === 0 || awake.has(skill.name);
  const present = async (): Promise<ContextNote[]> => {
    const text = listText((await catalogue.list()).skills.filter(isTold), heading);
    return text === undefined ? [] : [{ key: `skills:${textHash(text)}`, text }];
  };
  return {
    present,
    async touched(paths) {
      const before = new Set((await catalogue.list()).skills.filter(isTold).map(({ name }) => name));
      await catalogue.touch(paths);
      const { skills } = await catalogue.list();
      for (const skill of skills) if (skill.paths.length > 0 && paths.some((path) => covers(skill, path))) awake.add(skill.name);
      const text = listText(skills.filter((skill) => isTold(skill) && !before.has(skill.name)), 'More skills, for the files that you work on now:');
      return text === undefined ? [] : [{ key: `skills:${textHash(text)}`, text }];
    },
  };
}

function covers({ paths, root }: Skill, path: Path): boolean {
  const within = relative(root, path);
  return !within.startsWith('..') && paths.some((pattern) => globMatcher(pattern)(within));
}
