// Whether agent teams are on: they cost more, so a user asks for them.

/** The environment, or `env` of a settings file that is no project's, has CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1. */
export function teamsOn(environment: Readonly<Record<string, string | undefined>>): boolean {
  return ['1', 'true'].includes(environment['CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS']?.trim().toLowerCase() ?? '');
}
