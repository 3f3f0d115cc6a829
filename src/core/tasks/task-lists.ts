// Which list of tasks a session keeps: single tasks, or the one that TodoWrite replaces as a whole. Never both.
import { isOff, isOn } from '../text/switch-words';
import { teamsOn } from '../text/teams-on';

export type TaskTools = 'todos' | 'tasks';

export const taskToolNames = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'] as const;

/**
 * The Task tools, which teams share, unless the environment, or `env` of a settings file, has CLAUDE_CODE_ENABLE_TASKS off. Where it says
 * nothing, TodoWrite for whoever names that and none of the Task tools.
 */
export function tracksBy(
  environment: () => Readonly<Record<string, string | undefined>>,
  names: (tool: string) => boolean,
): (tools: TaskTools) => boolean {
  return (tools) => (keepsTodos(environment(), names) ? 'todos' : 'tasks') === tools;
}

function keepsTodos(
  environment: Readonly<Record<string, string | undefined>>,
  names: (tool: string) => boolean,
): boolean {
  const { CLAUDE_CODE_ENABLE_TASKS: wanted } = environment;
  if (teamsOn(environment) || isOn(wanted)) return false;
  return isOff(wanted) || namesTodos(names);
}

/** A list of tools asks for TodoWrite. */
export function namesTodos(names: (tool: string) => boolean): boolean {
  return names('TodoWrite') && !taskToolNames.some(names);
}
