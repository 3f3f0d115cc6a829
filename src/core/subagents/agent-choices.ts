// What an agent runs with: its model and its mode, by everybody who has a say.
import { resolveModelName } from '../model/model-name';
import { namedSmallModel } from '../model/models';
import { type PermissionMode } from '../../shared/permission';
import { type AgentDefinition } from './agent-definition';

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment, the call, the agent's own, then that of the session which starts it. */
export function agentModel(
  agent: Pick<AgentDefinition, 'model' | 'builtIn'>,
  called: string | undefined,
  parent: string,
  environment: Variables,
): string {
  const named = firstNamed(environment['CLAUDE_CODE_SUBAGENT_MODEL'], called, agent.model);
  if (named === 'inherit') return parent;
  if (named !== undefined) return resolveModelName(named, environment);
  return (agent.builtIn?.small === true && namedSmallModel(environment)?.trim()) || parent;
}

/** Where the agent is the conversation itself; undefined where the settings choose. */
export function conversationModel(agent: Pick<AgentDefinition, 'model'> | undefined): string | undefined {
  const named = firstNamed(agent?.model);
  return named === 'inherit' ? undefined : named;
}

function firstNamed(...names: readonly (string | undefined)[]): string | undefined {
  return names.map((name) => name?.trim()).find((name) => name !== undefined && name !== '');
}

/**
 * Of a session in this mode. No agent asks less than the session that starts it, nor does a file ever: one of the user's own may
 * apply edits at once, one of a project may not.
 */
export function agentMode(
  { permissionMode: own, source }: Pick<AgentDefinition, 'permissionMode' | 'source'>,
  parent: PermissionMode,
): PermissionMode {
  // Agents that only look keep to that, whatever the session may do.
  if (source === 'builtIn' && own !== undefined) return own;
  if (parent !== 'default' || own === undefined) return parent;
  if (own === 'plan' || own === 'dontAsk' || own === 'default') return own;
  return own === 'acceptEdits' && source !== 'project' ? own : parent;
}

const defaultMaxDepth = 3;
const defaultMaxAgents = 20;

export interface AgentLimits {
  maxDepth: number;
  maxAgents: number;
}

export function agentLimits(environment: Variables): AgentLimits {
  const number = (name: string, otherwise: number, least: number): number => {
    const value = Number(environment[name]);
    return environment[name] !== undefined && environment[name] !== '' && Number.isInteger(value) && value >= least
      ? value
      : otherwise;
  };
  return {
    maxDepth: number('CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH', defaultMaxDepth, 0),
    maxAgents: number('CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS', defaultMaxAgents, 1),
  };
}
