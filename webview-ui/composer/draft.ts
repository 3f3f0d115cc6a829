// The message being written: its text and images, kept while the view is hidden.
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
/** The label of the selection that is not to go along. */
export const hiddenSelection = signal<string | null>(null);
/** A draft that made room for a message to be written anew. */
export const aside = signal<{ text: string; images: readonly ComposerImage[] } | null>(null);

/** Characters of images in base64; the state of a view is copied whole with every change of it. */
const MAX_KEPT = 4_000_000;

let nextKey = 0;
let textbox: HTMLTextAreaElement | null = null;
/** The message that the host was asked for, until its answer or a key of the person's changes the draft. */
let recalling: string | undefined;
let saving: ReturnType<typeof setTimeout> | undefined;

export function setTextbox(element: HTMLTextAreaElement | null): void {
  textbox = element;
}

export function restoreDraft(): void {
  const state = keptState();
  draft.value = state?.draft ?? '';
  images.value = (state?.images ?? []).map(withKey);
  hiddenSelection.value = state?.hiddenSelection ?? null;
  aside.value = state?.aside ?? null;
}

export function setDraft(text: string): void {
  draft.value = text;
  recalling = undefined;
  clearTimeout(saving);
  saving = setTimeout(() => keepState({ sessionId: chat.facts.peek().sessionId, draft: text }), 200);
}

/** False where that message is on its way already. */
export function beginRecall(id: string): boolean {
  const begins = recalling !== id;
  recalling = id;
  return begins;
}

/** What is written is on its way: nothing is left to keep. */
export function clearDraft(): void {
  clearTimeout(saving);
  draft.value = '';
  images.value = [];
  keepState({ sessionId: chat.facts.peek().sessionId, draft: '', images: [], anchor: null });
}

/** False where not all of them have room. */
export function attachImages(added: readonly ComposerImage[]): boolean {
  const all = [...images.peek(), ...added.map(withKey)];
  setImages(all.slice(0, MAX_IMAGES));
  return all.length <= MAX_IMAGES;
}

export function setImages(next: readonly DraftImage[]): void {
  images.value = next;
  keepState({ images: kept(next) });
}

function withKey(image: ComposerImage): DraftImage {
  return { ...image, key: nextKey++ };
}

/** The first ones, as far as there is room. */
function kept(all: readonly ComposerImage[]): ComposerImage[] {
  let room = MAX_KEPT;
  return all.filter(({ data }) => (room -= data.length) >= 0).map(({ name, mediaType, data }) => ({ name, mediaType, data }));
}

export function hideSelection(label: string | null): void {
  hiddenSelection.value = label;
  keepState({ hiddenSelection: label });
}

/** Below what is written, without taking the focus. */
export function addToDraft(text: string): void {
  const written = draft.peek();
  if (text !== '') setDraft(written.trim() === '' ? text : `${written}\n${text}`);
}

/** Another message takes the place of the draft, which can be had back. */
export function writeAnew(message: { text: string; images: readonly ComposerImage[] }): void {
  const [text, pictures] = [draft.peek(), images.peek()];
  const before = aside.peek();
  // The same message has come twice: nothing of the person's stands there.
  if (text === message.text && sameImages(pictures, message.images)) return placeText(text);
  // One that has made room already is not lost for it.
  const texts = [before?.text ?? '', text].filter((one) => one.trim() !== '');
  if (text.trim() !== '' || pictures.length > 0) setAside({ text: texts.join('\n'), images: [...(before?.images ?? []), ...pictures] });
  setImages(message.images.slice(0, MAX_IMAGES).map(withKey));
  placeText(message.text);
}

function sameImages(some: readonly ComposerImage[], others: readonly ComposerImage[]): boolean {
  return some.length === Math.min(others.length, MAX_IMAGES) && some.every(({ data }, index) => data === others[index]?.data);
}

export function setAside(put: typeof aside.value): void {
  aside.value = put;
  keepState({ aside: put && { ...put, images: kept(put.images) } });
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
