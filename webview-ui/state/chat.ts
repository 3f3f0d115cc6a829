// The one chat of this webview: its state and what has been received.
import { computed, effect, signal } from '@preact/signals';
import { post } from '../host/vscode-api';
import { ChatStore } from './chat-store';
import { createReceived } from './receive';
import { withSpokenNotices } from './spoken-notices';

export const chat = new ChatStore();
export const received = createReceived(
  withSpokenNotices(chat),
  () => post({ type: 'ready' }),
  (epoch, seq) => post({ type: 'drawn', epoch, seq }),
);

/** Which page is shown. */
export const page = signal<'conversation' | 'history' | 'servers' | 'usage'>('conversation');

let shownSession = '';

// A session that was opened is what the user wants to see.
effect(() => {
  const { sessionId } = chat.facts.value;
  if (shownSession !== '' && sessionId !== shownSession) page.value = 'conversation';
  shownSession = sessionId;
});

effect(() => chat.foldTurns(received.surroundings.value.foldTurns));

export const working = computed(() => chat.facts.value.status !== 'idle');

/** The key that the user holds for "Ctrl" on this platform, in words for tooltips. */
export function modifierName(): string {
  return received.surroundings.value.platform === 'mac' ? 'Cmd' : 'Ctrl';
}

export function altName(): string {
  return received.surroundings.value.platform === 'mac' ? 'Option' : 'Alt';
}
