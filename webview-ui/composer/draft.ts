// The message being written: its text and images, kept over a reload as far as it is text.
import { signal } from '@preact/signals';
import type { ComposerImage } from '../../src/shared/protocol';
import { keepState, keptState } from '../host/vscode-api';
import { chat } from '../state/chat';
import { MAX_IMAGES } from './image-limits';

/** An image with a name of its own for the list of thumbnails. */
export interface DraftImage extends ComposerImage {
  key: number;
}

export const draft = signal('');
/** Where the cursor stands in it, which decides what is suggested. */
export const caret = signal(0);
export const images = signal<readonly DraftImage[]>([]);

let nextKey = 0;
let textbox: HTMLTextAreaElement | null = null;
let saving: ReturnType<typeof setTimeout> | undefined;

export function setTextbox(element: HTMLTextAreaElement | null): void {
  textbox = element;
}

export function restoreDraft(): void {
  draft.value = keptState()?.draft ?? '';
}

export function setDraft(text: string): void {
  draft.value = text;
  clearTimeout(saving);
  saving = setTimeout(() => keepState({ sessionId: chat.facts.peek().sessionId, draft: text }), 200);
}

/** What is written is on its way: nothing is left to keep. */
export function clearDraft(): void {
  clearTimeout(saving);
  draft.value = '';
  images.value = [];
  keepState({ sessionId: chat.facts.peek().sessionId, draft: '', anchor: null });
}

/** False where not all of them have room. */
export function attachImages(added: readonly ComposerImage[]): boolean {
  const all = [...images.peek(), ...added.map((image) => ({ ...image, key: nextKey++ }))];
  images.value = all.slice(0, MAX_IMAGES);
  return all.length <= MAX_IMAGES;
}

export function focusComposer(): void {
  textbox?.focus({ preventScroll: true });
}

/** Puts text at the cursor, with spaces around it where words would touch, and moves the focus there. */
export function insertIntoComposer(text: string): void {
  const value = draft.peek();
  const start = textbox?.selectionStart ?? value.length;
  const end = textbox?.selectionEnd ?? start;
  const { text: changed, cursor } = insertAt(value, start, end, text);
  placeText(changed, cursor);
}

/** Replaces the whole text; the cursor goes to `cursor` or the end. */
export function placeText(text: string, cursor = text.length): void {
  setDraft(text);
  // Where the selection does not change, the textbox does not tell of it: the cursor of an earlier text would count.
  caret.value = cursor;
  if (!textbox) return;
  textbox.value = text;
  focusComposer();
  textbox.setSelectionRange(cursor, cursor);
}

export function insertAt(value: string, start: number, end: number, text: string): { text: string; cursor: number } {
  const before = value.slice(0, start);
  const after = value.slice(end);
  const left = before !== '' && !/\s$/.test(before) && !/^\s/.test(text) ? ' ' : '';
  const right = after !== '' && !/^\s/.test(after) && !/\s$/.test(text) ? ' ' : '';
  // A block stands on lines of its own, but not below an empty one.
  const inserted = before + left + (before === '' ? text.replace(/^\n+/, '') : text);
  return { text: inserted + right + after, cursor: inserted.length + right.length };
}
