// The key by which others find the skills of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SkillList } from '../../skills/skill';
import { type SessionSkills } from './session-skills';

export interface SkillsOfSession extends Pick<SessionSkills, 'hooks' | 'hookRan'> {
  /** Skills and commands that can be used now. */
  list(): Promise<SkillList>;
}

export const skills = featureKey<SkillsOfSession>('skills');
