// A session that another window wants: it is closed here where nobody sees it any more, or the user takes it over there.
import { HostClosed } from '../../../core/loop/host-closed';
import { type AgentSession } from '../../../core/feature/agent-session';
import { DeftError } from '../../../core/text/errors';
import { type ChatSession } from './chat-session';
import { type ChatTurns } from './chat-turns';
import { type ExternalView } from './external-chat';

export interface HandOverParts {
  current: ChatSession;
  turns: Pick<ChatTurns, 'stop'>;
  external: Pick<ExternalView, 'shown' | 'showWithheld'>;
  windowAnswers: () => Promise<boolean>;
  /** What runs beside the session ends, and the next one begins anew. */
  reset: () => void;
}

/** Where the user took over a session in vain. */
export const notTakenOver = [
  'The session was not taken over.',
  'The window or program that has it does not answer. Close that one, then open the session from the history.',
] as const;

/** Listens for as long as the session is open. */
export function handOver(session: AgentSession, parts: HandOverParts): void {
  const { current, turns, external, windowAnswers, reset } = parts;
  const giveUp = async (): Promise<void> => {
    if ((await current.opened?.catch(() => undefined)) !== session) return;
    reset();
    // What waits for the user here is asked again there.
    await turns.stop(new HostClosed());
    await current.leave('other');
    if (external.shown !== undefined) return;
    await external.showWithheld(
      session.id,
      new DeftError('session-locked', 'Another window has taken this session over.'),
    );
  };
  session.settings.log.onWanted?.(async (wish) => {
    if (wish === 'unless-seen' && (await windowAnswers())) return false;
    void current.inTurn(giveUp);
    return true;
  });
}
