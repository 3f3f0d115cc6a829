// Opens the review of all changes for a chat.
import { type Chat } from '../chat/conversation/chat';
import { type WindowParts } from './window-parts';

export async function compareChanges({ options, comments }: WindowParts, chat: Chat | undefined): Promise<void> {
  const { changes, isHidden, context } = options;
  const { reviewChanges } = await import('../commands/review-changes');
  await reviewChanges({ chat, changes, isHidden }, context.workspaceState);
  if (changes.compared.isShown()) comments.offer();
}
