// Takes what is pasted or dropped: images become attachments, files become "@path".
import { useEffect, useState } from 'preact/hooks';
import { mentionText } from '../../src/shared/mention-text';
import { type ComposerImage } from '../../src/shared/written-message';
import { attachImages, insertIntoComposer } from '../state/draft';
import { MAX_IMAGES } from '../state/image-limits';
import { droppedPaths } from './mention';
import { readImage } from './read-image';

/** `refuse` gets a sentence for what could not be taken. */
export function takePasted(event: ClipboardEvent, refuse: (message: string) => void): void {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  void addImages(files, refuse);
}

/** Takes what is dropped anywhere on the page; true while something is dragged over it. */
export function useDropping(refuse: (message: string) => void): boolean {
  const [dropping, setDropping] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setDropping(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDropping(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setDropping(false);
      void takeDropped(event.dataTransfer, refuse);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return dropping;
}

async function takeDropped(data: DataTransfer | null, refuse: (message: string) => void): Promise<void> {
  if (!data) return;
  const files = [...data.files];
  const pictures = files.filter((file) => file.type.startsWith('image/'));
  const uris = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list');
  const text = data.getData('text/plain');
  if (pictures.length > 0) return addImages(pictures, refuse);
  const paths = droppedPaths(uris);
  if (paths.length > 0) insertIntoComposer(`${paths.map((path) => mentionText(path)).join(' ')} `);
  else if (files.length > 0)
    refuse('These files cannot be read from here. Drop them from the Explorer, or type @ and their name.');
  else if (text !== '') insertIntoComposer(text);
}

async function addImages(files: readonly File[], refuse: (message: string) => void): Promise<void> {
  const read = await Promise.all(files.map(readImage));
  const added: ComposerImage[] = [];
  let problem = '';
  for (const result of read) {
    if (result.outcome === 'read') added.push(result.image);
    else problem = result.message;
  }
  if (!attachImages(added)) problem = `A message can have ${MAX_IMAGES} images.`;
  refuse(problem);
}
