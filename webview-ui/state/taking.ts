// What is on its way into the composer, and what could not be taken.
import { computed, signal } from '@preact/signals';
import { announce } from './announce';
import { MAX_IMAGES, MAX_IMAGES_LENGTH } from './image-limits';

/** Sentences about what was pasted, dropped or picked last. */
const problems = signal<readonly string[]>([]);
/** Names of files that are being read. */
export const reading = signal<readonly string[]>([]);

const MAX_SENTENCES = 3;
/** What waits for them. */
let onceRead: (() => void) | undefined;

/** Empty where all could be taken. */
export const problemText = computed(() => {
  const more = problems.value.length - MAX_SENTENCES;
  const told = more > 1 ? [...problems.value.slice(0, MAX_SENTENCES), `And ${more} more.`] : problems.value;
  return told.join(' ');
});

/** With the next that the user pastes, drops, picks or sends. */
export function forgetProblems(): void {
  problems.value = [];
}

export function tellProblems(sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  problems.value = [...problems.peek(), ...sentences];
  announce(problemText.peek());
}

/** For names of images that `attachImages` left out. */
export function noRoom(names: readonly string[]): string[] {
  const limits = `a message can have ${MAX_IMAGES} images, ${MAX_IMAGES_LENGTH / 1_000_000} MB in all`;
  return names.map((name) => `There is no room for ${name}: ${limits}.`);
}

/** The function that it gives ends it, with what could not be taken. */
export function beginReading(names: readonly string[]): (problems: readonly string[]) => void {
  reading.value = [...reading.peek(), ...names];
  return (sentences) => {
    const left = [...reading.peek()];
    for (const name of names) left.splice(left.indexOf(name), 1);
    reading.value = left;
    tellProblems(sentences);
    // A message that should have had it is the user's to send as it is.
    if (sentences.length > 0) onceRead = undefined;
    if (left.length > 0) return;
    const send = onceRead;
    onceRead = undefined;
    send?.();
  };
}

/** False where files are still being read: `send` runs once they are there. */
export function filesAreRead(send: () => void): boolean {
  if (reading.peek().length === 0) return true;
  onceRead = send;
  return false;
}
