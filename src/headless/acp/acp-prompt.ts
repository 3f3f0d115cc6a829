// What an editor sends with a prompt, as Deft's own input: text, mentions of files, images, and texts that are already there.
import { type ContentBlock } from '@agentclientprotocol/sdk';
import { fileURLToPath } from 'node:url';
import { type PromptInput } from '../../core/prompt/compose-prompt';
import { attachment } from '../../core/text/attachment';
import { mentionText } from '../../shared/mention-text';
import { wrongImage } from '../file-data';

/** A sentence where it cannot be sent. */
export function readPromptBlocks(blocks: readonly ContentBlock[]): PromptInput | string {
  const texts: string[] = [];
  const mentions: string[] = [];
  const images: PromptInput['images'] = [];
  const files: NonNullable<PromptInput['files']> = [];
  for (const block of blocks) {
    if (block.type === 'text') texts.push(block.text);
    else if (block.type === 'image') {
      const wrong = wrongImage(block.mimeType, block.data);
      if (wrong !== undefined) return `The prompt ${wrong}.`;
      images.push({ name: `image ${images.length + 1}`, mediaType: block.mimeType, data: block.data });
    } else if (block.type === 'resource_link') {
      const file = filePath(block.uri);
      texts.push(file === undefined ? `${block.name} (${block.uri})` : mentionText(file));
      if (file !== undefined) mentions.push(mentionText(file));
    } else if (block.type === 'resource') {
      const { resource } = block;
      if (!('text' in resource)) return `The prompt has data of ${resource.uri} that is no text: link to it instead.`;
      const name = filePath(resource.uri) ?? resource.uri;
      files.push({ name, block: { type: 'text', text: attachment({ file: name }, resource.text) } });
      texts.push(name);
    } else return `The prompt has a block of the type ${block.type}, which Deft does not take.`;
  }
  const text = texts.join('');
  if (text.trim() === '' && images.length === 0) return 'The prompt is empty.';
  // Editors mark mentions themselves: an "@" in the text may be anything.
  return {
    text,
    images,
    mentionsIn: mentions.join(' '),
    allowOutside: true,
    ...(files.length === 0 ? {} : { files }),
  };
}

function filePath(uri: string): string | undefined {
  try {
    return uri.startsWith('file://') ? fileURLToPath(uri.replace(/#.*$/, '')) : undefined;
  } catch {
    return undefined;
  }
}
