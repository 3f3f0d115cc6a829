// The skills that come with Deft: prompts of its own, which any other skill of the same name replaces.
import codeReview from './bundled/code-review.md';
import review from './bundled/review.md';
import securityReview from './bundled/security-review.md';
import simplify from './bundled/simplify.md';
import statusline from './bundled/statusline.md';
import verify from './bundled/verify.md';
import { readSkill } from './read-skill';
import { type Skill } from './skill';

export const bundledSkills: readonly Skill[] = Object.entries({
  'code-review': codeReview,
  review,
  'security-review': securityReview,
  simplify,
  statusline,
  verify,
}).flatMap(([name, text]) => {
  const { skill } = readSkill(text, { name, kind: 'skill', source: 'bundled', file: '', folder: '', root: '' });
  return skill === undefined ? [] : [skill];
});
