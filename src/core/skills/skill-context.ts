// Sends a session's model the list of skills: all at first, and those that belong to files once calls have touched them.
import { relative } from 'pathe';
import { redactText, type Secrets } from '../text/redact';
import { type ContextNote } from '../context/context-source';
import { type Path } from '../ports/path';
import { globMatcher } from '../search/glob-pattern';
import { textHash } from '../text/text-hash';
import { type Skill } from './skill';
import { type SkillCatalogue } from './skill-catalogue';
import { listText } from './skill-text';

const heading =
  'Skills: instructions for particular tasks, by name. If one fits what the user asks, call the Skill tool with its name before you begin instead of working it out yourself.';

const lateHeading = 'More skills, for the files that you work on now:';

export interface SkillContext {
  present(): Promise<ContextNote[]>;
  touched(paths: readonly Path[]): Promise<ContextNote[]>;
}

export function createSkillContext(catalogue: SkillCatalogue, secrets: () => Secrets = () => []): SkillContext {
  /** Skills with `paths` whose files were touched. */
  const awake = new Set<string>();
  /** What was sent for touched files, each time: the earlier list stays as it was sent. */
  const late: (readonly string[])[] = [];
  /** As they were at the last look: before each prompt, and once a call may have changed them. */
  let known: readonly Skill[] | undefined;
  const look = async (): Promise<readonly Skill[]> => (known = (await catalogue.list()).skills);
  const isListed = (skill: Skill): boolean => skill.paths.length === 0 || awake.has(skill.name);
  const present = async (): Promise<ContextNote[]> => {
    const listed = (await look()).filter(isListed);
    const inGroups = new Set(late.flat());
    return [
      ...noteOf(
        listed.filter(({ name }) => !inGroups.has(name)),
        heading,
        secrets(),
      ),
      ...late.flatMap((names) =>
        noteOf(
          listed.filter(({ name }) => names.includes(name)),
          lateHeading,
          secrets(),
        ),
      ),
    ];
  };
  return {
    present,
    async touched(paths) {
      const before = new Set((known ?? (await look())).filter(isListed).map(({ name }) => name));
      const skills =
        (await catalogue.touch(paths)) || known === undefined || paths.some(isSkillFile) ? await look() : known;
      for (const skill of skills)
        if (skill.paths.length > 0 && paths.some((path) => covers(skill, path))) awake.add(skill.name);
      const fresh = skills.filter((skill) => isListed(skill) && !before.has(skill.name));
      if (fresh.length > 0) late.push(fresh.map(({ name }) => name));
      return noteOf(fresh, lateHeading, secrets());
    },
  };
}

function noteOf(skills: readonly Skill[], title: string, secrets: Secrets): ContextNote[] {
  const written = listText(skills, title);
  if (written === undefined) return [];
  const text = redactText(written, secrets);
  return [{ key: `skills:${textHash(text)}`, text }];
}

function isSkillFile(path: Path): boolean {
  return path.includes('/.claude/');
}

function covers({ paths, root }: Skill, path: Path): boolean {
  const within = relative(root, path);
  return !within.startsWith('..') && paths.some((pattern) => globMatcher(pattern)(within));
}
