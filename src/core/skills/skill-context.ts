// Sends a session's model the list of skills: all at first, and those that belong to files once calls have touched them.
import { relative } from 'pathe';
import { redactText, type Secrets } from '../text/redact';
import { type ContextNote } from '../context/context-source';
import { type Path } from '../ports/path';
import { globMatcher } from '../search/glob-pattern';
import { textHash } from '../text/text-hash';
import { type Skill } from './skill';
import { type SkillCatalogue } from './skill-catalogue';
import { listText, type SkillInterest } from './skill-list-text';

const heading =
  'Skills: instructions for particular tasks, by name. If one fits what the user asks, call the Skill tool with its name before you begin instead of working it out yourself.';

const lateHeading = 'More skills, for the files that you work on now:';

export interface SkillContext {
  present(): Promise<ContextNote[]>;
  touched(paths: readonly Path[]): Promise<ContextNote[]>;
}

/** `interest`: asked when a list is made, which then stays as it was sent until the skills change. */
export function createSkillContext(
  catalogue: SkillCatalogue,
  secrets: () => Secrets = () => [],
  interest?: () => SkillInterest,
): SkillContext {
  const written = new Map<string, string>();
  const noteOf = (skills: readonly Skill[], title: string): ContextNote[] => {
    // Of all that is known of the skills: what was cut for one prompt is not sent again for the next.
    const facts = skills.map(({ name, description, whenToUse, argumentHint, nameOnly, forModel }) =>
      forModel ? [name, description, whenToUse, argumentHint, nameOnly] : [],
    );
    const key = `skills:${textHash(JSON.stringify([title, facts.filter((one) => one.length > 0)]))}`;
    const text = written.get(key) ?? listText(skills, title, interest?.());
    if (text === undefined) return [];
    written.set(key, text);
    return [{ key, text: redactText(text, secrets()) }];
  };
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
      ),
      ...late.flatMap((names) =>
        noteOf(
          listed.filter(({ name }) => names.includes(name)),
          lateHeading,
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
      return noteOf(fresh, lateHeading);
    },
  };
}

function isSkillFile(path: Path): boolean {
  return path.includes('/.claude/');
}

function covers({ paths, root }: Skill, path: Path): boolean {
  const within = relative(root, path);
  return !within.startsWith('..') && paths.some((pattern) => globMatcher(pattern)(within));
}
