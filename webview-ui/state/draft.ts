// The message being written: its text and images, kept while the view is hidden.
import { signal } from '@preact/signals';
import { type ComposerImage } from '../../src/shared/written-message';
import type { KeptImage } from '../../src/shared/answers';
import { createTypedKeeper } from '../host/typed-keeper';
import { keepState, keptState } from '../host/vscode-api';
import { chat } from './chat';
import { fittingImages, MAX_IMAGES } from './image-limits';
import { type DraftImage, keepImages, readImages, withKey } from './kept-images';

export const draft = signal('');
/** Where the cursor is in it, which decides what is suggested. */
export const caret = signal(0);
export const images = signal<readonly DraftImage[]>([]);
/** The label of the selection that is not to go along. */
export const hiddenSelection = signal<string | null>(null);
/** A draft that made room for a message to be written anew. */
export const aside = signal<{ text: string; images: readonly DraftImage[] } | null>(null);

/** Names of images that the host has been asked for. */
let awaited: { draft: readonly string[]; aside: readonly string[] } = { draft: [], aside: [] };
let textbox: HTMLTextAreaElement | null = null;
/** The message that the host was asked for, until its answer or a key of the user's changes the draft. */
let recalling: string | undefined;
/** What waits for them. */
let onceKept: (() => void) | undefined;
const saving = createTypedKeeper();

export function setTextbox(element: HTMLTextAreaElement | null): void {
  textbox = element;
}

export function restoreDraft(): void {
  const state = keptState();
  draft.value = state?.draft ?? '';
  images.value = [];
  hiddenSelection.value = state?.hiddenSelection ?? null;
  aside.value = state?.aside ? { text: state.aside.text, images: [] } : null;
  awaited = { draft: namesIn(state?.images), aside: namesIn(state?.aside?.images) };
}

export async function askForImages(): Promise<void> {
  const ids = [...awaited.draft, ...awaited.aside];
  if (ids.length > 0) imagesKept(await readImages(ids));
}

/** The images themselves were kept there once. */
function namesIn(kept: readonly unknown[] | undefined): string[] {
  return (kept ?? []).filter((name) => typeof name === 'string');
}

/** What the host has kept goes above what was attached meanwhile. */
export function imagesKept(kept: readonly KeptImage[]): void {
  const named = (names: readonly string[]): DraftImage[] =>
    names.flatMap((name) => kept.filter(({ id }) => id === name).map(({ id, image }) => ({ ...image, key: id })));
  const [drafted, put] = [named(awaited.draft), named(awaited.aside)];
  awaited = { draft: [], aside: [] };
  images.value = [...drafted, ...images.peek()].slice(0, MAX_IMAGES);
  const before = aside.peek();
  if (before !== null) aside.value = { ...before, images: [...put, ...before.images] };
  saveImages();
  const send = onceKept;
  onceKept = undefined;
  send?.();
}

/** False where images of the draft are still on their way: `send` runs once they are there. Who asks again need not wait. */
export function imagesAreThere(send: () => void): boolean {
  if (awaited.draft.length === 0 || onceKept !== undefined) return true;
  onceKept = send;
  return false;
}

function saveImages(): void {
  const put = aside.peek();
  keepImages([...images.peek(), ...(put?.images ?? [])], [...awaited.draft, ...awaited.aside]);
  const names = (all: readonly DraftImage[]): string[] => all.map(({ key }) => key);
  keepState({
    images: [...awaited.draft, ...names(images.peek())],
    aside: put && { text: put.text, images: [...awaited.aside, ...names(put.images)] },
  });
}

export function setDraft(text: string): void {
  draft.value = text;
  recalling = undefined;
  saving.typed(text.length, () => keepState({ sessionId: chat.facts.peek().sessionId, draft: text }));
}

/** False where that message is on its way already. */
export function beginRecall(id: string): boolean {
  const begins = recalling !== id;
  recalling = id;
  return begins;
}

/** What is written is on its way: nothing is left to keep. */
export function clearDraft(): void {
  saving.cancel();
  draft.value = '';
  keepState({ sessionId: chat.facts.peek().sessionId, draft: '', anchor: null });
  awaited = { ...awaited, draft: [] };
  onceKept = undefined;
  setImages([]);
}

/** Gives the names of those that have no room. */
export function attachImages(added: readonly (ComposerImage & { key?: string })[]): string[] {
  const all = [...images.peek(), ...added.map(withKey)];
  const count = fittingImages(all);
  setImages(all.slice(0, count));
  return all.slice(count).map(({ name }) => name);
}

export function setImages(next: readonly DraftImage[]): void {
  images.value = next;
  saveImages();
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
  // The same message has come twice: nothing of the user's stands there.
  if (text === message.text && sameImages(pictures, message.images)) return placeText(text);
  // One that has made room already is not lost for it.
  const texts = [before?.text ?? '', text].filter((one) => one.trim() !== '');
  if (text.trim() !== '' || pictures.length > 0 || awaited.draft.length > 0) {
    // Those that are still on their way belong to the draft, too.
    awaited = { draft: [], aside: [...awaited.aside, ...awaited.draft] };
    onceKept = undefined;
    setAside({ text: texts.join('\n'), images: [...(before?.images ?? []), ...pictures] });
  }
  setImages(message.images.slice(0, MAX_IMAGES).map(withKey));
  placeText(message.text);
}

function sameImages(some: readonly ComposerImage[], others: readonly ComposerImage[]): boolean {
  return (
    some.length === Math.min(others.length, MAX_IMAGES) && some.every(({ data }, index) => data === others[index]?.data)
  );
}

export function setAside(put: typeof aside.value): void {
  aside.value = put;
  if (put === null) awaited = { ...awaited, aside: [] };
  saveImages();
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
  // Where the selection does not change, the textbox does not report it: the cursor of an earlier text would count.
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
  // A block is on lines of its own, but not below an empty one.
  const inserted = before + left + (before === '' ? text.replace(/^\n+/, '') : text);
  return { text: inserted + right + after, cursor: inserted.length + right.length };
}
