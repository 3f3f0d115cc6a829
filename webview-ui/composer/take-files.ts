// Takes what is pasted, dropped or picked: pictures are attached, files of VS Code are mentioned, other text goes into the message. What cannot be taken is told.
import { useEffect, useState } from 'preact/hooks';
import { type InsertedFiles } from '../../src/shared/answers';
import { maxDropped } from '../../src/shared/written-message';
import { post, request } from '../host/vscode-api';
import { announce } from '../state/announce';
import { page } from '../state/chat';
import { attachImages, focusComposer, insertIntoComposer } from '../state/draft';
import { beginReading, forgetProblems, noRoom, tellProblems } from '../state/taking';
import { dragged, type DraggedFile, type Dragged } from './dragged';
import { pictureBlob, readImage } from './read-image';
import { fileBlock } from './text-file';

export function takePasted(event: ClipboardEvent): void {
  const data = event.clipboardData;
  if (!data) return;
  forgetProblems();
  const files = [...data.files];
  if (files.length === 0) {
    // VS Code's Explorer copies files so that no page sees them.
    if (data.types.length === 0)
      tellProblems(['There is no text and no picture on the clipboard. Files come by @ and their name, or by Attach.']);
    return;
  }
  // Office programs put a picture of their text beside it.
  if (data.types.includes('text/html') && data.getData('text/plain').trim() !== '') return;
  event.preventDefault();
  void takeFiles(files.map((file) => ({ file, folder: false })));
}

/** What is pasted while the focus is not in the message. */
function takePastedElsewhere(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  if (page.peek() !== 'conversation' || !clipboardData) return;
  if (target instanceof HTMLElement && target.matches('.message')) return;
  const text = clipboardData.getData('text/plain');
  if (isTextField(target)) {
    if (clipboardData.files.length === 0 || text !== '') return;
    forgetProblems();
    return tellProblems(['Pictures and files go with the message: paste them there.']);
  }
  takePasted(event);
  if (event.defaultPrevented || text === '') return;
  event.preventDefault();
  insertIntoComposer(text);
}

/** Takes what is dropped and pasted anywhere on the page; true while something is dragged over it. */
export function useDropping(): boolean {
  const [dropping, setDropping] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      // VS Code takes every drag on the window for its own; text moves in a text field as everywhere else.
      if (isTextMove(event)) return event.stopPropagation();
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setDropping(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDropping(false);
    };
    const drop = (event: DragEvent) => {
      setDropping(false);
      if (isTextMove(event)) return event.stopPropagation();
      event.preventDefault();
      // A drop is over before anything can be awaited: what was dragged is gone then.
      if (event.dataTransfer) takeDropped(dragged(event.dataTransfer));
    };
    document.addEventListener('paste', takePastedElsewhere);
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('paste', takePastedElsewhere);
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return dropping;
}

/** What the host has found out about files of VS Code. */
export async function takeInserted({ text, pictures = [], problems = [] }: InsertedFiles): Promise<void> {
  if (text === '') focusComposer();
  else insertIntoComposer(text);
  if (pictures.length === 0) return tellProblems(problems);
  const done = beginReading(pictures.map(({ name }) => name));
  const told = [...problems];
  try {
    for (const picture of pictures) told.push(...(await addPicture(await pictureBlob(picture), picture.name)));
  } finally {
    done(told);
  }
}

function isTextMove({ dataTransfer, target }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  return (
    isTextField(target) &&
    types.includes('text/plain') &&
    !types.some((type) => type === 'Files' || type.endsWith('uri-list') || type === 'resourceurls')
  );
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}

function takeDropped({ uris, files, text }: Dragged): void {
  page.value = 'conversation';
  forgetProblems();
  const [taken, left] = [uris.slice(0, maxDropped), uris.length - maxDropped];
  if (taken.length > 0) {
    post({ type: 'dropped', uris: taken });
    if (left > 0) tellProblems([`Only the first ${maxDropped} are taken: ${left} are left out.`]);
  } else if (files.length > 0) void takeFiles(files);
  else if (text !== '') insertIntoComposer(text);
  else tellProblems(['What you dropped has no file, no picture and no text that could be taken.']);
}

async function takeFiles(all: readonly DraggedFile[]): Promise<void> {
  const files = all.slice(0, maxDropped);
  const done = beginReading(files.map(({ file }) => nameOf(file)));
  const problems: string[] = [];
  if (all.length > files.length)
    problems.push(`Only the first ${maxDropped} are taken: ${all.length - files.length} are left out.`);
  try {
    const others: File[] = [];
    // One after the other: a picture that is unpacked takes a hundred times its bytes.
    for (const { file, folder } of files) {
      if (folder)
        problems.push(
          `${nameOf(file)} is a folder from outside VS Code, which does not tell where it is: type @ and its path, or drop it from the Explorer.`,
        );
      else if (isPicture(file)) problems.push(...(await addPicture(file, nameOf(file))));
      else others.push(file);
    }
    problems.push(...(await addOthers(others)));
  } finally {
    done(problems);
  }
}

/** Drawings in SVG are text to a model. */
function isPicture(file: File): boolean {
  return file.type.startsWith('image/') && !file.type.startsWith('image/svg');
}

async function addPicture(file: Blob, name: string): Promise<string[]> {
  const read = await readImage(file, name);
  if (read.outcome === 'refused') return [read.message];
  const problems = noRoom(attachImages([read.image]));
  if (problems.length > 0) return problems;
  announce(`${name} is attached.`);
  return [];
}

/** Those of the workspace are mentioned; a page learns no paths, so the host looks for them. */
async function addOthers(files: readonly File[]): Promise<string[]> {
  if (files.length === 0) return [];
  const known = files.map((file) => ({ name: nameOf(file), size: file.size, modified: file.lastModified }));
  // Where that fails, the user has been told, and they are taken like any others.
  const uris = await request('locate', { files: known }).catch(() => files.map(() => null));
  const found = uris.flatMap((uri) => uri ?? []);
  if (found.length > 0) post({ type: 'dropped', uris: found });
  const problems: string[] = [];
  for (const [index, file] of files.entries()) {
    if ((uris[index] ?? null) !== null) continue;
    const block = await fileBlock(file, nameOf(file));
    if (block.outcome === 'read') insertIntoComposer(block.text);
    else problems.push(block.message);
  }
  return problems;
}

function nameOf({ name }: File): string {
  return name === '' ? 'The picture' : name;
}
