// What processes of a session find in their environment: that an agent runs them, and in which session.

/** Under the names that scripts look for. Servers of MCP are shared by sessions, and get none of it. */
export function sessionVariables(sessionId: string): Record<string, string> {
  return { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: sessionId };
}
