// "/share": a copy of the conversation in the folder of Claude Code, which continues there and comes back as a copy.
import { homeFolder } from '../../../node/home-folder';
import { shareSession } from '../../../node/sessions/shared-copy';
import { nativeFolders } from '../../host/workspace-facts';
import { type Chat } from '../conversation/chat';

export async function shareConversation(chat: Chat): Promise<void> {
  if (chat.readOnly) return chat.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
  const session = await chat.session();
  const home = homeFolder();
  const folder = nativeFolders()[0] ?? home;
  chat.notice('info', 'Share', await shareSession(session, { home, folder, environment: process.env }));
}
