// The chat that gets the comments of a window: the one that was used last.
import { type CommentChat } from '../comments/comment-threads';
import { type ChatPlaces } from './chat-places';

/** What is only shown takes no comments. */
export async function commentChat(places: ChatPlaces): Promise<CommentChat> {
  const { chat } = places.current() ?? (await places.show());
  if (chat.readOnly) await chat.open(undefined);
  return {
    session: () => chat.session(),
    // Where they cannot be sent they stay drafts: nothing goes back into the composer.
    async send(comments, session) {
      await chat.send({ text: '', images: [], comments, typed: '' }, session);
      return chat.running;
    },
  };
}
