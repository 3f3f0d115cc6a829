// A prompt of the log or of the queue as the composer holds it: images have no names, since the model gets none.
import { type Prompt } from '../../../core/events/steering-queue';
import { type writtenPrompt } from '../../../core/sessions/fork-records';
import { type WrittenMessage } from '../../../shared/written-message';

export function namedPrompt({ text, images }: NonNullable<ReturnType<typeof writtenPrompt>>): WrittenMessage {
  return { text, images: images.map((image) => ({ name: 'Image', ...image })) };
}

/** Of a message that has not been sent. */
export function takenPrompt({ content, display }: Prompt): WrittenMessage {
  const images = content.flatMap((block) =>
    block.type === 'image' && block.source.type === 'base64'
      ? [{ name: 'Image', mediaType: block.source.media_type, data: block.source.data }]
      : [],
  );
  return { text: display.text, images };
}
