// Moves what a call waits for into the background: a command or an agent, whoever asks for it.
import { type AgentSession } from '../../feature/agent-session';
import { subagents } from './subagents-key';

/** Undefined: the user has not forbidden it. */
export function backgroundRefusal({ settings }: AgentSession): string | undefined {
  return settings.tools?.withoutBackground === true
    ? 'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS is set: nothing was moved to the background.'
    : undefined;
}

/** False where no command and no agent runs for this call any more. */
export function moveToBackground(session: AgentSession, toolUseId: string): boolean {
  return (
    session.ports.terminal.moveToBackground(toolUseId) ||
    session.feature(subagents)?.moveToBackground(toolUseId) === true
  );
}
