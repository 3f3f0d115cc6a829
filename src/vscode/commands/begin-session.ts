// Begins another session in a chat, whose user may want to keep what works there.
import { type Chat } from '../chat/conversation/chat';

interface BegunChat {
  readonly running: boolean;
  readonly poster: { readonly state: Pick<Chat['poster']['state'], 'sessionId' | 'items'> };
  open(id: undefined): Promise<void>;
}

/** False where the user kept the session that is there. */
export async function beginsAnother(chat: BegunChat): Promise<boolean> {
  const before = chat.poster.state.sessionId;
  await chat.open(undefined);
  return chat.poster.state.sessionId !== before;
}

/** The session that can leave the chat for another place: one that rests and has a conversation. */
export function movableSession(chat: BegunChat | undefined): string | undefined {
  if (chat === undefined || chat.running || chat.poster.state.items.length === 0) return undefined;
  return chat.poster.state.sessionId;
}
