// Where a plugin can be switched on and off, in the user's words.
import type { RuleSource } from '../session/rule-source';
import type { PluginScope } from './plugin-actions';

export interface ScopeChoice {
  label: string;
  description: string;
  scope: PluginScope;
}

/** A project's files are offered only where they count: nothing is written into a workspace that is not trusted. */
export function pluginScopes(rules: Pick<RuleSource, 'target'>, trusted: boolean): ScopeChoice[] {
  const everywhere: ScopeChoice = { label: 'everywhere', description: 'your own settings', scope: 'userSettings' };
  if (!trusted || rules.target('localSettings') === undefined) return [everywhere];
  return [
    everywhere,
    { label: 'in this project, for you', description: '.claude/settings.local.json', scope: 'localSettings' },
    {
      label: 'in this project, for everybody',
      description: '.claude/settings.json; others are asked',
      scope: 'projectSettings',
    },
  ];
}
