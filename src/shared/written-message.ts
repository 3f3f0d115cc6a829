// A message as the composer holds it: its text and its images.
export interface WrittenMessage {
  text: string;
  images: ComposerImage[];
}

/** An image pasted or dropped into the composer. */
export interface ComposerImage {
  name: string;
  mediaType: string;
  /** Base64. */
  data: string;
}

/** Files and folders at once; the page keeps to it and tells what it leaves out. */
export const maxDropped = 200;
