// Which list of tasks a session keeps: the one that TodoWrite replaces as a whole, or single tasks. Never both.
import { isOn } from '../text/switch-words';
import { teamsOn } from '../text/teams-on';

export type TaskTools = 'todos' | 'tasks';

/** The Task tools where the environment, or `env` of a settings file, has CLAUDE_CODE_ENABLE_TASKS on, and in teams, which share them. */
export function tracksBy(
  environment: () => Readonly<Record<string, string | undefined>>,
): (tools: TaskTools) => boolean {
  return (tools) => (isOn(environment()['CLAUDE_CODE_ENABLE_TASKS']) || teamsOn(environment())) === (tools === 'tasks');
}
