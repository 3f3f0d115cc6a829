// What a host gives to a session that has skills.
import { type Grant } from '../settings/grant-text';
import { type SkillCatalogue } from './skill-catalogue';

export interface SessionSkillOptions {
  catalogue: SkillCatalogue;
  /** No user types the prompts, as in an agent's session: a slash before one means nothing. */
  plainPrompts?: boolean;
  /** Skills whose content an agent is given with its task. */
  preloaded?: readonly string[];
  /** Whether the user has agreed to what a project's skill would allow; nothing of it counts without. */
  agreed?: (grant: Grant) => boolean;
  /** A project's skill was used that would allow more than the user has agreed to. */
  wouldAllow?: (skill: string, grants: readonly Grant[]) => void;
  /** `disableSkillShellExecution` of the settings. */
  shellDisabled?: () => boolean;
  /** Names that the session's host carries out itself, for the sentence about an unknown one. */
  otherNames?: () => readonly string[];
  variables?: () => Readonly<Record<string, string | undefined>>;
}
