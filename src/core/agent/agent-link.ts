// What a session that is an agent has of the session that started it.
import { type PermissionRule } from '../../shared/permission';
import { type Path } from '../ports';
import { type ToolRegistry } from '../tools/registry';
import { type AutoMode } from '../calls/auto-mode';
import { type PermissionState } from '../calls/permission-state';
import { type SubagentFleet } from '../features/subagents/running-agents';

export interface AgentLink {
  id: string;
  type: string;
  /** It is told of its task alone. */
  bare: boolean;
  /** 1 for one that the conversation started. */
  depth: number;
  /** Of the conversation. */
  sessionId: string;
  transcript: Path;
  /** What is granted in one session holds in the other. */
  permission: PermissionState;
  /** Rules that deny what its session allows; of a new one they go into its log. */
  bound: readonly PermissionRule[];
  /** Judges by what the person wrote, which is in the conversation alone. */
  auto: AutoMode;
  fleet: SubagentFleet;
  /** Hooks of the conversation may have exported variables for commands. */
  hooksExport: () => boolean;
}

/** An agent that cannot use skills, or is told nothing but its task. */
export function hearsNoSkills(agent: AgentLink | undefined, registry: ToolRegistry): boolean {
  return agent !== undefined && (agent.bare || registry.find('Skill') === undefined);
}
