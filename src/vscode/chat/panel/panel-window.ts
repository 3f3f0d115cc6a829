// What the panel's commands use of the window, apart from the chat itself.
import { type ModelClient } from '../../../core/ports/model';
import { type Secrets } from '../../../core/text/redact';
import { type SkillList } from '../../../core/skills/skill';
import { type OutputStyles } from '../../../core/styles/find-styles';
import { type SlashCommand } from '../../../shared/answers';
import { type RuleSource } from '../../session/rule-source';

export interface PanelWindow {
  /** Shows the chat that has this session open, where one does. */
  revealSession: (sessionId: string) => boolean;
  version: string;
  rules: Pick<
    RuleSource,
    'current' | 'problems' | 'notes' | 'stops' | 'grants' | 'saveSetting' | 'values' | 'environment'
  >;
  styles: () => Promise<OutputStyles>;
  skills: () => Promise<SkillList>;
  /** What the "/" menu offers, the best first. */
  slashCommands: (query: string) => Promise<SlashCommand[]>;
  /** As it is now. */
  model: Pick<ModelClient, 'provider' | 'capabilities'> & {
    demo: boolean;
    needsSetup: () => Promise<boolean>;
    secrets: () => Secrets;
  };
}
