// The list of skills that the model is sent: every name, and descriptions that share what room there is.
import { headOf } from '../../shared/cut-text';
import { maxDescription } from './read-skill';
import { type Skill, type SkillProblem } from './skill';

/** The whole list in characters, as long as the names leave `leastForDescriptions`. */
const maxListed = 14_000;
const leastForDescriptions = 6_000;
/** Below this a description says nothing. */
const leastDescription = 40;

/** What the descriptions are shared out by. */
export interface SkillInterest {
  /** Names of skills that were used in this session. */
  used: ReadonlySet<string>;
  /** What the user has asked for. */
  prompt: string;
}

const noInterest: SkillInterest = { used: new Set(), prompt: '' };

/** What the model is sent about the skills that it may call; undefined if there are none. */
export function listText(
  skills: readonly Skill[],
  heading: string,
  interest: SkillInterest = noInterest,
): string | undefined {
  const offered = skills.filter(({ forModel }) => forModel);
  if (offered.length === 0) return undefined;
  const texts = shared(offered, interest);
  const lines = offered.map((skill) => {
    const text = texts.get(skill) ?? '';
    return text === '' ? calledAs(skill) : `${calledAs(skill)}: ${text}`;
  });
  const short = offered.some((skill) => (texts.get(skill) ?? '') !== descriptionOf(skill));
  return [
    heading,
    ...lines,
    ...(short
      ? ['Descriptions that end with "…", or are missing, did not fit: the names say what those skills are for.']
      : []),
  ].join('\n');
}

/** For the user: the descriptions that do not fit whole, whoever asks for what. One for all, as the same can be done about each. */
export function shortenedProblems(skills: readonly Skill[]): SkillProblem[] {
  const offered = skills.filter(({ forModel }) => forModel);
  const texts = shared(offered, noInterest);
  const short = offered.filter((skill) => texts.get(skill) !== descriptionOf(skill));
  const [longest] = [...short].sort((a, b) => b.description.length - a.description.length);
  if (longest === undefined) return [];
  const message = `Its description is the longest of ${short.length} that the model is sent shortened or not at all, because those of all ${offered.length} skills are too long together. Shorten some, or set skills to name-only or off in \`skillOverrides\`.`;
  return [{ file: longest.file, message, broken: false }];
}

function calledAs({ name, argumentHint }: Skill): string {
  return `- ${name}${argumentHint === undefined ? '' : ` ${headOf(argumentHint, 200)}`}`;
}

function descriptionOf({ description, whenToUse, nameOnly }: Skill): string {
  if (nameOnly === true) return '';
  return headOf([description, whenToUse].filter((part) => part !== undefined && part !== '').join(' '), maxDescription);
}

/** Whole ones for what was used or fits the prompt, up to half of the room; the others share the rest evenly. */
function shared(skills: readonly Skill[], interest: SkillInterest): Map<Skill, string> {
  const texts = new Map(skills.map((skill) => [skill, descriptionOf(skill)]));
  const names = skills.reduce((sum, skill) => sum + calledAs(skill).length + 3, 0);
  let room = Math.max(maxListed - names, leastForDescriptions);
  if ([...texts.values()].reduce((sum, text) => sum + text.length, 0) <= room) return texts;
  const ranked = byInterest(skills, interest);
  const whole = new Set<Skill>();
  let forWhole = room / 2;
  for (const { skill, score } of ranked) {
    const { length } = texts.get(skill) ?? '';
    if (score === 0 || length > forWhole) break;
    whole.add(skill);
    forWhole -= length;
    room -= length;
  }
  const others = ranked.flatMap(({ skill }) => (whole.has(skill) ? [] : [skill]));
  const share = evenShare(
    others.map((skill) => (texts.get(skill) ?? '').length),
    room,
  );
  for (const skill of others) {
    const text = texts.get(skill) ?? '';
    const most = Math.min(Math.max(share, leastDescription), room);
    const cut = text.length <= most ? text : most < leastDescription ? '' : `${headOf(text, most - 1).trimEnd()}…`;
    texts.set(skill, cut);
    room -= cut.length;
  }
  return texts;
}

/** So that what is shorter leaves its room to the others. */
function evenShare(lengths: readonly number[], room: number): number {
  let left = room;
  let count = lengths.length;
  for (const length of [...lengths].sort((a, b) => a - b)) {
    if (length * count > left) return Math.floor(left / count);
    left -= length;
    count -= 1;
  }
  return maxDescription;
}

/** Used ones first, then by how many words of the prompt they have, then as they are listed. */
function byInterest(skills: readonly Skill[], { used, prompt }: SkillInterest): { skill: Skill; score: number }[] {
  const asked = wordsOf(prompt);
  return skills
    .map((skill) => {
      const own = wordsOf(`${skill.name} ${skill.description} ${skill.whenToUse ?? ''}`);
      const common = [...asked].filter((word) => own.has(word)).length;
      return { skill, score: (used.has(skill.name) ? 1_000 : 0) + common };
    })
    .sort((a, b) => b.score - a.score);
}

function wordsOf(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.replace(/(?:ing|ed|es|s)$/, '')),
  );
}
