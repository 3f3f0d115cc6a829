// Carries out a command of one of the session's features: shows its notice, sends its prompt.
import { type Chat } from '../conversation/chat';

export async function runFeatureCommand(
  chat: Pick<Chat, 'readOnly' | 'notice' | 'session' | 'send'>,
  name: string,
  text: string,
): Promise<void> {
  if (chat.readOnly) return tellReadOnly(chat);
  const { notice, prompt } = (await (await chat.session()).controls.run(name, text)) ?? {};
  if (notice !== undefined) chat.notice(notice.level, notice.title, notice.detail);
  if (prompt !== undefined) await chat.send({ ...prompt, images: [] });
}

export function tellReadOnly(chat: Pick<Chat, 'notice'>): void {
  chat.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
}
