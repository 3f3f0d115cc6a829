// Announces to screen readers, politely and in whole blocks, what happened in the conversation.
import { signal } from '@preact/signals';
import { headOf } from '../../src/shared/cut-text';

/** More would bury the newest under old news. */
const MAX_KEPT = 4;
const MAX_LENGTH = 600;

let nextKey = 0;

/** What the live region holds; each entry is spoken once, when it appears. */
export const announcements = signal<readonly { key: number; text: string }[]>([]);

export function announce(text: string): void {
  const spoken = text.replace(/\s+/g, ' ').trim();
  if (spoken === '') return;
  const shortened = spoken.length > MAX_LENGTH ? `${headOf(spoken, MAX_LENGTH)} …` : spoken;
  announcements.value = [...announcements.peek(), { key: nextKey++, text: shortened }].slice(-MAX_KEPT);
}
