// A message as it goes back into the composer where its session could not be opened: without what was to be attached.
import { type ImageMediaType } from '../../core/model/wire';
import { type Prompt } from '../../core/agent/steering-queue';
import { type PromptInput } from '../../core/prompt/compose-prompt';

export function unsentPrompt({ text, images }: Pick<PromptInput, 'text' | 'images'>): Prompt {
  const pictures = images.map(({ mediaType, data }) => ({ type: 'image' as const, source: { type: 'base64' as const, media_type: mediaType as ImageMediaType, data } }));
  return { content: [...pictures, { type: 'text', text }], display: { text, attachments: [], images: images.length } };
}
