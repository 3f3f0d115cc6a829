// The hooks that files of a project contain in addition to its settings: those of its agents and of its skills.
import { type HookEntry } from '../hooks/hook-entry';
import { type Skill } from '../skills/skill';
import { type AgentDefinition } from './agent-definition';
import { agentHookEntries } from './agent-hooks';

export function contributedHooks(agents: readonly AgentDefinition[], skills: readonly Skill[]): HookEntry[] {
  const ofProject = ({ source }: { source: string }): boolean => source === 'project';
  return [
    ...agents.filter(ofProject).flatMap(agentHookEntries),
    ...skills.filter(ofProject).flatMap(({ hooks }) => hooks?.entries ?? []),
  ];
}
