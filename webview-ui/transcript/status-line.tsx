// The last line of the conversation: what Deft is doing now. Its height is always reserved.
import { type ChatStatus } from '../../src/shared/chat';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';

const words: Readonly<Record<Exclude<ChatStatus, 'idle'>, { text: string; icon: string; spin: boolean }>> = {
  working: { text: 'Working…', icon: 'loading', spin: true },
  retrying: { text: 'Waiting to try again…', icon: 'history', spin: false },
  waiting: { text: 'Waiting for you', icon: 'circle-large-outline', spin: false },
};

export function StatusLine() {
  const { status, activity } = chat.facts.value;
  const shown =
    status === 'idle'
      ? undefined
      : activity !== '' && status === 'working'
        ? { ...words.working, text: activity }
        : words[status];
  return (
    <div class="status-line">
      {shown && (
        <>
          <Icon name={shown.icon} spin={shown.spin} />
          <span>{shown.text}</span>
        </>
      )}
    </div>
  );
}
