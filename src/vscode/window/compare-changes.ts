// Opens the review of all changes for a chat: since a point that the user picks, or since its session began.
import { type Chat } from '../chat/conversation/chat';
import { type WindowParts } from './window-parts';

export async function compareChanges(
  { options, comments }: WindowParts,
  chat: Chat | undefined,
  wholeSession = false,
): Promise<void> {
  const { changes, isHidden, context } = options;
  const { reviewChanges } = await import('../commands/review-changes');
  await reviewChanges({ chat, changes, isHidden, wholeSession }, context.workspaceState);
  if (changes.compared.isShown()) comments.offer();
}
