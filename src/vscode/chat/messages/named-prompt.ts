// A prompt of the log as the composer takes it: names of images are not kept, the model gets none.
import { type writtenPrompt } from '../../../core/sessions/fork-records';
import { type ComposerImage } from '../../../shared/protocol';

export function namedPrompt({ text, images }: NonNullable<ReturnType<typeof writtenPrompt>>): {
  text: string;
  images: ComposerImage[];
} {
  return { text, images: images.map((image) => ({ name: 'Image', ...image })) };
}
