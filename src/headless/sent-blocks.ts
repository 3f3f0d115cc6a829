// The content of a message that a program sends: what the wire takes is taken, the rest refused in words, before it can spoil a session.
import { defined } from '../shared/defined';
import { attachment } from '../core/text/attachment';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { type UrlSource } from '../core/wire/wire';
import { isObject } from '../shared/plain-object';
import { wrongImage, wrongPdf } from './file-data';

type Fields = Record<string, unknown>;
type SentFile = NonNullable<PromptInput['files']>[number];

/** What is wrong with it, as the rest of a sentence. */
export type ReadContent = { prompt: PromptInput } | { wrong: string };

export function readContent(content: readonly unknown[]): ReadContent {
  const texts: string[] = [];
  const images: PromptInput['images'] = [];
  const files: SentFile[] = [];
  for (const block of content) {
    const fields: Fields = isObject(block) ? block : {};
    const source: Fields = isObject(fields['source']) ? fields['source'] : {};
    if (fields['type'] === 'text' && typeof fields['text'] === 'string') texts.push(fields['text']);
    else if (fields['type'] === 'image' && source['type'] === 'base64') {
      const wrong = wrongImage(source['media_type'], source['data']);
      if (wrong !== undefined) return { wrong };
      images.push({
        name: `image ${images.length + 1}`,
        mediaType: String(source['media_type']),
        data: String(source['data']),
      });
    } else if (fields['type'] === 'image' || fields['type'] === 'document') {
      const read =
        fields['type'] === 'image'
          ? addressed('image', source, imageKinds)
          : readDocument(fields, source, files.length + 1);
      if ('wrong' in read) return read;
      files.push('file' in read ? read.file : { name: read.url, block: { type: 'image', source: read } });
    } else return { wrong: 'has a block that is neither a text, an image nor a document' };
  }
  if (texts.join('').trim() === '' && images.length + files.length === 0) return { wrong: 'is empty' };
  return { prompt: { text: texts.join('\n\n'), images, ...(files.length === 0 ? {} : { files }) } };
}

const imageKinds = 'base64 or url';
const documentKinds = 'base64, text, content or url';

function readDocument(fields: Fields, source: Fields, number: number): { file: SentFile } | { wrong: string } {
  const { title, context, citations } = fields;
  // All documents of a conversation would have to have them, those of Read too.
  if (isObject(citations) && citations['enabled'] === true)
    return { wrong: 'has a document with citations, which Deft does not support: leave them out' };
  const name = typeof title === 'string' && title !== '' ? title : `document ${number}`;
  const about = {
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    ...(typeof context === 'string' && context !== '' ? { context } : {}),
  };
  if (source['type'] === 'base64') {
    const { media_type: mediaType, data } = source;
    const wrong = wrongPdf(mediaType, data);
    if (wrong !== undefined) return { wrong };
    return {
      file: {
        name,
        block: {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: String(data) },
          ...about,
        },
      },
    };
  }
  if (source['type'] === 'text' || source['type'] === 'content') {
    const text = source['type'] === 'text' ? source['data'] : textOf(source['content']);
    if (typeof text !== 'string' || text.trim() === '') return { wrong: 'has a document without text' };
    // In words every model takes it, and it stays when a PDF has to be left out.
    return {
      file: {
        name,
        block: {
          type: 'text',
          text: attachment({ document: name, ...defined({ context: about.context }) }, text),
        },
      },
    };
  }
  const read = addressed('document', source, documentKinds);
  return 'wrong' in read
    ? read
    : { file: { name: about.title ?? read.url, block: { type: 'document', source: read, ...about } } };
}

/** Undefined where it holds anything but text. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((one: unknown) => (isObject(one) && one['type'] === 'text' ? one['text'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : undefined;
}

function addressed(what: 'image' | 'document', { type, url }: Fields, kinds: string): UrlSource | { wrong: string } {
  if (type === 'file')
    return { wrong: `has ${an[what]} by the id of an uploaded file, which cannot be sent: its source takes ${kinds}` };
  if (type !== 'url')
    return {
      wrong: `has ${an[what]} whose source is of the type ${JSON.stringify(type) ?? 'undefined'}: it takes ${kinds}`,
    };
  if (typeof url !== 'string' || !/^https:\/\/[^\s/]/.test(url))
    return { wrong: `has ${an[what]} whose address the API cannot fetch: give one that begins with https://` };
  return { type, url };
}

const an = { image: 'an image', document: 'a document' } as const;
