// The user's wish to see the end of the conversation, whoever hears it.
import { signal } from '@preact/signals';

/** Counts the wishes: the transcript goes to its end when it changes. */
export const followWishes = signal(0);

export function followEnd(): void {
  followWishes.value++;
}
