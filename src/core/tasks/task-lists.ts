// Which list of tasks a session keeps: the one that TodoWrite replaces as a whole, or single tasks. Never both.
import { teamsOn } from '../text/teams-on';

export type TaskTools = 'todos' | 'tasks';

/** The Task tools where the environment, or `env` of a settings file, has CLAUDE_CODE_ENABLE_TASKS=1, and in teams, which share them. */
export function tracksBy(
  environment: () => Readonly<Record<string, string | undefined>>,
): (tools: TaskTools) => boolean {
  return (tools) =>
    (environment()['CLAUDE_CODE_ENABLE_TASKS'] === '1' || teamsOn(environment())) === (tools === 'tasks');
}
