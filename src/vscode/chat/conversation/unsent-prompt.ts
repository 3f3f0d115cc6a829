// Messages put together anew: several as one, and one as it goes back into the composer where its session could not be opened.
import { DeftError, messageOf } from '../../../core/text/errors';
import { type ImageMediaType } from '../../../core/wire/wire';
import { type Prompt } from '../../../core/events/steering-queue';
import { type PromptInput } from '../../../core/prompt/compose-prompt';

export interface ChatInput extends PromptInput {
  /** What goes back into the composer where the message cannot be sent; else what the chat would have shown. */
  typed?: string;
}

export function unsentPrompt({
  text: whole,
  shownAs,
  typed,
  images,
}: Pick<ChatInput, 'text' | 'shownAs' | 'typed' | 'images'>): Prompt {
  const text = typed ?? shownAs ?? whole;
  const pictures = images.map(({ mediaType, data }) => ({
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: mediaType as ImageMediaType, data },
  }));
  return { content: [...pictures, { type: 'text', text }], display: { text, attachments: [], images: images.length } };
}

export function whyUnsent(error: unknown): string {
  const why = error instanceof DeftError ? error.message : `${messageOf(error)} This is a bug in Deft.`;
  return `${why} It is back in the composer: send it again when the problem is fixed.`;
}

/** Several messages as one, in their order. */
export function joinedPrompt(prompts: readonly Prompt[]): Prompt {
  const comments = prompts.flatMap((prompt) => prompt.display.comments ?? []);
  const inline = prompts.flatMap((prompt) => prompt.display.inline ?? []);
  const display = {
    text: prompts.map((prompt) => prompt.display.text).join('\n\n'),
    attachments: prompts.flatMap((prompt) => prompt.display.attachments),
    images: prompts.reduce((sum, prompt) => sum + prompt.display.images, 0),
    ...(comments.length === 0 ? {} : { comments }),
    ...(inline.length === 0 ? {} : { inline }),
  };
  return { content: prompts.flatMap((prompt) => prompt.content), display };
}
