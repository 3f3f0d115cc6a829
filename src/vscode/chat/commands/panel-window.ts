// What the panel's commands reach of the window, beside the chat itself.
import { type SkillList } from '../../../core/skills/skill';
import { type OutputStyles } from '../../../core/styles/find-styles';
import { type RuleSource } from '../../session/rule-source';

export interface PanelWindow {
  version: string;
  rules: Pick<RuleSource, 'current' | 'problems' | 'newGrants' | 'saveSetting' | 'values'>;
  styles: () => Promise<OutputStyles>;
  skills: () => Promise<SkillList>;
  /** As it is now. */
  model: { readonly provider: string; readonly demo: boolean; needsSetup: () => Promise<boolean>; contextWindow: (model: string) => number };
}
