// The skills that Deft brings along: prompts of its own, that anybody's skill of the same name replaces.
import review from './bundled/review.md';
import securityReview from './bundled/security-review.md';
import { readSkill } from './read-skill';
import { type Skill } from './skill';

export const bundledSkills: readonly Skill[] = Object.entries({ review, 'security-review': securityReview }).flatMap(([name, text]) => {
  const { skill } = readSkill(text, { name, kind: 'skill', source: 'bundled', file: '', folder: '', root: '' });
  return skill === undefined ? [] : [skill];
});
