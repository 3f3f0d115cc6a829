// Agents that a deny rule `Agent(Name)` takes away: they are neither named to the model nor started.
import { conditionRule } from '../permissions/rules/condition-rules';
import { type PermissionRule } from '../../shared/permission';

export function isAgentDenied(rules: readonly PermissionRule[], name: string): boolean {
  return (
    conditionRule(
      'deny',
      { tool: 'Agent', access: 'ReadOnly', readOnly: true, targets: [], input: { subagent_type: name } },
      rules,
    ) !== undefined
  );
}
