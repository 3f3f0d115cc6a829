// What the chat shows where the settings ask for a sandbox and there is none.
import { type NoticeItem } from '../../shared/chat';

export function sandboxNotice(reason: string): NoticeItem {
  return {
    kind: 'notice',
    id: 'sandbox-missing',
    level: 'warning',
    title: 'Commands run without a sandbox.',
    detail: `${reason} Commands ask as they do without one. Switch \`sandbox.enabled\` off in the settings file to end this message.`,
  };
}
