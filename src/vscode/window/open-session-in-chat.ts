// Shows a session: in the chat that has it, else in one that rests, else in a tab of its own.
import { isAtWork } from '../chat/conversation/left-work';
import { type ChatPlaces } from './chat-places';

type Places = Pick<ChatPlaces, 'all' | 'show' | 'openInEditor'>;

export async function openSessionInChat(places: Places, session: string): Promise<void> {
  if (revealSession(places, session)) return;
  const host = await places.show();
  // Nothing is lost by it.
  if (!isAtWork(host.chat.work)) await host.chat.open(session);
  else (await places.openInEditor(session)).post({ type: 'focus' });
}

/** False where no chat of this window has it. */
export function revealSession(places: Pick<ChatPlaces, 'all'>, session: string): boolean {
  const host = places.all().find(({ chat }) => chat.poster.state.sessionId === session);
  host?.reveal();
  host?.post({ type: 'focus' });
  return host !== undefined;
}
