// The rules that a skill adds for the turn: what it denies always, what it allows where its source may.
import { type PermissionRule } from '../../shared/permission';
import { parseRule } from '../permissions/rules/rule-syntax';
import { allowGrant, type Grant } from '../settings/grant-text';
import { type Skill } from './skill';

export interface SkillRules {
  rules: PermissionRule[];
  /** What a project's skill would allow, and nobody has agreed to. */
  pending: Grant[];
}

/** Leave of a project's skill is leave of the project: it counts once the user has agreed to that very line. */
export function skillRules(
  skill: Pick<Skill, 'allowedTools' | 'disallowedTools' | 'source' | 'root' | 'file' | 'name'>,
  agreed: (grant: Grant) => boolean,
): SkillRules {
  const { source, root, file, name } = skill;
  const rule = (behavior: PermissionRule['behavior'], text: string): PermissionRule[] => {
    const value = parseRule(text);
    return value === undefined
      ? []
      : [{ behavior, value, source: 'session', root, file: file === '' ? `the skill ${name}` : file }];
  };
  const pending: Grant[] = [];
  const allowed = skill.allowedTools
    .flatMap((text) => rule('allow', text))
    .filter(({ value }) => {
      if (source !== 'project') return true;
      const grant: Grant = { root, file, text: allowGrant(value) };
      if (agreed(grant)) return true;
      pending.push(grant);
      return false;
    });
  return { rules: [...skill.disallowedTools.flatMap((text) => rule('deny', text)), ...allowed], pending };
}
